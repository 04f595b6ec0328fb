import ArchiverCore
import Testing

@testable import ArchiverStorage

struct LinkAddressTests {
  private func address(_ text: String) throws -> String {
    LinkAddress(try #require(WebURL(text))).text
  }

  @Test(arguments: [
    "http://a.example/page", "https://www.a.example/page", "https://a.example/page/",
    "https://a.example/page//", "https://a.example/page#part", "https://a.example/page?",
    "https://a.example/page?utm_source=x", "https://a.example/page?fbclid=x&gclid=y",
    "https://a.example/page?mc_cid=x&mc_eid&utm_=",
  ])
  func `an address is the same however it is reached`(_ text: String) throws {
    #expect(try address(text) == "//a.example/page")
  }

  @Test func `whatever may lead elsewhere makes another address`() throws {
    let texts = [
      "https://a.example/", "https://a.example/page", "https://a.example/Page",
      "https://b.a.example/page", "https://a.example:8443/page", "https://a.example/page?id=1",
      "https://a.example/page?id=2", "https://a.example/page?id=1&part=2",
      "https://a.example/page?my_utm_source=1", "https://a.example/page?fbclids=1",
      "https://www.example/page", "https://example/page",
    ]
    let addresses = try Set(texts.map(address))
    #expect(addresses.count == texts.count)
    #expect(addresses.contains("//www.example/page"), "a host of two labels keeps its first")
    #expect(addresses.contains("//a.example:8443/page"))
    #expect(
      try address("https://a.example/page?utm_source=x&id=1&fbclid=y&part=2")
        == "//a.example/page?id=1&part=2")
    #expect(Set(try texts.map { try LinkAddress(#require(WebURL($0))).key }).count == texts.count)
  }
}
