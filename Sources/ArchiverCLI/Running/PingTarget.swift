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
      return PingTarget.words(error.code)
    }
  }

  private static func words(_ code: HTTPError.Code) -> String {
    switch code {
    case .resolve: "the name of the server is unknown, or there is no network"
    case .connect: "the server accepted no connection"
    case .timeout: "the server did not answer in time"
    case .tls: "the certificate of the server is not trusted"
    case .addressDenied: "the address of the server is not permitted"
    case .badURL: "it is no URL that can be requested"
    case .connectionLost, .truncated: "the connection was lost"
    case .redirectLoop, .redirectRefused: "it leads to an address that is not followed"
    case .cancelled: "the request was cancelled"
    case .tooLarge, .protocolError, .sink: "the answer was not understood"
    }
  }
}
