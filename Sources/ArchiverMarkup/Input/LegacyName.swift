/// Names of files in the encodings of systems before UTF-8.
package enum LegacyName {
  /// In the C library's spelling: Japanese, Chinese, Korean, Cyrillic and Western systems. A name that is valid
  /// in several encodings has several readings.
  private static let encodings = [
    "CP932", "GB18030", "BIG5-HKSCS", "CP949", "CP866", "CP1251", "CP437", "CP850", "CP1252",
  ]

  /// Returns what a name may be, each reading once; empty for valid UTF-8.
  package static func readings(_ bytes: [UInt8]) -> [String] {
    guard String(validating: bytes, as: UTF8.self) == nil else { return [] }
    var readings: [String] = []
    for encoding in encodings {
      guard let utf8 = DeclaredEncoding.converted(bytes, from: encoding) else { continue }
      let text = String(decoding: utf8, as: UTF8.self)
      if !text.contains("\u{FFFD}"), !readings.contains(text) { readings.append(text) }
    }
    return readings
  }
}
