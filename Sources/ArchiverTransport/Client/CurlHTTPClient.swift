import ArchiverCore
import Synchronization

/// Sends requests through the engine, hop by hop.
struct CurlHTTPClient: HTTPClient {
  let engine: CurlEngine
  let access: SourceAccess?
  let addressGuard: AddressGuard
  private let login = LoginMemory()

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled(request.url) }
    var hop = Hop(request)
    guard hop.headers.areSound else {
      throw HTTPError(.badURL, "the header fields for \(request.url.withoutQuery) are malformed")
    }
    let deadline = request.timeouts.total.map { ContinuousClock.now + $0 }
    while true {
      let transfer = try await prepare(hop, request, deadline)
      let response = try await perform(transfer)
      guard request.redirectLimit > 0, let location = Hop.location(in: response) else {
        return response
      }
      hop = try hop.following(
        location, response: response, limit: request.redirectLimit,
        carriedCredential: transfer.credential != nil || hop.carriesSecrets)
    }
  }

  /// Performs one hop. If a server refuses without a challenge for Digest or Basic, though RFC 9110
  /// section 11.6.1 requires one, the password is sent once more, as Basic, before the hop counts as
  /// refused.
  private func perform(_ transfer: TransferRequest) async throws(HTTPError) -> HTTPResponse {
    let response = try await engine.perform(transfer).get()
    guard response.status == 401, !response.headers.hasPasswordChallenge,
      case .negotiated(let user, let password) = transfer.credential
    else { return response }
    var second = transfer
    second.credential = .basic(user: user, password: password)
    let answer = try await engine.perform(second).get()
    if answer.status != 401 { login.rememberBasic() }
    return answer
  }

  private func prepare(
    _ hop: Hop, _ request: HTTPRequest, _ deadline: ContinuousClock.Instant?
  ) async throws(HTTPError) -> TransferRequest {
    let permit = try await addressGuard.permit(for: hop.url, timeout: request.timeouts.connect)
    var transfer = TransferRequest(
      url: hop.url, method: hop.method, headers: hop.sentHeaders, body: hop.body,
      destination: request.destination, timeouts: request.timeouts, deadline: deadline,
      permit: permit)
    if [.put, .post].contains(hop.method) { transfer.upload = request.upload }
    guard let access, access.origin == hop.url.origin else { return transfer }
    if let file = access.caFile { transfer.authorities = try .adding(file) }
    if request.usesCredential {
      if access.sendsCredential(to: hop.url) {
        transfer.credential = login.credential(access.credential)
      }
      for field in access.headers.fields { transfer.headers[field.name] = nil }
      for field in access.headers.fields { transfer.headers.append(field.name, field.value) }
    }
    return transfer
  }
}

extension HTTPHeaders {
  /// Whether a challenge (RFC 9110 section 11.6.1) asks for a password.
  fileprivate var hasPasswordChallenge: Bool {
    values("WWW-Authenticate").contains { field in
      let words = field.lowercased().split { $0 == "," || $0.isWhitespace }
      return words.contains("basic") || words.contains("digest")
    }
  }

  /// Whether every name is valid and no value contains a line break or NUL, which could end a field
  /// early or start another.
  fileprivate var areSound: Bool {
    fields.allSatisfy { field in
      !field.name.isEmpty && field.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
        && field.value.utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    }
  }
}

/// Whether the server accepts Basic authentication, remembered while the process runs.
private final class LoginMemory: Sendable {
  private let takesBasic = Mutex(false)

  func rememberBasic() { takesBasic.withLock { $0 = true } }

  /// Returns the credential for the first attempt.
  func credential(_ configured: Credential?) -> Credential? {
    guard case .negotiated(let user, let password) = configured, takesBasic.withLock({ $0 }) else {
      return configured
    }
    return .basic(user: user, password: password)
  }
}
