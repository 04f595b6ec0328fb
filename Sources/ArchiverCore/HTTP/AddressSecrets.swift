/// The credentials in a source's URLs, such as a key in the path, and their redaction.
package struct AddressSecrets: Sendable, Hashable {
  /// The replacement of a secret in a URL; the result is still a valid URL.
  package static let substitute = "removed"

  private let values: [Secret]

  /// Secrets of fewer than six characters are ignored: they would match everywhere.
  package init(_ values: [Secret] = []) {
    self.values = values.filter { $0.reveal().utf8.count >= 6 }
      .sorted { $0.reveal().utf8.count > $1.reveal().utf8.count }
  }

  package var isEmpty: Bool { values.isEmpty }

  /// Returns a text with the secrets redacted.
  package func hidden(_ text: String) -> String {
    guard !isEmpty else { return text }
    return String(decoding: hidden(Array(text.utf8)), as: UTF8.self)
  }

  package func hidden(_ bytes: [UInt8]) -> [UInt8] {
    values.reduce(bytes) { $0.replacing($1.reveal(), with: AddressSecrets.substitute) }
  }

  /// Returns a text with a placeholder for each secret, which `opened` replaces.
  package func sealed(_ text: String) -> String {
    replaceAll(text) { ($1, AddressSecrets.mark($0)) }
  }

  /// Returns a text of `sealed` with the secrets restored.
  package func opened(_ text: String) -> String {
    replaceAll(text) { (AddressSecrets.mark($0), $1) }
  }

  private func replaceAll(
    _ text: String, _ pair: (Int, String) -> (old: String, new: String)
  ) -> String {
    guard !isEmpty else { return text }
    var bytes = Array(text.utf8)
    for (index, secret) in values.enumerated() {
      let (old, new) = pair(index, secret.reveal())
      bytes = bytes.replacing(old, with: new)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func mark(_ index: Int) -> String { "{archiver:\(index)}" }
}

/// A client that redacts a source's secrets in its errors.
package struct RedactingHTTPClient: HTTPClient {
  private let client: any HTTPClient
  private let secrets: AddressSecrets

  package init(_ client: any HTTPClient, secrets: AddressSecrets) {
    self.client = client
    self.secrets = secrets
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    do throws(HTTPError) {
      return try await client.send(request)
    } catch {
      throw HTTPError(
        error.code, secrets.hidden(error.message), origin: error.origin,
        underlying: error.underlying)
    }
  }
}

/// Passes events on with a source's secrets redacted.
package struct RedactingEventSink: EventSink {
  private let sink: any EventSink
  private let secrets: AddressSecrets

  package init(_ sink: any EventSink, secrets: AddressSecrets) {
    self.sink = sink
    self.secrets = secrets
  }

  package func send(_ event: Event) {
    switch event {
    case .log(let level, let source, let message):
      sink.send(.log(level, source: source, message: secrets.hidden(message)))
    case .retrying(let url, let attempt, let delay, let reason):
      sink.send(
        .retrying(
          url: secrets.hidden(url), attempt: attempt, delay: delay, reason: secrets.hidden(reason)))
    default: sink.send(event)
    }
  }
}
