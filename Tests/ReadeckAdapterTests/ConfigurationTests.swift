import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct ConfigurationTests {
  @Test(arguments: [
    ("https://read.example.org", "https://read.example.org/"),
    ("https://read.example.org/api", "https://read.example.org/"),
    ("https://read.example.org/api/", "https://read.example.org/"),
    ("https://host:8443/readeck//", "https://host:8443/readeck/"),
    ("http://host/readeck/api?x=1#y", "http://host/readeck/"),
    ("read.example.org", "https://read.example.org/"),
  ])
  func `reads addresses however they are written`(text: String, expected: String) throws {
    let configuration = ReadeckConfiguration(url: text, token: Secret("t"))
    #expect(try ReadeckAdapter.access(configuration).baseURL.absoluteString == expected)
  }

  @Test(arguments: ["", "  ", "ftp://host/", "https://"])
  func `refuses what is no address and says what one looks like`(text: String) {
    let configuration = ReadeckConfiguration(url: text, token: Secret("t"))
    let error = #expect(throws: AdapterError.self) { try ReadeckAdapter.access(configuration) }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("READECK_URL") == true)
  }

  @Test func `trims the line end of a downloaded token`() throws {
    let configuration = ReadeckConfiguration(url: "https://h", token: Secret("CVC5a4H6\r\n"))
    #expect(try ReadeckAdapter.access(configuration).credential == .bearer(Secret("CVC5a4H6")))
  }

  @Test(arguments: ["", "\r\n", "two words", "t\u{F6}ken"])
  func `refuses what cannot be a token without showing it`(token: String) {
    let configuration = ReadeckConfiguration(url: "https://h", token: Secret(token))
    let error = #expect(throws: AdapterError.self) { try ReadeckAdapter.access(configuration) }
    #expect(error?.code == .configuration)
    #expect(error?.message.hasPrefix("READECK_TOKEN") == true)
    #expect(token.count < 3 || error?.message.contains(token) == false)
  }

  @Test func `decodes a configuration file`() throws {
    let json = """
      {"url":"https://h/r","token":"t","state":"unread","labels":["a b"],"type":["photo"],
       "headers":{"X-Key":"k","A":"1"},"caFile":"/ca.pem","requestsPerSecond":2.5,
       "onlyHighlighted":true}
      """
    let configuration = try JSONDecoder().decode(
      ReadeckConfiguration.self, from: Data(json.utf8))
    let access = try ReadeckAdapter.access(configuration)
    #expect(access.headers.fields.map(\.name) == ["A", "X-Key"])
    #expect(access.caFile == "/ca.pem")
    #expect(access.requestsPerSecond == 2.5)
    #expect(try BookmarkFilter(configuration).onlyHighlighted)
  }

  @Test func `has a setting for every member of the configuration`() {
    let keys = ReadeckAdapter.properties.settings.map(\.key)
    let members = Mirror(reflecting: ReadeckConfiguration(url: "", token: Secret("")))
      .children.compactMap(\.label)
    #expect(Set(keys) == Set(members))
  }
}
