import ArchiverCore

/// The two schemes by which books obfuscate fonts; neither is a protection.
enum FontObfuscation: Sendable, Hashable {
  /// `http://www.idpf.org/2008/embedding` (EPUB 3.3 section 4.3): SHA-1 of the identifier.
  case idpf
  /// `http://ns.adobe.com/pdf/enc#RC`: the bytes of the identifier's UUID.
  case adobe

  init?(algorithm: String) {
    switch algorithm {
    case "http://www.idpf.org/2008/embedding": self = .idpf
    case "http://ns.adobe.com/pdf/enc#RC": self = .adobe
    default: return nil
    }
  }

  /// The number of obfuscated bytes at the beginning.
  private var length: Int { self == .idpf ? 1_040 : 1_024 }

  /// Returns the key; `nil` if it cannot be derived from the identifiers.
  func key(identifiers: [String], sha1: ([UInt8]) -> [UInt8]) -> [UInt8]? {
    switch self {
    case .idpf:
      guard let identifier = identifiers.first else { return nil }
      return sha1(identifier.utf8.filter { ![0x20, 0x09, 0x0D, 0x0A].contains($0) })
    case .adobe:
      return identifiers.lazy.compactMap(FontObfuscation.uuid).first
    }
  }

  /// Deobfuscates a font.
  func reveal(_ bytes: inout [UInt8], key: [UInt8]) {
    guard !key.isEmpty else { return }
    for index in 0..<min(bytes.count, length) { bytes[index] ^= key[index % key.count] }
  }

  private static func uuid(_ identifier: String) -> [UInt8]? {
    let text = identifier.lowercased().split(separator: ":").last.map(String.init) ?? ""
    let digits = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x61...0x66: byte - 0x57
      default: nil
      }
    }
    guard digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
