import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// The limits of XML, and what is done to it before and after it is parsed.
@Suite struct XMLBoundaryTests {
  private static func root(_ xml: String) throws -> XMLElement {
    try #require(try XMLDocument(Array(xml.utf8)).root)
  }

  @Test func `an element knows what is around it, inside it and beside it`() throws {
    let root = try Self.root("<a><b>1<c/><!-- 2 -->3<d><e/></d></b><f/></a>")
    let b = try #require(root.child("b"))
    #expect(root.parent == nil)
    #expect(b.parent == root)
    #expect(b.parent?.children.last?.name == "f")
    #expect(b.descendants.map(\.name) == ["c", "d", "e"])
    #expect(root.descendants.map(\.name) == ["b", "c", "d", "e", "f"])
    #expect(b.descendants("e").count == 1 && b.descendants("f").isEmpty)
    #expect(Set(root.children + [b]).count == 2)
    #expect(root.children("b") == [b] && root.child("f") != b)
    let contents = b.contents.map { content -> String in
      switch content {
      case .element(let element): element.name
      case .text(let text): text
      }
    }
    #expect(contents == ["1", "c", "3", "d"])
  }

  @Test func `an element's attributes are found with and without their namespaces`() throws {
    let root = try Self.root("<a xmlns:p='u:p' xmlns:q='u:q' b='1' p:b='2' q:c='3' d=''/>")
    #expect(root.attributes.map(\.name) == ["b", "b", "c", "d"])
    #expect(root.attributes.map(\.namespace) == [nil, "u:p", "u:q", nil])
    #expect(root.attributes.map(\.value) == ["1", "2", "3", ""])
    #expect(root.attribute("b") == "1" && root.attribute("b", namespace: "u:p") == "2")
    #expect(root.attribute("c") == nil && root.attribute("d")?.isEmpty == true)
    #expect(root.attribute(inAnyNamespace: "b") == "1")
    #expect(root.attribute(inAnyNamespace: "c") == "3")
    #expect(root.attribute(inAnyNamespace: "e") == nil)
    #expect(root.hasAttributes)
    #expect(try !Self.root("<a/>").hasAttributes)
  }

  @Test func `elements with a name are told apart by their namespaces`() throws {
    let root = try Self.root("<a xmlns:p='u:p'><b>1</b><p:b>2</p:b><c><p:b>3</p:b></c></a>")
    #expect(root.children("b").map(\.text) == ["1", "2"])
    #expect(root.children("b", namespace: "u:p").map(\.text) == ["2"])
    #expect(root.child("b", namespace: "u:p")?.text == "2")
    #expect(root.descendants("b", namespace: "u:p").map(\.text) == ["2", "3"])
    #expect(root.children("b", namespace: "u:q").isEmpty)
  }

  @Test func `a document is as large as the limit or refused`() throws {
    var limits = XMLLimits()
    limits.inputBytes = 4
    #expect(try XMLDocument(Array("<a/>".utf8), limits: limits).root?.name == "a")
    for bytes in [Array("<a />".utf8), Array("<abc/>".utf8)] {
      do throws(MarkupError) {
        _ = try XMLDocument(bytes, limits: limits)
        Issue.record("it was accepted")
      } catch {
        #expect(error.code == .tooLarge)
      }
    }
  }

  @Test(arguments: [
    ("<a><b><c>x</c></b></a>", 2, "<a><b>x</b></a>"), ("<a><b><c/></b></a>", 2, "<a><b></b></a>"),
    ("<a><b><c/></b></a>", 3, "<a><b><c/></b></a>"), ("<a><b/></a><b/>", 1, "<a></a><b/>"),
    ("<a><b/><b>x</b></a><c>y</c>", 2, "<a><b/><b>x</b></a><c>y</c>"),
    ("</x><a><b>y</b></a>", 1, "</x><a>y</a>"),
    // Tags in comments, sections, instructions and values are none.
    ("<a><!-- <b> --><b>x</b></a>", 1, "<a><!-- <b> -->x</a>"),
    ("<a><![CDATA[<b>]]><?p <b>?><b>x</b></a>", 1, "<a><![CDATA[<b>]]><?p <b>?>x</a>"),
    ("<!DOCTYPE a><a><b t='/>' u=\">'\">x</b></a>", 1, "<!DOCTYPE a><a>x</a>"),
    ("<a t='>'><b t='>'/>x</a>", 1, "<a t='>'>x</a>"),
    // What does not end is left as it is.
    ("<a><b>x<c", 1, "<a>x<c"), ("<a><!-- <b>", 1, "<a><!-- <b>"), ("<a t='>", 1, "<a t='>"),
    ("x", 1, "x"), ("", 1, ""), ("<", 1, "<"),
  ])
  func `tags below a depth are left out, their content stays`(
    xml: String, deepest: Int, expected: String
  ) {
    #expect(text(FlattenedXML.bytes(Array(xml.utf8), deepest: deepest)) == expected)
  }
}

/// Tags with too many attributes, which cost a parser quadratic time.
@Suite struct AttributeCountBoundaryTests {
  /// A document with a number of attributes in its second tag, and of a size in bytes.
  private static func xml(
    _ attributes: Int, _ size: Int = 70_000, start: String = "", quote: String = "\""
  ) -> String {
    let list = (0..<attributes).map { " a\($0)=\(quote)>\(quote)" }.joined()
    let document = "\(start)<r><b c='1' d=\"'\"/><a\(list)>"
    return document + String(repeating: "x", count: max(0, size - document.utf8.count - 8))
      + "</a></r>"
  }

  private static func refusal(_ bytes: [UInt8]) -> MarkupError.Code? {
    do throws(MarkupError) {
      try AttributeCount.check(bytes)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(arguments: ["\"", "'"])
  func `a tag has at most 500 attributes`(quote: String) {
    #expect(Self.refusal(Array(Self.xml(500, quote: quote).utf8)) == nil)
    #expect(Self.refusal(Array(Self.xml(501, quote: quote).utf8)) == .tooManyNodes)
    let twice = Self.xml(400, quote: quote)
    #expect(Self.refusal(Array((twice + twice).utf8)) == nil, "each tag counts for itself")
  }

  @Test func `a document of 64,000 bytes is harmless`() {
    let (small, large) = (Self.xml(501, 64_000), Self.xml(501, 64_001))
    #expect(small.utf8.count == 64_000 && large.utf8.count == 64_001)
    #expect(Self.refusal(Array(small.utf8)) == nil)
    #expect(Self.refusal(Array(large.utf8)) == .tooManyNodes)
  }

  /// The bytes of ASCII text in units of two or four bytes.
  private static func units(_ text: String, _ width: Int, isBig: Bool, mark: Bool) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: width - 1)
    func unit(_ byte: UInt8) -> [UInt8] { isBig ? zeros + [byte] : [byte] + zeros }
    let pad = [UInt8](repeating: 0, count: width - 2)
    let start: [UInt8] = mark ? (isBig ? pad + [0xFE, 0xFF] : [0xFF, 0xFE] + pad) : []
    return start + text.utf8.flatMap(unit)
  }

  @Test(arguments: [2, 4], [true, false])
  func `attributes are counted in units of two and four bytes as well`(width: Int, isBig: Bool) {
    for mark in [true, false] {
      let (few, many) = (Self.xml(500), Self.xml(501))
      #expect(Self.refusal(Self.units(few, width, isBig: isBig, mark: mark)) == nil)
      #expect(Self.refusal(Self.units(many, width, isBig: isBig, mark: mark)) == .tooManyNodes)
    }
  }

  @Test(
    arguments: [
      ("", nil), ("<?xml version='1.0'?>", nil), ("<?xml encoding='UTF-8'?>", nil),
      ("<?xml encoding=\"windows-1252\"?>", nil), ("<?xml encoding='EUC-JP'?>", nil),
      ("<?xml encoding='UTF-7'?>", .malformed), ("<?xml encoding='IBM037'?>", .malformed),
      // Without markup at the beginning it is in an encoding of which nothing is known.
      (String(repeating: " ", count: 511), nil), (String(repeating: " ", count: 512), .malformed),
    ] as [(String, MarkupError.Code?)])
  func `the attributes of a large document can be counted in its encoding or it is refused`(
    start: String, code: MarkupError.Code?
  ) {
    #expect(Self.refusal(Array(Self.xml(1, start: start).utf8)) == code)
  }
}
