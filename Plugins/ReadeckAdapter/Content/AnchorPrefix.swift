import ArchiverCore

/// The letters that Readeck puts before every id of an article and every link to one, as in
/// `id="qE.DONc.fn1"`: two, four, and a full stop after each.
///
/// They are others each time that an article is extracted, so that a link from another article to a
/// section would never lead there. Without them ids are those of the original page.
enum AnchorPrefix {
  private static let shape = [2, 4]

  /// Returns an article as Readeck renders it, with attributes in double quotes, without the
  /// prefixes.
  static func removed(from html: [UInt8]) -> [UInt8] {
    guard let prefix = prefix(in: html) else { return html }
    return ["id=\"", "name=\"", "href=\"#"].reduce(html) { html, attribute in
      html.replacing(" \(attribute)\(prefix)", with: " \(attribute)")
    }
  }

  /// Returns the letters before the first id that has such ones.
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
    // Something follows that is the id.
    guard let next = rest.first, next != UInt8(ascii: "\"") else { return nil }
    return String(decoding: id[..<rest.startIndex], as: UTF8.self)
  }
}
