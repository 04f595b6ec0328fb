import CCrypto

/// The version of libcrypto.
package enum CryptoVersion {
  /// "libcrypto/3.0.17".
  package static var text: String {
    // "OpenSSL 3.0.17 1 Jul 2025".
    let words = String(cString: OpenSSL_version(0)).split(separator: " ")
    return "libcrypto/" + (words.count > 1 ? words[1] : "unknown")
  }
}
