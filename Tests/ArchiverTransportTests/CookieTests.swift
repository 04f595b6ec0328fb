import ArchiverCore
import Testing

@testable import ArchiverTransport

/// Which cookies of a chain of redirects are sent where (RFC 6265).
struct CookieTests {
  func sent(
    _ fields: [String], from origin: String = "https://a.b.example/x/y",
    to target: String = "https://a.b.example/x"
  ) throws -> String? {
    let (origin, target) = (try #require(WebURL(origin)), try #require(WebURL(target)))
    var headers = HTTPHeaders()
    for field in fields { headers.append("Set-Cookie", field) }
    var cookies = RedirectCookies()
    cookies.take(
      HTTPResponse(head: HTTPResponseHead(status: 302, headers: headers, url: origin)),
      from: origin)
    return cookies.field(for: target)
  }

  @Test(arguments: [
    ("n=1", "https://a.b.example/x/", true), ("n=1", "https://c.a.b.example/x/", false),
    ("n=1; Domain=a.b.example", "https://c.a.b.example/x/", true),
    ("n=1; Domain=.b.example", "https://b.example/x/", true),
    ("n=1; domain=B.EXAMPLE", "https://c.b.example/x/", true),
    ("n=1; Domain=b.example", "https://xb.example/x/", false),
    ("n=1; Domain=c.example", "https://a.b.example/x/", false),
    ("n=1; Domain=example", "https://a.b.example/x/", false),
    ("n=1; Domain=", "https://a.b.example/x/", true),
  ])
  func `a cookie goes to its host, or to all of its domain`(
    field: String, target: String, isSent: Bool
  ) throws {
    #expect(try sent([field], to: target) == (isSent ? "n=1" : nil))
  }

  @Test func `an address has no domain, and a host without a dot only itself`() throws {
    let local = "http://127.0.0.1/x/y"
    #expect(try sent(["n=1; Domain=0.0.1"], from: local, to: local) == nil)
    #expect(try sent(["n=1; Domain=127.0.0.1"], from: local, to: local) == "n=1")
    let host = "http://localhost/"
    #expect(try sent(["n=1; Domain=localhost"], from: host, to: host) == "n=1")
  }

  @Test(arguments: [
    ("n=1", "/x", true), ("n=1", "/x/z", true), ("n=1", "/xy", false), ("n=1", "/", false),
    ("n=1; Path=/", "/", true), ("n=1; Path=/", "", true), ("n=1; Path=/x/y/", "/x/y/z", true),
    ("n=1; Path=/x/y/", "/x/y", false), ("n=1; Path=/x/y", "/x/y", true),
    ("n=1; Path=x", "/x", true), ("n=1; Path=/a; Path=/", "/", true),
  ])
  func `a cookie goes to its path and below`(field: String, path: String, isSent: Bool) throws {
    #expect(try sent([field], to: "https://a.b.example" + path) == (isSent ? "n=1" : nil))
  }

  @Test(arguments: ["https://a.b.example/y", "https://a.b.example/", "https://a.b.example"])
  func `a cookie of a page at the top goes everywhere`(origin: String) throws {
    #expect(try sent(["n=1"], from: origin, to: "https://a.b.example/z/z") == "n=1")
  }

  @Test func `a secure cookie is not sent in the clear`() throws {
    for field in ["n=1; Secure", "n=1; SECURE; Path=/"] {
      #expect(try sent([field], to: "https://a.b.example/x") == "n=1")
      #expect(try sent([field], to: "http://a.b.example/x") == nil)
    }
    #expect(try sent(["n=1"], to: "http://a.b.example/x") == "n=1")
  }

  @Test func `a later cookie replaces one of its name, domain and path`() throws {
    let target = "https://a.b.example/x/y"
    #expect(try sent(["n=1", "m=2", "n=3"], to: target) == "m=2; n=3")
    #expect(try sent(["n=1", "n=2; Path=/"], to: target) == "n=1; n=2", "the longer path first")
    #expect(try sent(["n=1", "n=2; Domain=b.example"], to: target) == "n=1; n=2")
    for age in ["0", "-1"] { #expect(try sent(["n=1", "n=2; Max-Age=\(age)"], to: target) == nil) }
    for age in ["1", "x", ""] {
      #expect(try sent(["n=1", "n=2; Max-Age=\(age)"], to: target) == "n=2")
    }
  }

  @Test func `spaces around a name and a value are no part of them`() throws {
    let target = "https://a.b.example/x"
    #expect(try sent([" \tn = 1 2 ;Secure"], to: target) == "n=1 2")
    #expect(try sent(["=1"], to: target) == "1")
    #expect(try sent(["n=a=b"], to: target) == "n=a=b")
    for field in ["n", "", "; Path=/"] { #expect(try sent([field], to: target) == nil) }
  }

  @Test func `a server can make neither many cookies nor long ones`() throws {
    let target = "https://a.b.example/x"
    let many = try #require(try sent((0..<60).map { "n\($0)=1" }, to: target))
    #expect(many.split(separator: ";").count == 50)
    func field(_ count: Int) -> String { "n=" + String(repeating: "x", count: count - 2) }
    #expect(try sent([field(4_096)], to: target) == field(4_096))
    #expect(try sent([field(4_097)], to: target) == nil)
  }
}
