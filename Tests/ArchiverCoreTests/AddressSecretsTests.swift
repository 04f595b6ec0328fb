import ArchiverCore
import Testing

@Suite struct AddressSecretsTests {
  private let secrets = AddressSecrets([Secret("abcdef"), Secret("abcdef-longer"), Secret("short")])

  @Test(arguments: [
    ("https://a/abcdef/x", "https://a/removed/x"), ("abcdef-longer", "removed"),
    ("abcdefabcdef", "removedremoved"), ("abcde", "abcde"), ("aabcdef", "aremoved"),
    ("short", "short"), ("", ""), ("é abcdef é", "é removed é"),
  ])
  func `every occurrence is redacted, the longest secret first`(text: String, expected: String) {
    #expect(secrets.hidden(text) == expected)
  }

  @Test func `placeholders are replaced by the secrets again`() {
    let text = #"{"links":["https://a/abcdef-longer/1","https://a/abcdef/2"]}"#
    let sealed = secrets.sealed(text)
    #expect(!sealed.contains("abcdef"))
    #expect(secrets.opened(sealed) == text)
  }

  @Test func `errors of a client name no secret, and keep the server that was down`() async {
    struct Failing: HTTPClient {
      func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        throw HTTPError(.connect, "cannot reach \(request.url)", origin: request.url.origin)
      }
    }
    guard let url = WebURL("https://a.example/abcdef/feed") else { return }
    await #expect {
      _ = try await RedactingHTTPClient(Failing(), secrets: secrets).send(HTTPRequest(.get, url))
    } throws: {
      "\($0)" == "cannot reach https://a.example/removed/feed"
        && ($0 as? HTTPError)?.origin == url.origin
    }
  }
}
