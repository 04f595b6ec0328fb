import ArchiverCore

/// Prepares untrusted text for attributes and URLs.
enum SiteText {
  /// Percent-encodes characters that are not permitted in a fragment; archiver's own ids stay unchanged.
  static func fragment(_ id: String) -> String { encoded(id, keeping: "-._~") }

  /// Returns the fragment of a passage: its mark's id, or a text fragment if it has no mark
  /// (https://wicg.github.io/scroll-to-text-fragment/).
  static func fragment(of annotation: Annotation) -> String {
    guard annotation.isUnmarked == true else { return fragment("hl-\(annotation.id)") }
    // Use one line only: the next one may be in another block, which a text fragment cannot span.
    let line = annotation.text.split(whereSeparator: \.isNewline).first ?? ""
    let words = line.split(whereSeparator: \.isWhitespace).prefix(12).joined(separator: " ")
    return ":~:text=" + encoded(words, keeping: "._~")
  }

  /// Percent-encodes a relative path except its slashes.
  static func path(_ path: String) -> String { encoded(path, keeping: "-._~/") }

  /// Whether a URL from a source may become a link.
  static func isWebAddress(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }

  private static func encoded(_ text: String, keeping kept: StaticString) -> String {
    // Nearly all text stays unchanged.
    if text.utf8.allSatisfy({ stays($0, kept) }) { return text }
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if stays(byte, kept) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func stays(_ byte: UInt8, _ kept: StaticString) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || kept.withUTF8Buffer { $0.contains(byte) }
  }
}
