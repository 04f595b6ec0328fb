import ArchiverCore
import Testing

@testable import ArchiverTransport

// Forms of `Set-Cookie` that servers send besides the usual one (RFC 6265 section 5.2).
extension CookieTests {
  @Test(arguments: ["n=1;", "n=1;;", "n=1; ;Path=/;", "n=1;=2;", "n=1; Secure;;", "n=1;Max-Age=9;"])
  func `an attribute without a name has no effect`(field: String) throws {
    #expect(try sent([field]) == "n=1")
  }

  @Test(arguments: ["n\t=\t1\t", "n \t= \t1 \t", "n=1\t; Secure", "n=1; Path=/x\t", "\tn=1\t \t;"])
  func `tabs around a name and a value are ignored like spaces`(field: String) throws {
    #expect(try sent([field]) == "n=1")
    #expect(try sent([field], to: "https://a.b.example/") == nil)
  }

  @Test(arguments: ["https://a.b.example/y", "https://a.b.example/", "https://a.b.example/?q=/"])
  func `the default path of a page at the top is that of a cookie for all pages`(
    origin: String
  ) throws {
    let fields = ["n=1", "n=2; Path=/"]
    #expect(try sent(fields, from: origin) == "n=2")
    #expect(try sent(fields.reversed(), from: origin) == "n=1")
  }
}
