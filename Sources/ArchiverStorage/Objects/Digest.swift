import ArchiverCore
import CCrypto

/// SHA-256 (FIPS 180-4) as the archive writes it: lower-case hex.
package enum Digest {
  /// Returns the digest of bytes.
  package static func sha256Hex(_ bytes: [UInt8]) -> String {
    let stream = DigestStream()
    bytes.withUnsafeBytes { stream.update($0) }
    return stream.finish()
  }

  /// Returns the digest of a text's UTF-8 bytes.
  package static func sha256Hex(_ text: String) -> String {
    sha256Hex(Array(text.utf8))
  }

  /// Whether a text is a digest.
  static func isSHA256(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count == 64 else { return false }
    // Iterating over the bytes of a text without contiguous storage is slow.
    let isHex = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isHexDigit) }
    return isHex ?? text.utf8.allSatisfy(isHexDigit)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}

/// SHA-256 of a stream of bytes.
///
/// Unchecked: a context may move between threads but serves one at a time, which its owner's lock
/// or scope ensures.
package final class DigestStream: @unchecked Sendable {
  private let context: OpaquePointer
  /// Fetched once: libcrypto takes longer for that than for hashing a small file.
  nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)
  private static let digits = Array("0123456789abcdef".utf8)

  package init() {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    self.context = context
    restart()
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// Discards the input so far.
  func restart() {
    precondition(
      EVP_DigestInit_ex(context, DigestStream.algorithm, nil) == 1,
      "libcrypto does not offer SHA-256")
  }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1)
  }

  /// Returns the digest in lower-case hex; the stream must be restarted before it is used again.
  package func finish() -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
      precondition(EVP_DigestFinal_ex(context, digest.baseAddress, nil) == 1)
      return String(unsafeUninitializedCapacity: 64) { text in
        for (index, byte) in digest.enumerated() {
          text[2 * index] = DigestStream.digits[Int(byte >> 4)]
          text[2 * index + 1] = DigestStream.digits[Int(byte & 15)]
        }
        return 64
      }
    }
  }
}
