import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// The sizes and the encodings of XML documents.
@Suite struct XMLInputLimitTests {
  @Test func `a document has at most 64 MB by default`() {
    #expect(XMLLimits().inputBytes == 64_000_000)
  }

  @Test func `the libraries have their versions`() throws {
    let versions = MarkupLibraries.versions
    try #require(versions.count == 2)
    #expect(versions[0].hasPrefix("libxml2/2."))
    #expect(versions[1].wholeMatch(of: /PCRE2\/10\.[0-9]+[A-Za-z0-9.-]*/) != nil, "\(versions)")
  }

  private static func refusal(_ bytes: [UInt8]) -> MarkupError.Code? {
    do throws(MarkupError) {
      try AttributeCount.check(bytes)
      return nil
    } catch {
      return error.code
    }
  }

  /// Returns a tag with many attributes in a large document.
  private static func element(_ attributes: Int) -> [UInt8] {
    let list = (0..<attributes).map { " a\($0)=''" }.joined()
    return Array("<a\(list)>\(String(repeating: "x", count: 64_000))</a>".utf8)
  }

  @Test func `only a zero among the first four bytes tells units of several bytes`() {
    let zero: [UInt8] = [0]
    #expect(Self.refusal(Array("<r> ".utf8) + zero + Self.element(501)) == .tooManyNodes)
    #expect(Self.refusal(Array("<r> ".utf8) + zero + Self.element(500)) == nil)
  }

  @Test(
    arguments: [
      ("<?xml encoding='UTF-7' x='encoding=utf-8'?>", .malformed),
      ("<?xml encoding='utf-8' x='encoding=UTF-7'?>", nil), ("<a encoding='UTF-7'>", nil),
    ] as [(String, MarkupError.Code?)])
  func `the first encoding of the declaration is that of the document`(
    start: String, code: MarkupError.Code?
  ) {
    #expect(Self.refusal(Array(start.utf8) + Self.element(1)) == code)
  }

  @Test func `a document without its entities has at most 20 MB`() {
    let value = String(repeating: "x", count: 65_536)
    let start = "<!DOCTYPE a [<!ENTITY e \"\(value)\">]>"
    func expanded(_ references: Int, _ further: String = "") -> Int? {
      let content = String(repeating: "&e;", count: references) + further
      return XMLEntities.expanded(Array((start + content).utf8))?.count
    }
    #expect(expanded(320) == 20 << 20)
    #expect(expanded(320, "x") == nil)
    #expect(expanded(321) == nil)
  }

  @Test(arguments: [(100, true), (101, false)])
  func `a reference has a name of at most 100 bytes`(size: Int, isReplaced: Bool) throws {
    let name = String(repeating: "a", count: size)
    let document = "<!DOCTYPE a [<!ENTITY \(name) 'x'>]>&\(name);"
    let expanded = XMLEntities.expanded(Array(document.utf8)).map { text($0) }
    #expect(expanded == (isReplaced ? "x" : "&\(name);"))
    // In a page, a longer reference to what nothing declares is not text.
    let page = try XHTMLDocument.parse(Array("<p>&\(name);</p>".utf8))
    #expect(page.isWellFormed == isReplaced)
  }

  @Test(arguments: ["&a0;&a9;&z;&Z;&A;", "&À;", "&é1;", "&a:b;", "&_.-;"])
  func `a reference to what nothing declares is text`(words: String) throws {
    let page = try XHTMLDocument.parse(Array("<p>\(words)</p>".utf8))
    #expect(page.isWellFormed)
    #expect(page.document.root?.text == words)
  }

  @Test(arguments: ["<p>a &x b</p>", "<p>&a/;</p>", "<p>&9a;</p>", "<p>&.a;</p>"])
  func `a page with an ampersand that begins no reference is read as HTML`(page: String) throws {
    #expect(try !XHTMLDocument.parse(Array(page.utf8)).isWellFormed)
  }

  @Test func `an attribute that occurs twice has its first value`() {
    let element = ContentElement(name: "p", attributes: [("a", "1"), ("b", "2"), ("a", "3")])
    #expect(element["a"] == "1")
    #expect(element["b"] == "2")
  }
}
