import ArchiverCore

/// The URL of a check at healthchecks.io or a similar service: itself for success, with `/start`
/// and `/fail` for the others. The body is for people, at most 64 KiB.
struct PingTarget: Sendable {
  enum Signal: Sendable {
    case start, success, failure
  }

  let url: WebURL

  /// Sends a signal. Returns why it failed, without the URL, which is a secret.
  func send(_ signal: Signal, _ text: String, over client: any HTTPClient) async -> String? {
    let address =
      switch signal {
      case .start: url.appending("start")
      case .success: url
      case .failure: url.appending("fail")
      }
    let request = HTTPRequest(
      .post, address, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: Array(text.utf8.prefix(64 << 10)), usesCredential: false, isRepeatable: true,
      timeouts: HTTPTimeouts(connect: .seconds(5), stall: .seconds(5), total: .seconds(10)))
    do throws(HTTPError) {
      let response = try await client.send(request)
      return response.isSuccess ? nil : "it answered \(response.status)"
    } catch {
      return "\(error.code.rawValue)"
    }
  }
}
