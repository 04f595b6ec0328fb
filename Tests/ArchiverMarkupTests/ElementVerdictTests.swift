import ArchiverCore
import ArchiverFuzzing
import ArchiverMarkup
import Testing

/// Checks every element and attribute against its documented verdict.
@Suite struct ElementVerdictTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let verdict: String
    let input: String
    let output: String

    var testDescription: String { "\(name) \(input)" }
  }

  static func rows(_ table: String) -> [Row] {
    table.split(separator: "\n").map { line in
      let parts = line.split(separator: "|", maxSplits: 3).map { part in
        part.replacing("⏎", with: "\n").trimmingPrefix(while: { $0 == " " })
      }
      let words = parts.map { part in
        String(part.reversed().drop { $0 == " " }.reversed())
      }
      return Row(name: words[0], verdict: words[1], input: words[2], output: words[3])
    }
  }

  static let elements = rows(MarkupTables.html) + rows(MarkupTables.formulas)

  @Test(arguments: elements + rows(MarkupTables.attributes))
  func `has the output of its verdict`(row: Row) throws {
    let expected = String(row.output.filter { $0 != "\n" })
    #expect(try canonical(row.input).filter { $0 != "\n" } == expected)
    #expect(try canonical(row.output) == expected, "not the same when it is sanitised again")
    #expect(CanonicalGrammar(Array(row.output.utf8)).violations.isEmpty)
  }

  /// The verdict is what the output shows, not only what is said.
  @Test(arguments: elements)
  func `is kept exactly when its verdict says so`(row: Row) {
    let isThere = row.output.contains("<\(row.name)>") || row.output.contains("<\(row.name) ")
    #expect(isThere == (row.verdict == "kept"), "\(row)")
    if row.verdict.hasPrefix("dropped"), row.name != "base" {
      #expect(!row.output.contains("<\(row.name)"))
    }
  }

  /// The index of elements of the HTML Living Standard.
  static let standard = """
    a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption \
    cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset \
    figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input \
    ins kbd label legend li link main map mark math menu meta meter nav noscript object ol optgroup \
    option output p picture pre progress q rp rt ruby s samp script search section select \
    selectedcontent slot small source span strong style sub summary sup svg table tbody td template \
    textarea tfoot th thead time title tr track u ul var video wbr
    """
  /// Elements that parsers still know, and those of vendors.
  static let obsolete = """
    acronym applet basefont bgsound big blink center dir font frame frameset image isindex keygen \
    listing marquee menuitem multicol nextid nobr noembed noframes param plaintext portal rb rtc \
    spacer strike tt xmp
    """
  static let mathematical = """
    annotation annotation-xml maction math merror mfrac mi mmultiscripts mn mo mover mpadded \
    mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr \
    munder munderover none semantics
    """

  @Test(arguments: [standard, obsolete, mathematical])
  func `has a verdict for every element of the standards`(list: String) {
    let known = Set(ElementVerdictTests.elements.map(\.name))
    let missing = list.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { !known.contains($0) }
    #expect(missing.isEmpty)
  }
}
