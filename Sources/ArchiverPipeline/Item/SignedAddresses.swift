import ArchiverCore

/// Presigned URLs: their query is a signature that changes with every delivery and soon expires.
///
/// Works on canonical HTML, where an attribute's value is the text between two quotes.
enum SignedAddresses {
  private static let mark = Array("x-amz-signature".utf8)

  /// Returns the document without the queries of presigned URLs: equal for equal content, and
  /// without secrets.
  static func unsigned(_ html: [UInt8]) -> [UInt8] {
    guard holdsMark(html[...]) else { return html }
    return rewritten(html) { url in
      holdsMark(url) ? url.prefix { $0 != UInt8(ascii: "?") } : url
    }
  }

  /// Returns the document with links to these URLs replaced by paths in the bundle.
  static func localised(_ html: [UInt8], _ files: [(url: WebURL, path: String)]) -> [UInt8] {
    guard !files.isEmpty else { return html }
    let paths = Dictionary(
      files.map {
        (Array($0.url.absoluteString.replacing("&", with: "&amp;").utf8), Array($0.path.utf8)[...])
      },
      uniquingKeysWith: { first, _ in first })
    return rewritten(html) { url in paths[Array(url)] ?? url }
  }

  /// Returns the document with every URL replaced by what `change` returns for it.
  private static func rewritten(
    _ html: [UInt8], _ change: (ArraySlice<UInt8>) -> ArraySlice<UInt8>
  ) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var result: [UInt8] = []
    result.reserveCapacity(html.count)
    for part in html.split(separator: quote, omittingEmptySubsequences: false) {
      if !result.isEmpty || part.startIndex > 0 { result.append(quote) }
      result += part.starts(with: "http".utf8) ? change(part) : part
    }
    return result
  }

  /// Whether the bytes contain a signing query field; its name follows the last `=` or `&`.
  private static func holdsMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while let equals = bytes.index(of: UInt8(ascii: "="), from: start) {
        let name = bytes[..<equals].suffix(mark.count)
        if name.last.map({ $0 | 0x20 == mark.last }) ?? false,
          name.elementsEqual(mark, by: { $0 | 0x20 == $1 })
        {
          return true
        }
        start = equals + 1
      }
      return false
    }
  }
}
