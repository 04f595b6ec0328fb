/// The components of a URL that is plainly in normal form, as nearly all are.
///
/// Each URL of each image is needed several times, and a full parser takes much longer than this
/// check. Whatever is not plainly in normal form is left to the parser: a host with other
/// characters than lower-case letters, digits, hyphens and dots, a user, an empty path, dot
/// segments, an invalid escape, any character that must be escaped.
struct NormalForm {
  private(set) var isSecure = false
  private(set) var host: [UInt8] = []
  /// The port; `nil` if it is the scheme's default.
  private(set) var port: Int?

  /// Checks a URL; `nil` if it is not plainly in normal form.
  init?(_ text: some Collection<UInt8>) {
    let form = text.withContiguousStorageIfAvailable { NormalForm(bytes: $0) }
    guard let form, let form else { return nil }
    self = form
  }

  private init?(bytes: UnsafeBufferPointer<UInt8>) {
    guard var index = schemeEnd(bytes) else { return nil }
    let start = index
    while index < bytes.count, NormalForm.isOfHost(bytes[index]) { index += 1 }
    host = Array(bytes[start..<index])
    // Encoded international names are left to the parser.
    guard !host.isEmpty, host.first != 0x2E, host.first != 0x2D, !host.starts(with: "xn--".utf8),
      host.firstIndex(of: ".xn--") == nil
    else { return nil }
    if index < bytes.count, bytes[index] == 0x3A {
      guard let end = readPort(bytes, from: index + 1) else { return nil }
      index = end
    }
    guard index < bytes.count, bytes[index] == 0x2F, isRestPlain(bytes, from: index) else {
      return nil
    }
  }

  private mutating func schemeEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if bytes.starts(with: "https://".utf8) {
      isSecure = true
      return 8
    }
    return bytes.starts(with: "http://".utf8) ? 7 : nil
  }

  /// Returns the end of the port; `nil` if it is not in normal form.
  private mutating func readPort(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    var value = 0
    while index < bytes.count, index < start + 5, (0x30...0x39).contains(bytes[index]) {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    guard index > start, bytes[start] != 0x30, value <= 65_535, value != (isSecure ? 443 : 80)
    else { return nil }
    port = value
    return index
  }

  /// Whether path, query and fragment contain only characters allowed there (RFC 3986 sections 3.3
  /// to 3.5), and no path segment begins with a dot.
  private func isRestPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var isPath = true
    var hasFragment = false
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      switch NormalForm.classes[Int(byte)] {
      case .plain: break
      case .slash:
        if isPath, index + 1 < bytes.count, bytes[index + 1] == 0x2E { return false }
      case .question: isPath = false
      case .hash:
        guard !hasFragment else { return false }
        hasFragment = true
        isPath = false
      case .percent:
        guard index + 2 < bytes.count, NormalForm.isHex(bytes[index + 1]),
          NormalForm.isHex(bytes[index + 2])
        else { return false }
        index += 2
      case .other: return false
      }
      index += 1
    }
    return true
  }

  private enum CharacterKind {
    case plain, slash, question, hash, percent, other
  }

  private static let classes: [CharacterKind] = (UInt8.min...UInt8.max).map { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: .plain
    case 0x2F: .slash
    case 0x3F: .question
    case 0x23: .hash
    case 0x25: .percent
    default: "-._~!$&'()*+,;=:@".utf8.contains(byte) ? .plain : .other
    }
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}
