import ArchiverCore

/// Sends requests through the engine, hop by hop.
struct CurlHTTPClient: HTTPClient {
  let engine: CurlEngine
  let access: SourceAccess?
  let addressGuard: AddressGuard

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled(request.url) }
    var hop = Hop(request)
    guard hop.headers.areSound else {
      throw HTTPError(.badURL, "The header fields for \(request.url.withoutQuery) are malformed")
    }
    let deadline = request.timeouts.total.map { ContinuousClock.now + $0 }
    while true {
      let transfer = try await prepare(hop, request, deadline)
      let response = try await engine.perform(transfer).get()
      guard request.redirectLimit > 0, let location = Hop.location(in: response) else {
        return response
      }
      hop = try hop.following(
        location, status: response.status, limit: request.redirectLimit,
        carriedCredential: transfer.credential != nil || hop.carriesSecrets)
    }
  }

  private func prepare(
    _ hop: Hop, _ request: HTTPRequest, _ deadline: ContinuousClock.Instant?
  ) async throws(HTTPError) -> TransferRequest {
    let permit = try await addressGuard.permit(for: hop.url, timeout: request.timeouts.connect)
    var transfer = TransferRequest(
      url: hop.url, method: hop.method, headers: hop.headers, body: hop.body,
      destination: request.destination, timeouts: request.timeouts, deadline: deadline,
      permit: permit)
    guard let access, access.origin == hop.url.origin else { return transfer }
    if let file = access.caFile { transfer.authorities = try .adding(file) }
    if request.usesCredential {
      transfer.credential = access.credential
      for field in access.headers.fields { transfer.headers[field.name] = nil }
      for field in access.headers.fields { transfer.headers.append(field.name, field.value) }
    }
    return transfer
  }
}

extension HTTPHeaders {
  /// Whether no field could end its line early or start another one.
  fileprivate var areSound: Bool {
    fields.allSatisfy { field in
      !field.name.isEmpty && field.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
        && field.value.utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    }
  }
}
