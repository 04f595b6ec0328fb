import ArchiverCore
import CCrypto

extension Digest {
  /// Returns the HMAC (RFC 2104) of bytes with SHA-256, 32 bytes.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - key: The key.
  package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    let isMade = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, nil) != nil
    precondition(isMade, "libcrypto does not offer SHA-256")
    return code
  }

  /// Returns the MD5 digest of bytes; `nil` if libcrypto does not offer it. Not for security: object
  /// storage verifies uploads with it.
  ///
  /// - Parameter bytes: The message.
  package static func md5(_ bytes: [UInt8]) -> [UInt8]? {
    let digest = ContentDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish().md5
  }
}

/// SHA-256 and MD5 of a stream of bytes, in one pass.
///
/// Unchecked: its owner's lock or scope ensures that one thread uses it at a time.
package final class ContentDigest: @unchecked Sendable {
  private let sha256 = DigestStream()
  /// `nil` if libcrypto does not offer MD5.
  private let md5: OpaquePointer?

  package init() {
    let context = EVP_MD_CTX_new()
    if let context, EVP_DigestInit_ex(context, EVP_md5(), nil) == 1 {
      md5 = context
    } else {
      EVP_MD_CTX_free(context)
      md5 = nil
    }
  }

  deinit {
    EVP_MD_CTX_free(md5)
  }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    sha256.update(bytes)
    if let md5 { EVP_DigestUpdate(md5, bytes.baseAddress, bytes.count) }
  }

  /// Returns the digests; call it once.
  package func finish() -> (sha256: String, md5: [UInt8]?) {
    var digest = [UInt8](repeating: 0, count: 16)
    let hasMD5 = md5.map { EVP_DigestFinal_ex($0, &digest, nil) == 1 } ?? false
    return (sha256.finish(), hasMD5 ? digest : nil)
  }
}
