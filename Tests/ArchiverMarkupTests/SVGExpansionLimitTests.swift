import ArchiverMarkup
import Testing

/// The number of elements that are drawn for an SVG image.
@Suite struct SVGExpansionLimitTests {
  private static func isWithinLimit(_ inner: String) throws -> Bool {
    let image = "<svg xmlns=\"http://www.w3.org/2000/svg\">\(inner)</svg>"
    return SVGExpansion.isWithinLimit(try #require(try XMLDocument(Array(image.utf8)).root))
  }

  private static func repeated(_ piece: String, _ count: Int) -> String {
    String(repeating: piece, count: count)
  }

  /// A group of 1,000 elements.
  private static let group = "<g id=\"a\">" + repeated("<path/>", 999) + "</g>"

  @Test(
    arguments: [
      ("", "<use href=\"#a\"/>"), ("", "<g mask=\"url(#a)\"/>"), ("", "<g clip-path=\"url(#a)\"/>"),
      ("", "<path marker=\"url(#a)\"/>"), ("", "<path marker-start=\"url(#a)\"/>"),
      ("", "<path marker-mid=\"url(#a)\"/>"), ("", "<path marker-end=\"url(#a)\"/>"),
      ("", "<g style=\"fill:url(#b);mask:url( '#a' )\"/>"),
      (".c{fill:red;mask:url(#a)}", "<g class=\"b c\"/>"),
    ] as [(String, String)])
  func `100,000 elements are drawn, and not one more`(sheet: String, use: String) throws {
    // The root, the group, and 98 uses that each draw it.
    let drawn = 1 + 1_000 + 98 * 1_001 + (sheet.isEmpty ? 0 : 1)
    let style = sheet.isEmpty ? "" : "<style>\(sheet)</style>"
    func image(_ total: Int) -> String {
      style + Self.group + Self.repeated(use, 98) + Self.repeated("<g/>", total - drawn)
    }
    #expect(try Self.isWithinLimit(image(100_000)))
    #expect(try !Self.isWithinLimit(image(100_001)))
  }

  @Test(arguments: ["d", "points"])
  func `a marker is drawn at every point, of which each takes four bytes`(name: String) throws {
    let path = "<path \(name)=\"\(Self.repeated("1", 43))\" marker-mid=\"url(#a)\"/>"
    // Nine lines of ten points each, and eight uses.
    let drawn = 1 + 1_000 + 9 * (1 + 10 * 1_000) + 8 * 1_001
    func image(_ total: Int) -> String {
      Self.group + Self.repeated(path, 9) + Self.repeated("<use href=\"#a\"/>", 8)
        + Self.repeated("<g/>", total - drawn)
    }
    #expect(try Self.isWithinLimit(image(100_000)))
    #expect(try !Self.isWithinLimit(image(100_001)))
  }

  @Test func `an element that uses itself is drawn once for each use`() throws {
    // The group, and the use with what it draws: the group and the use.
    let own = "<g id=\"s\"><use href=\"#s\"/></g>"
    let drawn = 1 + 4 + 1_000 + 98 * 1_001
    func image(_ total: Int) -> String {
      own + Self.group + Self.repeated("<use href=\"#a\"/>", 98)
        + Self.repeated("<g/>", total - drawn)
    }
    #expect(try Self.isWithinLimit(image(100_000)))
    #expect(try !Self.isWithinLimit(image(100_001)))
  }

  @Test func `a large image may draw four times as many elements as it has`() throws {
    // A use draws itself and four elements.
    let group = "<g id=\"a\"><path/><path/><path/></g>"
    func image(_ further: Int) -> String {
      group + Self.repeated("<use href=\"#a\"/>", 20_001) + Self.repeated("<g/>", further)
    }
    // 26,668 elements draw 106,672.
    #expect(try Self.isWithinLimit(image(6_662)))
    #expect(try !Self.isWithinLimit(image(6_661)))
  }

  @Test(arguments: [
    "<a href=\"#a\"/>", "<pattern href=\"#a\"/>", "<use href=\"xa\"/>", "<use href=\"a#a\"/>",
    "<g mask=\"a\"/>", "<g fill=\"url(#a)\"/>", "<g style=\"fill:url(#a)\"/>", "<g class=\"a\"/>",
  ])
  func `other references are drawn once or not at all`(element: String) throws {
    #expect(try Self.isWithinLimit(Self.group + Self.repeated(element, 200)))
  }

  @Test(
    arguments: [
      (".c{mask:url(#a)}", "<g class=\"c\"/>", false),
      (".c{mask:url(#a)}", "<g class=\"d\"/>", true),
      (".c{mask:url(#a)}", "<g/>", true), (".b,.c{mask:url(#a)}", "<g class=\"c\"/>", false),
      (".c{fill:url(#a)}", "<g class=\"c\"/>", true), (".c{mask:none}", "<g class=\"c\"/>", true),
      // Other selectors count for every element.
      (".c:hover{mask:url(#a)}", "<g/>", false), (".c.d{mask:url(#a)}", "<g/>", false),
      (".c .d{mask:url(#a)}", "<g/>", false), ("g{MASK : url(#a)}", "<g/>", false),
    ] as [(String, String, Bool)])
  func `a rule of a style sheet counts for its class`(
    sheet: String, element: String, isWithin: Bool
  ) throws {
    let image = "<style>\(sheet)</style>" + Self.group + Self.repeated(element, 200)
    #expect(try Self.isWithinLimit(image) == isWithin)
  }
}
