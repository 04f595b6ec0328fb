import Testing

@testable import ArchiverMarkup

/// The names of elements, their numbers and their categories in the standard.
@Suite struct HTMLNameTests {
  /// Returns the names of a list in the order of the alphabet.
  private static func names(_ list: String) -> [String] {
    list.split(whereSeparator: \.isWhitespace).map(String.init).sorted()
  }

  private static func tags(where isIncluded: (HTMLTag) -> Bool) -> [String] {
    HTMLTag.allCases.filter(isIncluded).map(\.name).sorted()
  }

  @Test func `the special elements are those of the standard`() {
    let special = """
      address applet area article aside base basefont bgsound blockquote body br button caption
      center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form
      frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link
      listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre
      script search section select source style summary table tbody td template textarea tfoot th
      thead title tr track ul wbr xmp
      """
    #expect(Self.tags(where: \.isSpecial) == Self.names(special))
  }

  @Test func `elements end scopes and have implied ends as the standard says`() {
    let scopes = "applet caption html table td th marquee object select template"
    #expect(Self.tags(where: \.isScopeMarker) == Self.names(scopes))
    let implied = "dd dt li optgroup option p rb rp rt rtc"
    #expect(Self.tags(where: \.hasImpliedEnd) == Self.names(implied))
    let thorough = implied + " caption colgroup tbody td tfoot th thead tr"
    #expect(Self.tags(where: \.hasThoroughlyImpliedEnd) == Self.names(thorough))
  }

  @Test func `headings, parts of tables and the ends of foreign content are the standard's`() {
    #expect(Self.tags(where: \.isHeading) == Self.names("h1 h2 h3 h4 h5 h6"))
    #expect(Self.tags(where: \.isTablePart) == Self.names("table tbody tfoot thead tr"))
    let leaving = """
      b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
      listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
      """
    #expect(Self.tags(where: \.leavesForeignContent) == Self.names(leaving))
  }

  @Test func `a name with rules has the number of its tag, another one is other`() {
    for tag in HTMLTag.allCases {
      let name = Int32(tag.rawValue)
      #expect(HTMLTag(name: name) == tag)
      #expect(HTMLNames.known.string(name) == (tag == .other ? "" : tag.name))
    }
    let count = Int32(HTMLTag.allCases.count)
    #expect(HTMLNames.known.count == HTMLTag.allCases.count)
    for name in [count, count + 1, 256, 257, Int32.max] {
      #expect(HTMLTag(name: name) == .other)
    }
    #expect(HTMLTag.annotationXML.name == "annotation-xml")
    #expect(HTMLTag.var.name == "var" && HTMLTag.h1.name == "h1")
  }

  @Test func `each name has one number, however many there are`() {
    var names = HTMLNames.known
    let known = names.count
    let few: [String] = ["", "a", "ab", "ba", "xx", "x-1", "é"]
    let texts: [String] = (0..<3_000).map { "x\($0)" } + few
    let first = texts.map { names.id(Array($0.utf8)) }
    let again = texts.map { names.id(Array($0.utf8)) }
    #expect(first == again)
    #expect(Set(first).count == texts.count)
    #expect(first.map { names.string($0) } == texts)
    // The empty name and `a` were known before.
    #expect(names.count == known + texts.count - 2)
    for tag in HTMLTag.allCases where tag != .other {
      #expect(names.id(Array(tag.name.utf8)) == Int32(tag.rawValue))
    }
  }

  @Test(
    arguments: [
      ("title", "title>", 0, 5), ("title", "</TiTlE", 2, 7), ("title", "titl", 0, 0),
      ("title", "titlf", 0, 0), ("title", "xitle", 0, 0), ("title", "title", 1, 0),
      ("az", "AZ", 0, 2), ("az", "aZ!", 0, 2), ("a@", "A@", 0, 2), ("a@", "a`", 0, 0),
      ("a[", "A[", 0, 2), ("a{", "a[", 0, 0), ("a`", "a@", 0, 0), ("a1", "a1", 0, 2),
      ("a1", "a\u{11}", 0, 0),
    ] as [(String, String, Int, Int)])
  func `a name in the input matches without regard to case`(
    name: String, input: String, index: Int, end: Int
  ) {
    var names = HTMLNames.known
    let id = names.id(Array(name.utf8))
    let found = Array(input.utf8).withUnsafeBufferPointer { names.match(id, $0, at: index) }
    #expect(found == end)
  }

  @Test func `an open element is of its namespace and category`() {
    func kind(_ tag: HTMLTag, _ namespace: HTMLNamespace = .html) -> HTMLOpenKind {
      HTMLOpenKind(HTMLNode(kind: .element, namespace: namespace, tag: tag))
    }
    for tag in HTMLTag.allCases {
      let html = kind(tag)
      #expect(html.isHTML && html.tag == tag && html.isHTML(tag))
      #expect(html.isSpecial == tag.isSpecial && html.isScopeMarker == tag.isScopeMarker)
      #expect(!html.isHTML(tag == .p ? .div : .p))
      let isInSVG = [HTMLTag.foreignobject, .desc, .title].contains(tag)
      let isInMathML = [HTMLTag.mi, .mo, .mn, .ms, .mtext, .annotationXML].contains(tag)
      for (other, isMarker) in [(kind(tag, .svg), isInSVG), (kind(tag, .mathML), isInMathML)] {
        #expect(!other.isHTML && other.tag == tag && !other.isHTML(tag))
        #expect(other.isSpecial == isMarker && other.isScopeMarker == isMarker)
      }
    }
  }

  @Test func `an attribute is found by its name`() {
    let attributes = HTMLAttributes([("a", "1"), ("b", ""), ("c", "3")])
    #expect(attributes["a"] == "1" && attributes["b"] == "" && attributes["c"] == "3")
    #expect(attributes["d"] == nil && attributes["A"] == nil)
    #expect(HTMLAttributes()["a"] == nil)
  }
}
