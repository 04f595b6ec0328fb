import ArchiverCore

/// The prefix that Readeck puts before every id in an article and every link to one, as in
/// `id="qE.DONc.fn1"`: two letters, a full stop, four letters, a full stop.
///
/// Each extraction of an article chooses a new prefix, so that links from other articles to a
/// section would break. Without prefixes, ids are those of the original page.
enum AnchorPrefix {
  private static let shape = [2, 4]

  /// Returns an article, as rendered by Readeck with double-quoted attributes, without the
  /// prefixes.
  static func removed(from html: [UInt8]) -> [UInt8] {
    guard let prefix = prefix(in: html) else { return html }
    return ["id=\"", "name=\"", "href=\"#"].reduce(html) { html, attribute in
      html.replacing(" \(attribute)\(prefix)", with: " \(attribute)")
    }
  }

  /// Returns the prefix of the first id that has one.
  private static func prefix(in html: [UInt8]) -> String? {
    let attribute = " id=\""
    var position = 0
    while let found = html.firstIndex(of: attribute, from: position) {
      position = found + attribute.utf8.count
      if let prefix = prefix(of: html[position...]) { return prefix }
    }
    return nil
  }

  private static func prefix(of id: ArraySlice<UInt8>) -> String? {
    var rest = id
    for count in shape {
      let letters = rest.prefix(count)
      guard letters.count == count,
        letters.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }),
        rest.dropFirst(count).first == UInt8(ascii: ".")
      else { return nil }
      rest = rest.dropFirst(count + 1)
    }
    // An id must follow the prefix.
    guard let next = rest.first, next != UInt8(ascii: "\"") else { return nil }
    return String(decoding: id[..<rest.startIndex], as: UTF8.self)
  }
}
