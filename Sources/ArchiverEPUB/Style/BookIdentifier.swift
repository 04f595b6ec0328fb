import ArchiverCore
import ArchiverMarkup

/// Ids of a book, prefixed to keep them distinct from those of the page around it.
///
/// An id and a fragment that leads to it have the same form here, whichever of them is percent-encoded.
enum BookIdentifier {
  /// The maximum length of an id in bytes; a longer one is cut and ends in a digest of the whole.
  private static let longest = 512
  private static let keptOfLongest = 400

  /// Returns the id in the page for an `id` of the book; `nil` for an empty one.
  static func id(_ raw: String) -> String? {
    guard !raw.isEmpty else { return nil }
    let name = whole(raw)
    let plain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? name : withoutSpaces(name)
    guard plain.utf8.count > longest else { return SelectorScope.idPrefix + plain }
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in plain.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var start = plain[...].prefix(keptOfLongest)
    while start.utf8.count > keptOfLongest { start.removeLast() }
    return "\(SelectorScope.idPrefix)\(start)-\(String(digest, radix: 16))"
  }

  /// Returns the fragment for an id, percent-encoded.
  static func fragment(_ raw: String) -> String? { id(raw).map(WebURL.percentEncoded) }

  /// The maximum number of times that a name is decoded.
  private static let mostTimes = 3

  /// Returns a name without percent-encoding: books encode the ids too, or encode fragments twice.
  private static func whole(_ raw: String) -> String {
    var name = raw
    for _ in 0..<mostTimes where name.utf8.contains(0x25) {
      let decoded = PercentEncoding.decoded(name)
      if decoded == name { break }
      name = decoded
    }
    return name
  }

  /// Returns a name without what an id of HTML must not have.
  private static func withoutSpaces(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          let isPlain =
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
          return isPlain ? scalar : "-"
        }))
  }
}
