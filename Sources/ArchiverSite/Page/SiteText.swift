/// Text that strangers wrote, made fit for attributes and addresses.
enum SiteText {
  /// Percent-encodes what may not stand in the fragment of an address; ids of our own pass as they are.
  static func fragment(_ id: String) -> String { encoded(id, keeping: "-._~") }

  /// Percent-encodes a relative path, leaving the slashes.
  static func path(_ path: String) -> String { encoded(path, keeping: "-._~/") }

  /// Whether an address from a source may become a link.
  static func isWebAddress(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }

  /// `1.4 MB`, with powers of ten as file browsers show them.
  static func bytes(_ count: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var value = Double(max(0, count))
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    if unit == 0 || tenths >= 100 { return "\(Int(value.rounded())) \(units[unit])" }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// `12 345`: groups of three by a narrow space, which every language reads (ISO 80000-1).
  static func number(_ number: Int) -> String {
    let digits = String(number)
    guard digits.utf8.count > 4, number > 0 else { return digits }
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index) % 3 == 0 { grouped += "\u{202F}" }
      grouped.append(digit)
    }
    return grouped
  }

  private static func encoded(_ text: String, keeping kept: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      let isLetterOrDigit =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isLetterOrDigit || kept.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
