import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverEPUB
@testable import ArchiverExport

/// Addresses in web archives, in the form in which replay programs look them up.
@Suite struct ReplayAddressTests {
  @Test(arguments: [
    ("b%c3%bccher.example", "xn--bcher-kva.example"),
    ("www.MA%C3%91ANA.com", "www.xn--maana-pta.com"),
    ("%E4%BE%8B%E3%81%88%E3%80%82jp", "xn--r8jz45g.jp"),
    ("%d0%bf%d1%80%d0%b0%d0%b2%d0%b4%d0%b0.%D1%80%D1%84", "xn--80aafi6cg.xn--p1ai"),
    ("%f0%9f%92%a9.la", "xn--ls8h.la"),
    ("Example.ORG", "Example.ORG"), ("[2001:db8::1]", "[2001:db8::1]"), ("a%ff.org", "a%ff.org"),
    ("a%20b", "a%20b"),
  ])
  func `a host has the form of IDNA, or stays as it is`(host: String, ascii: String) {
    #expect(ReplayHost.ascii(host) == ascii)
  }

  @Test func `a label of any length is bounded`() {
    let long = String(repeating: "%c3%bc", count: 100_000) + ".example"
    #expect(ReplayHost.ascii(long) == long)
    let borderline = String(repeating: "%f0%9f%92%a9a", count: 31) + ".example"
    #expect(ReplayHost.ascii(borderline) == borderline)
  }

  @Test(arguments: ["M\u{FC}nchen", "m%c3%bcnchen", "xn--mnchen-3ya"])
  func `a page at a host with other letters than ASCII's is found by its address`(
    name: String
  ) throws {
    let shelf = try Shelf()
    try shelf.put("a", title: "A", html: "<p>One</p>") { item in
      item.metadata.url = "https://www.\(name).example:8443/a?b=1#c"
    }
    let path = shelf.home + "/a.wacz"
    _ = try WebArchiveExport.write(
      shelf.items, root: shelf.root, title: "All", software: "archiver tests", to: path)
    let zip = try ZipArchive(path: path, limits: EPUBLimits())
    let index = try GZip.expanded(
      try #require(try zip.text("indexes/index.cdx.gz")), limit: 1 << 20)
    let lines = String(decoding: index, as: UTF8.self)
    let address = "https://www.xn--mnchen-3ya.example:8443/a?b=1"
    #expect(lines.hasPrefix("example,xn--mnchen-3ya:8443)/a?b=1 "))
    #expect(lines.contains("\"url\":\"\(address)\""))
    let pages = String(
      decoding: try #require(try zip.text("pages/pages.jsonl")), as: UTF8.self)
    #expect(pages.contains("\"url\":\"\(address)\""))
  }
}
