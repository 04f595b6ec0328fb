import Testing

@testable import ArchiverMarkup

/// Addresses of images in attributes that only a page's own script reads.
@Suite struct LazyImageAddressTests {
  @Test(
    arguments: sides(
      of: #"""
        data-x-srcset='s.png 300w' => srcset="/s.png 300w" alt=""
        data-x='i/s.png, i/t.png 2x' => srcset="/i/s.png 1.0x, /i/t.png 2.0x" alt=""
        data-x='url("i/b.png")' => data-src="/i/b.png" alt=""
        data-x=i/b.png => data-src="/i/b.png" alt=""
        data-ll-src=l.png => data-src="/l.png" alt=""
        data-x=l.png => src="/blank.gif" alt=""
        data-my-url=/ => src="/blank.gif" alt=""
        data-my-url=https://e.org/p => data-src="https://e.org/p" alt=""
        my-url=https://e.org/p => src="/blank.gif" alt=""
        data-my-link=https://e.org/p => src="/blank.gif" alt=""
        data-a='' data-b=/c/d.png => data-src="https://example.org/c/d.png" alt=""
        """#))
  func `a placeholder gives way to an address in any attribute`(
    attribute: String, expected: String
  ) throws {
    let shown = try canonical("<img src=blank.gif \(attribute) >")
    #expect(shown.replacing("https://example.org/dir/", with: "/") == "<img \(expected)>")
  }

  private static func found(_ value: String, _ name: String = "data-x") -> String? {
    LazySource.find(HTMLAttributes([(name, value)]))?.value
  }

  @Test func `an address has less than 4,096 bytes`() {
    func address(_ size: Int) -> String { "/" + String(repeating: "a", count: size - 5) + ".png" }
    #expect(Self.found(address(4_095)) == address(4_095))
    #expect(Self.found(address(4_096)) == nil)
  }

  @Test func `a value that has an address inside has less than 65,536 bytes`() {
    func value(_ size: Int) -> String {
      "['/a.png']" + String(repeating: " ", count: size - "['/a.png']".utf8.count)
    }
    #expect(Self.found(value(65_535)) == "/a.png")
    #expect(Self.found(value(65_536)) == nil)
  }

  @Test(
    arguments: [
      ("data-x", "/a.png", false), ("data-set", "/a.png", true),
      ("data-x", "/a.png, /b.png 2x", true), ("data-x", "{'src':'/a.png'}", false),
      ("data-x", "[/a.png, small], [/b.png, large]", false), ("data-x", "/a.png?b=c", false),
    ] as [(String, String, Bool)])
  func `a set is known by its name or its commas`(name: String, value: String, isSet: Bool) {
    #expect(LazySource.find(HTMLAttributes([(name, value)]))?.isSet == isSet)
  }

  @Test(
    arguments: [
      ("/a.png", "/a.png"), ("/a.PNG?b#c", "/a.PNG?b#c"), ("/a.png#.txt", "/a.png#.txt"),
      ("/a.txt?.png", nil), ("/a.png,", "/a.png,"), ("/a.png,,", "/a.png,,"), ("a.png", nil),
      ("{a.png", nil), ("url(/b.png)", "/b.png"), ("(/b.png)", nil),
      ("['/b.png','/d.png']", "/b.png"), ("", nil),
      (" ", nil), ("words", nil),
    ] as [(String, String?)])
  func `only what can be the address of an image is one`(value: String, expected: String?) {
    #expect(Self.found(value) == expected)
  }

  @Test func `the first address of the first attribute that has one is found`() {
    let attributes = HTMLAttributes([
      ("src", "/0.png"), ("data-a", "words"), ("data-b", "/1.png"), ("data-c", "/2.png"),
    ])
    #expect(LazySource.find(attributes)?.value == "/1.png")
  }
}
