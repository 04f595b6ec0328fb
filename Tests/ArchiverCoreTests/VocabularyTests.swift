import ArchiverCore
import Testing

@Suite struct VocabularyTests {
  @Test func `a secret never prints itself`() throws {
    let secret = Secret("s3cr3t-value")
    var dumped = ""
    dump(secret, to: &dumped)
    for text in [
      "\(secret)", String(reflecting: secret), dumped, "\([secret])", "\(["k": secret])",
    ] {
      #expect(!text.contains("s3cr3t-value"))
      #expect(text.contains("redacted") || text == dumped)
    }
    #expect(try JSONDecoder().decode(Secret.self, from: Data(#""abc""#.utf8)).reveal() == "abc")
  }

  @Test func `a credential does not print its secret`() {
    let credentials: [Credential] = [
      .bearer(Secret("hidden")), .basic(user: "u", password: Secret("hidden")),
      .negotiated(user: "u", password: Secret("hidden")),
    ]
    for credential in credentials { #expect(!"\(credential)".contains("hidden")) }
  }

  @Test func `header names compare without case`() {
    var headers: HTTPHeaders = ["Content-Type": "text/html"]
    headers.append("Link", "<a>; rel=next")
    headers.append("link", "<b>; rel=last")
    #expect(headers["content-TYPE"] == "text/html")
    #expect(headers.values("LINK") == ["<a>; rel=next", "<b>; rel=last"])
    headers["link"] = "<c>"
    #expect(headers.values("Link") == ["<c>"])
    headers["Link"] = nil
    #expect(headers.fields.count == 1)
  }

  @Test(arguments: [
    ("nas.local", "http://nas.local/x", true), ("nas.local", "https://nas.local:8443/", true),
    ("nas.local:8000", "http://nas.local:8000/", true),
    ("nas.local:8000", "http://nas.local/", false),
    ("NAS.local", "http://nas.local/", true), ("[::1]:81", "http://[::1]:81/", true),
    ("[::1]", "http://[::1]:99/", true), ("nas.local:80", "http://nas.local/", true),
    ("nas.local", "http://evil.nas.local/", false),
  ])
  func `an allowed host covers its port or all`(text: String, url: String, allowed: Bool) throws {
    let host = try #require(AddressPolicy.AllowedHost(text))
    let policy = AddressPolicy(hosts: [host])
    let origin = try #require(WebURL(url)).origin
    #expect(policy.allowsPrivateAddress(for: origin) == allowed)
  }

  @Test(arguments: [
    "", "a b/c", "http://x", "x/y", "user@host", "host:port", "host:99999", "a b", "a%20b", "a?b",
    "a#b", "a,b",
  ])
  func `an allowed host must be a host`(text: String) {
    #expect(AddressPolicy.AllowedHost(text) == nil)
  }

  @Test func `the media type leaves its parameters`() throws {
    let url = try #require(WebURL("http://example.org/"))
    func type(_ field: String?) -> String {
      var headers = HTTPHeaders()
      headers["content-type"] = field
      return HTTPResponse(head: HTTPResponseHead(status: 200, headers: headers, url: url)).mediaType
    }
    #expect(type("Text/HTML; charset=utf-8") == "text/html")
    #expect(type(" image/png ") == "image/png")
    #expect(type(nil) == "")
  }

  @Test func `JSON of any shape survives a round trip`() throws {
    let text = #"{"a":[1,2.5,"x",null,true],"b":{"c":-9007199254740993},"d":[]}"#
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(value["a"]?[0]?.integer == 1)
    #expect(value["a"]?[1]?.number == 2.5)
    #expect(value["a"]?[1]?.integer == nil)
    #expect(value["a"]?[3]?.isNull == true)
    #expect(value["a"]?[4]?.bool == true)
    #expect(value["a"]?[9] == nil)
    #expect(value["b"]?["c"]?.integer == -9_007_199_254_740_993)
    let encoded = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: encoded) == value)
  }

  @Test func `a paged listing starts from its initial state each time`() async throws {
    let listing = PagedListing(0) { (state: inout Int) throws(AdapterError) in
      state += 1
      return state > 3 ? nil : ListingPage(total: state)
    }
    for _ in 0..<2 {
      var totals: [Int?] = []
      for try await page in listing { totals.append(page.total) }
      #expect(totals == [1, 2, 3])
    }
  }
}
