import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

/// Inputs made to cost time; a megabyte of any of them has to be done within two seconds.
/// Unoptimised code gets a fifth of it.
@Suite(.serialized) struct PathologicalInputTests {
  #if DEBUG
    static let scale = 5
  #else
    static let scale = 1
  #endif
  static let size = 1_000_000

  static func repeated(_ piece: String, _ size: Int = PathologicalInputTests.size) -> String {
    String(repeating: piece, count: size / scale / piece.utf8.count)
  }

  static let inputs: [(name: String, html: String)] = [
    ("nested blocks", repeated("<div>")), ("nested formatting", repeated("<b>")),
    ("nested and closed wrongly", repeated("<i>", 500_000) + repeated("</u>", 500_000)),
    ("100,000 nested blocks", repeated("<div>", 500_000) + "x"),
    ("nesting closed properly", repeated("<b>", 500_000) + repeated("</b>", 500_000)),
    ("tables in tables", repeated("<table><tr><td>")), ("lists in lists", repeated("<ul><li>")),
    ("attributes on one tag", "<p " + repeated("a ") + ">x"),
    ("distinct attributes", "<p " + (0..<100_000 / scale).map { "a\($0)=1 " }.joined() + ">x"),
    ("attributes without spaces", "<p " + repeated("a=''") + ">x"),
    ("attributes by slashes", "<p/" + repeated("a/") + ">x"),
    ("attributes behind a quoted end", "<p x=\">\" " + repeated("a ") + ">x"),
    (
      "many tags with many attributes", repeated("<p " + (0..<400).map { "a\($0) " }.joined() + ">")
    ),
    ("tags in a quoted value", "<p x=\"" + repeated("<b y=' ") + "\">x"),
    ("tags in tags", repeated("<a ")), ("tags with open quotes", repeated("<a b='")),
    ("less-than signs", repeated("<")), ("comment openings", repeated("<!--")),
    ("broken comment openings", repeated("<!-")), ("CDATA openings", repeated("<![CDATA[")),
    ("instructions", repeated("<?x")), ("doctypes", repeated("<!DOCTYPE x")),
    ("ampersands", repeated("&")), ("entities", repeated("&amp;")),
    ("broken entities", repeated("&#x")), ("end tags", repeated("</p>")),
    ("script openings", repeated("<script>")), ("script ends", "<script>" + repeated("</scrip")),
    ("paragraphs in formatting", repeated("<em title=abcdefghijklmnop>", 700) + repeated("<p>x")),
    ("long link around paragraphs", "<a href=/" + repeated("l", 10_000) + ">" + repeated("<p>x")),
    ("divs in a heading", "<h2>" + repeated("<div>x</div>")),
    ("images", repeated("<img src=a>", 110_000)),
    ("links", repeated("<a href=x>y</a>")),
    ("distinct links", (0..<60_000 / scale).map { "<a href='?\($0)'>y</a>" }.joined()),
    ("srcset", "<img srcset=\"" + repeated("a 1x,") + "\">"),
    ("srcset commas", "<img srcset=\"" + repeated(",") + "\">"),
    ("style", "<p style=\"" + repeated("a:b;") + "\">x"),
    ("style urls", "<p style=\"" + repeated("background:url(a);") + "\">x"),
    ("open parentheses in style", "<p style=\"background:" + repeated("url(") + "\">x"),
    ("ids", (0..<90_000 / scale).map { "<p id=\($0)>" }.joined()),
    ("headings", repeated("<h2>x</h2>")),
    ("classes", "<p class=\"" + repeated("a ") + "\">x"),
    ("distinct classes", "<p class=\"" + (0..<150_000 / scale).map { "c\($0) " }.joined() + "\">x"),
    ("formulas", repeated("<math><mi>x</mi></math>")),
    ("nested formulas", repeated("<math><mrow>")),
    ("drawings", repeated("<svg><text>x")),
    ("highlights", repeated("<rd-annotation id=a>x</rd-annotation>")),
    ("nested highlights", repeated("<rd-annotation id=a>x")), ("word breaks", repeated("x<wbr>")),
    ("sources", "<picture>" + repeated("<source srcset=a>")),
    ("noscript", repeated("<noscript><img src=a></noscript>", 200_000)),
    ("white space", repeated(" ")), ("line feeds", "<pre>" + repeated("\n")),
    ("invalid bytes", repeated("\u{FFFD}")),
    ("style text", repeated(" style=\"background-image:url(x) ")),
    ("frames", repeated("<frameset>")),
    ("forms", repeated("<form><input>")), ("options", repeated("<select><option>")),
    ("definition lists", repeated("<dl><dt>")),
    ("rows", repeated("<tr><td>")), ("columns", "<table>" + repeated("<col>")),
    ("bases", repeated("<base href=/a/>")),
    ("documents in frames", repeated("<iframe srcdoc='<p>x'></iframe>")),
    (
      "tangled documents in frames",
      repeated("<iframe srcdoc=\"" + String(repeating: "<b y='", count: 230) + "\"></iframe>")
    ),
    ("areas", "<map name=m>" + repeated("<area href=/x coords=1,2,3,4>")),
    (
      "maps",
      (0..<20_000 / scale).map { "<map name=m\($0)><area href=/x coords=1,2,3,4></map>" }.joined()
    ),
    (
      "coordinates",
      "<map name=m><area href=/x shape=poly coords=\"" + repeated("1,") + "\"></map>"
    ),
    ("preserved spaces", "<p style=white-space:pre>x" + repeated(" ") + "x"),
    ("preserved words", "<p style=white-space:pre>" + repeated("x ")),
    ("preserved lines", "<p style=white-space:pre>" + repeated("\nx")),
    ("preserved tabs", "<p style=white-space:pre>" + repeated("\tx")),
    ("preserved line by line", repeated("<i style=white-space:pre>\n</i>x")),
    ("markup as text", "<xmp>" + repeated("<b></b>")),
    (
      "images for both after headings",
      repeated("<h2>x</h2>", 700_000)
        + repeated("<img data-src=l.png><noscript><img src=r.png></noscript>", 300_000)
    ),
    ("labels of options", "<select>" + repeated("<option label=x></option>")),
    ("tracks", "<video>" + repeated("<track src=a>")),
    ("colours", repeated("<b style='color:hsl(9deg 99% 50% / 1)'>x</b>")),
    ("objects", repeated("<object data=a.svg>")),
  ]

  @Test(arguments: inputs.indices)
  func `a megabyte of anything takes less than two seconds`(_ index: Int) throws {
    let (name, html) = PathologicalInputTests.inputs[index]
    let bytes = Array(html.utf8)
    var outcome = ""
    let time = processorTime {
      do throws(MarkupError) {
        let result = try HTMLSanitizer(.usual).sanitize(bytes, baseURL: page)
        let found = ImageExtractor.references(in: result.bytes)
        let rewritten = ImageRewriter.rewrite(result.bytes, slots: found.slots) { _ in .drop }
        let links = LinkRewriter.rewrite(rewritten) { _ in nil }
        outcome = "\(result.bytes.count) bytes, \(links.count)"
        #expect(result.bytes.count < 12 * bytes.count + 3_000_000, "\(name) grew")
      } catch {
        outcome = error.message
        #expect(!error.message.isEmpty)
      }
    }
    if ProcessInfo.processInfo.environment["ARCHIVER_TIMES"] != nil {
      print("TIME \(time) \(name): \(outcome)")
    }
    #expect(time < .seconds(2), "\(name): \(outcome)")
  }
}
