import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// Documents of books and feeds that are not quite XML.
@Suite struct XMLRepairTests {
  @Test(arguments: [
    ("a\u{1}b\u{8}c\u{B}d\u{C}e\u{1F}f", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f"),
    ("a\tb\nc\rd e", "a\tb\nc\rd e"), ("abcd\u{0}", "abcd\u{FFFD}"),
    ("&nbsp;&eacute;&NotEqualTilde;", "&#160;&#233;&#8770;&#824;"),
    ("a & b&", "a &amp; b&amp;"), ("&amp;&lt;&gt;&quot;&apos;", "&amp;&lt;&gt;&quot;&apos;"),
    ("&#65;&#x41;", "&#65;&#x41;"), ("&#;&#x;&#xZ;&#a;", "&amp;#;&amp;#x;&amp;#xZ;&amp;#a;"),
    ("&foo;&amp", "&amp;foo;&amp;amp"), ("&nbsp", "&amp;nbsp"), ("&<b>;", "&amp;<b>;"),
    ("&&amp;", "&amp;&amp;"),
    // In a CDATA section it is text, but a forbidden character is one nowhere.
    ("<![CDATA[a & &nbsp;\u{1}]]>&nbsp;&", "<![CDATA[a & &nbsp;\u{FFFD}]]>&#160;&amp;"),
    ("<![CDATA[<![CDATA[&]]>&<![CDATA[&]]>", "<![CDATA[<![CDATA[&]]>&amp;<![CDATA[&]]>"),
    ("<![CDATA[a & b", "<![CDATA[a & b"), ("<![CDAT[&", "<![CDAT[&amp;"),
    ("\u{FEFF}\u{FEFF}a", "a"), ("<?xml version='1.0'?><a/>", "<?xml version='1.0'?><a/>"),
    ("", ""),
  ])
  func `what a parser would cut off or misread is mended`(xml: String, expected: String) {
    #expect(text(XMLRepair.mended(Array(xml.utf8))) == expected)
  }

  @Test func `a document in another encoding becomes UTF-8, but for units of several bytes`() {
    let latin = Array(" <?xml encoding='iso-8859-1'?><a>".utf8) + [0xE9, 0x26]
    #expect(text(XMLRepair.mended(latin)) == "<a>é&amp;")
    let units: [UInt8] = [0x3C, 0, 0x26, 0]
    #expect(XMLRepair.mended(units) == units)
    #expect(XMLRepair.mended([0xFF, 0xFE] + units) == [0xFF, 0xFE] + units)
  }

  @Test(
    arguments: [
      (Array("<?xml version='1.0'?><p>é</p>".utf8), "<p>é</p>"),
      (Array(" \t\r\n<?xml?>x".utf8), "x"), (Array("<?xml".utf8), "<?xml"),
      (Array("x<?xml?>".utf8), "x<?xml?>"), (Array("\u{FEFF}é".utf8), "é"),
      ([0x80, 0x61, 0xE9], "€aé"),
      // A book with more characters in UTF-8 than invalid ones is in UTF-8.
      (Array("éé".utf8) + [0xFF], "éé\u{FFFD}"), (Array("é".utf8) + [0xFF], "Ã©ÿ"),
      (Array("<?xml encoding='windows-1251'?>".utf8) + [0xE9], "й"),
    ] as [([UInt8], String)])
  func `a page of a book becomes UTF-8 without an XML declaration`(
    bytes: [UInt8], expected: String
  ) {
    #expect(text(XHTMLDocument.utf8(bytes)) == expected)
  }

  @Test(arguments: [
    ("<p>&nbsp;&foo;&amp;<![CDATA[&eacute;]]>&eacute;</p>", "\u{A0}&foo;&&eacute;é"),
    ("<p><![CDATA[&a;]]>&eacute;<![CDATA[&eacute;]]></p>", "&a;é&eacute;"),
    ("<p>&CounterClockwiseContourIntegral;&#65;&x-y.z;&_a;&:b;</p>", "∳A&x-y.z;&_a;&:b;"),
    ("<p>no reference</p>", "no reference"),
    ("<!DOCTYPE p [<!ENTITY a 'b'>]><p>&a;&c;</p>", "b&c;"),
  ])
  func `a page of a book is XML with the names of HTML and of its own`(
    page: String, words: String
  ) throws {
    let found = try XHTMLDocument.parse(Array(page.utf8))
    #expect(found.isWellFormed)
    #expect(found.document.root?.text == words)
  }

  @Test(arguments: [
    "<p>a & b", "<p>a &-b; c</p>", "<p>a &1; b</p>",
    // A document type that ends in another way declares entities that only a parser would replace.
    "<!DOCTYPE p [<!ENTITY a 'b'> ] ><p>&a;</p>",
  ])
  func `a page of a book that is no XML is read as HTML`(page: String) throws {
    #expect(try !XHTMLDocument.parse(Array(page.utf8)).isWellFormed)
  }

  @Test func `a page of a book that is too large is refused, well-formed or not`() {
    var limits = XMLLimits()
    limits.inputBytes = 10
    for page in ["<p>12345</p>", "<p>12345678", Self.declaring(65_537)] {
      do throws(MarkupError) {
        _ = try XHTMLDocument.parse(Array(page.utf8), limits: limits)
        Issue.record("it was accepted")
      } catch {
        #expect(error.code == .tooLarge)
      }
    }
  }

  private static func declaring(_ size: Int) -> String {
    "<!DOCTYPE a [<!ENTITY e \"\(String(repeating: "x", count: size))\">]><a>&e;</a>"
  }

  @Test func `an entity has at most 64 KB`() {
    let expanded = XMLEntities.expanded(Array(Self.declaring(65_536).utf8))
    #expect(expanded?.count == 65_536 + "<a></a>".utf8.count)
    #expect(XMLEntities.expanded(Array(Self.declaring(65_537).utf8)) == nil)
  }

  @Test(arguments: [
    ("<!ENTITY x \"1\"><!ENTITY y '&x;2'><!ENTITY x \"3\">", "&x;&y;&z;&amp;", "112&z;&amp;"),
    ("<!ENTITY x SYSTEM 'file:///a'><!ENTITY x 'b'>", "[&x;]", "[]"),
    ("<!ENTITY x PUBLIC 'a' 'b'><!ELEMENT x ANY><!ENTITY\n y\t'>' >", "[&x;&y;]", "[>]"),
    // Parameter entities and unfinished ones are none.
    ("<!ENTITY % x 'a'><!ENTITY y 'b'>", "&x;&%;&y;", "&x;&%;b"), ("<!ENTITY x>", "&x;", "&x;"),
    ("<!ENTITY x 'a'>", "&x;&x", "a&x"), ("<!ENTITY x 'a'>", "&&x;&x&x;", "&a&xa"),
    ("<!ENTITY x ''>", "&x;&;", "&;"),
  ])
  func `entities of a document are replaced by their text`(
    declarations: String, content: String, expected: String
  ) {
    let document = "<?xml?><!DOCTYPE a [\(declarations)]><a>\(content)"
    let expanded = XMLEntities.expanded(Array(document.utf8))
    #expect(expanded.map { text($0) } == "<?xml?><a>" + expected)
  }

  @Test(arguments: [
    "<a>&x;</a>", "<!DOCTYPE a><a>&x;</a>", "<!DOCTYPE a []><a>&x;<!ENTITY</a>",
    "<!DOCTYPE a [<!ENTITY x 'y'>", "<!ENTITY x 'y'>]><a/>", "",
  ])
  func `a document that declares no entity is unchanged`(document: String) {
    #expect(XMLEntities.expanded(Array(document.utf8)).map { text($0) } == document)
  }

  @Test func `a thousand entities are read`() {
    let declarations = (0..<1_001).map { "<!ENTITY e\($0) 'x'>" }.joined()
    let document = "<!DOCTYPE a [\(declarations)]><a>&e999;&e1000;"
    #expect(XMLEntities.expanded(Array(document.utf8)).map { text($0) } == "<a>x&e1000;")
  }
}
