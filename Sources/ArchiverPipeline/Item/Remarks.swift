import ArchiverCore
import ArchiverStorage

/// The highlights of an item with their notes, and its comments.
///
/// Each has a digest, so that a bundle that would lose one becomes an earlier version.
enum Remarks {
  /// Returns a digest of 12 hex digits for each remark, sorted and without duplicates.
  ///
  /// - Parameters:
  ///   - body: Canonical HTML; a block of text among the remarks counts as one remark.
  ///   - name: The class of the element at its end that holds remarks; `nil` if there is none.
  ///   - annotations: The item's highlights; their colours, times and ids do not count.
  static func digests(
    body: [UInt8], class name: String?, annotations: [Annotation]
  ) -> [String] {
    var remarks = annotations.map { Array("\($0.text)\0\($0.note ?? "")".utf8) }
    if let name, let start = start(of: name, in: body) { remarks += blocks(body[start...]) }
    return Set(remarks.map { String(Digest.sha256Hex($0).prefix(12)) }).sorted()
  }

  /// Returns the start of the last element of a class in canonical HTML; `nil` if there is none.
  static func start(of name: String, in html: [UInt8]) -> Int? {
    var start: Int?
    while let found = html.firstIndex(of: "<div class=\"\(name)\"", from: start.map { $0 + 1 } ?? 0)
    {
      start = found
    }
    return start
  }

  /// Returns the text of each block, without inline markup and surrounding white space.
  private static func blocks(_ html: ArraySlice<UInt8>) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    var block: [UInt8] = []
    func end() {
      let isSpace = { (byte: UInt8) in byte <= 0x20 }
      let words = block.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
      if !words.isEmpty { blocks.append(Array(words)) }
      block = []
    }
    var rest = html
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      block += rest[..<open]
      // Canonical HTML has no `>` in attributes; without one the rest is not a tag.
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let name = rest[(open + 1)..<close].drop { $0 == UInt8(ascii: "/") }
        .prefix { $0 != UInt8(ascii: " ") }
      if tags.contains(Array(name)) { end() }
      rest = rest[(close + 1)...]
    }
    end()
    return blocks
  }

  private static let tags = Set(
    ["div", "p", "li", "ul", "ol", "blockquote", "pre", "h2", "h3", "h4", "figure", "br", "hr"]
      .map { Array($0.utf8) })
}
