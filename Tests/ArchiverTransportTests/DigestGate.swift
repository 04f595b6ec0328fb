import ArchiverCore
import ArchiverTestKit
import Synchronization

/// The server's side of Digest authentication with `qop=auth` (RFC 7616 section 3).
final class DigestGate: Sendable {
  private struct State {
    var nonce = 1
    var uses = 0
  }

  private let user: String
  private let password: String
  private let algorithm: String
  private let usesPerNonce: Int
  /// Whether a challenge for a used-up nonce says so.
  private let tellsStale: Bool
  private let state = Mutex(State())

  init(
    user: String, password: String, algorithm: String, usesPerNonce: Int = .max,
    tellsStale: Bool = true
  ) {
    self.tellsStale = tellsStale
    self.user = user
    self.password = password
    self.algorithm = algorithm
    self.usesPerNonce = usesPerNonce
  }

  func answer(_ request: ServerRequest) -> ServerResponse {
    guard let field = request.headers["Authorization"], field.hasPrefix("Digest ") else {
      return challenge(isStale: false)
    }
    let fields = DigestGate.fields(of: field.dropFirst(7))
    guard fields["username"] == user, fields["uri"] == request.target, fields["qop"] == "auth",
      fields["response"] == expected(fields, request.method)
    else { return challenge(isStale: false) }
    let isFresh = state.withLock { state in
      guard fields["nonce"] == "nonce\(state.nonce)", state.uses < usesPerNonce else {
        state.nonce += 1
        state.uses = 0
        return false
      }
      state.uses += 1
      return true
    }
    return isFresh ? .text("welcome") : challenge(isStale: tellsStale)
  }

  /// Forgets every nonce, as a server that starts again.
  func restart() { state.withLock { $0 = State(nonce: $0.nonce + 1) } }

  private func expected(_ fields: [String: String], _ method: String) -> String {
    let first = hash("\(user):here:\(password)")
    let second = hash("\(method):\(fields["uri"] ?? "")")
    let middle = ["nonce", "nc", "cnonce", "qop"].map { fields[$0] ?? "" }.joined(separator: ":")
    return hash("\(first):\(middle):\(second)")
  }

  private func hash(_ text: String) -> String {
    algorithm == "MD5" ? md5(Array(text.utf8)) : sha256(Array(text.utf8))
  }

  private func challenge(isStale: Bool) -> ServerResponse {
    let nonce = state.withLock { $0.nonce }
    let value =
      "Digest realm=\"here\", qop=\"auth\", algorithm=\(algorithm), nonce=\"nonce\(nonce)\""
      + (isStale ? ", stale=true" : "")
    return ServerResponse(401, headers: ["WWW-Authenticate": value])
  }

  private static func fields(of text: Substring) -> [String: String] {
    var fields: [String: String] = [:]
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      fields[String(pair[0].filter { $0 != " " })] = String(pair[1].filter { $0 != "\"" })
    }
    return fields
  }
}
