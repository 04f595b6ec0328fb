import CCurl

/// What a handle knows about the Digest login of its origin, besides what curl keeps.
///
/// A server that no longer knows a nonce says so with `stale` (RFC 7616 section 3.3), and curl answers the
/// new one. calibre's server omits it after a restart, so that the refusal looks like that of a wrong password.
/// It is told from one by the order of events: the login was accepted with the earlier nonce, and the
/// refusal names another.
struct DigestMemory {
  /// The nonce of the last challenge; `nil` before the first one.
  private var nonce: String?
  /// Whether the last response was not a refusal.
  private var isAccepted = false

  /// Records a transfer that has ended. Returns whether only its nonce was refused, so that the login
  /// deserves one more attempt.
  ///
  /// - Parameters:
  ///   - status: The status of the last response; 0 without one.
  ///   - challenges: The nonces of the transfer's challenges. With more than one, curl answered a new
  ///     nonce already.
  mutating func learn(status: Int, challenges: [String]) -> Bool {
    let isRefused = status == 401 && isAccepted && challenges.count == 1
    let isReplaced = isRefused && nonce != nil && challenges.first != nonce
    nonce = challenges.last ?? nonce
    if status > 0 { isAccepted = status != 401 }
    return isReplaced
  }

  /// Returns the nonce of a field `WWW-Authenticate`; `nil` if it is no challenge for Digest.
  static func nonce(in field: String) -> String? {
    guard field.lowercased().hasPrefix("digest ") else { return nil }
    for part in field.dropFirst(7).split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "nonce" else { continue }
      return String(pair[1].filter { $0 != " " && $0 != "\"" })
    }
    return nil
  }
}

extension EasyHandle {
  /// The nonces with which the responses of the last transfer asked for Digest, in order.
  var digestChallenges: [String] {
    // curl repeats a request once for a challenge and again for each stale nonce.
    (0..<Int32(8)).compactMap { request in
      var previous: UnsafeMutablePointer<curl_header>?
      while let field = curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), request, previous) {
        previous = field
        guard String(cString: field.pointee.name).lowercased() == "www-authenticate" else {
          continue
        }
        if let nonce = DigestMemory.nonce(in: String(cString: field.pointee.value)) { return nonce }
      }
      return nil
    }
  }
}
