import CCrypto

extension Digest {
  /// Returns the SHA-1 digest of bytes, 20 of them: the key of obfuscated fonts in books (EPUB 3.3
  /// section 4.3). Not for security.
  package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    precondition(
      EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil) == 1,
      "libcrypto does not offer SHA-1")
    return digest
  }
}
