import ArchiverCore
import ArchiverMarkup
import Testing

/// Which values of attributes and styles are kept.
struct SanitizerValueTests {
  /// Returns the tag of the element with the attributes that it keeps, in a table if it needs one.
  private func kept(_ tag: String) throws -> String {
    let name = String(tag.prefix { $0 != " " })
    let html =
      switch name {
      case "td", "th": "<table><tr><\(tag)>x</table>"
      case "col": "<table><colgroup><\(tag)></colgroup><tr><td>x</table>"
      default: "<\(tag)>x"
      }
    let shown = try canonical(html)
    let tags = shown.split(separator: "<").map { String($0.prefix { $0 != ">" }) }
    return try #require(tags.first { $0 == name || $0.hasPrefix(name + " ") }, "\(shown)")
  }

  @Test(
    arguments: sides(
      of: #"""
        ol start=100000 => ol start="100000"
        ol start=-100000 => ol start="-100000"
        ol start=100001 => ol
        ol start=-100001 => ol
        ol start=' 5 ' => ol start="5"
        ol start=x => ol
        ol type=a => ol type="a"
        ol type=b => ol
        ol type=square => ol
        ul type=square => ul style="list-style-type:square"
        td colspan=1000 => td colspan="1000"
        td colspan=1001 => td colspan="1000"
        td colspan=0 => td
        td colspan=' 2x' => td colspan="2"
        td colspan=x => td
        td colspan=99999999999999999999 => td colspan="1000"
        td rowspan=0 => td rowspan="0"
        td rowspan=65534 => td rowspan="65534"
        th rowspan=65535 => th rowspan="65534"
        td scope=row => td
        th scope=ROW => th scope="row"
        th scope=x => th
        th abbr='' => th
        td headers=' a  b ' => td headers="c-a c-b"
        td headers=' ' => td
        col span=1 => col span="1"
        col span=0 => col
        p lang=d => p
        p lang=de => p lang="de"
        p lang=de-1996 => p lang="de-1996"
        p lang=abcdefghijklmnopqrstuvwxyz-12345678 => p lang="abcdefghijklmnopqrstuvwxyz-12345678"
        p lang=abcdefghijklmnopqrstuvwxyz-123456789 => p
        p lang=de_DE => p
        p lang=d/ => p
        p lang=d: => p
        p lang=d@ => p
        p lang=d[ => p
        p lang=d{ => p
        p title='' => p
        p translate=NO => p translate="no"
        p translate=x => p
        p dir=x => p
        p align=center => p style="text-align:center"
        p valign=top => p
        p bgcolor=red => p
        p color=red => p
        td bgcolor=red => td class="tint-red"
        td valign=top align=right => td style="text-align:right;vertical-align:top"
        pre style=background:yellow => pre
        p style=background:yellow => p class="tint-yellow"
        p class=tint-red style=background:yellow => p class="tint-yellow"
        p class=ink-red style=color:blue => p class="ink-blue"
        p class=tint-red style=color:blue => p class="tint-red"
        p class='embed evil embed latex' => p class="embed latex"
        time datetime=2026-01-01T10:00+02:00 => time datetime="2026-01-01T10:00+02:00"
        time datetime='P1D 10.5' => time datetime="P1D 10.5"
        time datetime='' => time
        time datetime=10;5 => time
        time datetime=10/5 => time
        time datetime=1@ => time
        time datetime=1[ => time
        time datetime=1a => time
        time datetime=1234567890123456789012345678901234567890 => time datetime="1234567890123456789012345678901234567890"
        time datetime=12345678901234567890123456789012345678901 => time
        """#))
  func `attributes are kept within their limits`(tag: String, expected: String) throws {
    #expect(try kept(tag) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        text-align:left;text-align:right => text-align:right
        font-weight:bold;text-align:left;font-weight:normal => text-align:left;font-weight:normal
        text-align =>
        text-align:middle =>
        ;;text-align:left; => text-align:left
        TEXT-ALIGN : LEFT ! important => text-align:left
        width:10000px => width:10000px
        width:10000.5px =>
        width:1.5em => width:1.5em
        width:50% => width:50%
        width:5vw =>
        width:px =>
        text-decoration:underline red => text-decoration:underline
        text-decoration-line:underline red =>
        background:linear-gradient(red,blue),url(b.png) => background-image:url(https://example.org/dir/b.png)
        background-image:image-set(URL(b.png) 1x) => background-image:url(https://example.org/dir/b.png)
        background:url( b.png ) => background-image:url(https://example.org/dir/b.png)
        background:url(&quot;b.png&quot;) => background-image:url(https://example.org/dir/b.png)
        background:url('b.png) =>
        background:url(b.png =>
        background:(b.png) =>
        background:url(a.png);background:none =>
        background:url(a;b.png);text-align:left => background-image:url(https://example.org/dir/a%3Bb.png);text-align:left
        x:'a;b:c';text-align:left => text-align:left
        x:'a&quot;;b:c';text-align:left => text-align:left
        x:(a(b);text-align:right);text-align:left => text-align:left
        """#))
  func `of a style, known properties with known values are kept`(
    style: String, expected: String
  ) throws {
    let all = expected.isEmpty ? "td" : "td style=\"\(expected)\""
    #expect(try kept("td style=\"\(style)\"") == all)
  }

  @Test func `a style has at most 64 declarations`() throws {
    func style(_ before: Int, _ last: String) -> String {
      String(repeating: "x:y;", count: before) + last
    }
    #expect(try kept("p style='\(style(63, "text-align:left"))'") == "p style=\"text-align:left\"")
    #expect(try kept("p style='\(style(64, "text-align:left"))'") == "p")
    func lines(_ before: Int) throws -> String {
      try canonical("a<b style='\(style(before, "display:block"))'>b</b>")
    }
    #expect(try lines(63) == "a<br><b>b</b>")
    #expect(try lines(64) == "a<b>b</b>")
  }

  @Test(
    arguments: [
      ("display:flex", true), ("display:table-cell", true), ("display:inline-block", false),
      ("display:block;display:inline", false), ("display:inline;display:block!important", true),
      ("display:block;float:none", true), ("display:block;float:left", false), ("x:display", false),
      ("display", false),
    ])
  func `an inline element is on a line of its own if its style says so last`(
    style: String, isLine: Bool
  ) throws {
    let shown = try canonical("<p>a<i style='\(style)'>b</i>c</p>")
    #expect(shown == (isLine ? "<p>a<br><i>b</i><br>c</p>" : "<p>a<i>b</i>c</p>"))
  }

  @Test(
    arguments: sides(
      of: #"""
        coords=1,2,3,4 => rect 1,2,3,4
        coords=1,2,3,4,5 =>
        coords=1,2,3 =>
        shape=RECTANGLE coords='0.5 1.4;2 3' => rect 1,1,2,3
        shape=circ coords=1,2,3 => circle 1,2,3
        shape=circle coords=1,2,3,4 =>
        shape=poly coords=1,2,3,4,5,6 => poly 1,2,3,4,5,6
        shape=polygon coords=1,2,3,4,5,6,7,8 => poly 1,2,3,4,5,6,7,8
        shape=poly coords=1,2,3,4 =>
        shape=poly coords=1,2,3,4,5,6,7 =>
        coords=1,2,3,100000 => rect 1,2,3,100000
        coords=1,2,3,-100000 => rect 1,2,3,-100000
        coords=1,2,3,100001 =>
        coords=1,2,3,4,x,5 => rect 1,2,3,4
        """#))
  func `an area has as many coordinates as its shape needs`(
    attributes: String, expected: String
  ) throws {
    let shown = try canonical("<map name=m><area href=/x alt=A \(attributes)></map>")
    let words = expected.split(separator: " ")
    let area = words.count == 2 ? "<area shape=\"\(words[0])\" coords=\"\(words[1])\" href" : ""
    #expect(area.isEmpty ? shown.isEmpty : shown.contains(area), "\(shown)")
  }

  @Test func `an area of the whole image has no coordinates, a title only if it has words`() throws
  {
    #expect(
      try canonical("<map name=m><area shape=default coords=1,2 href=/x title=''></map>")
        == "<map name=\"c-m\"><area shape=\"default\" href=\"https://example.org/x\" "
        + "rel=\"noreferrer noopener\" alt=\"\"></map>")
    #expect(
      try canonical("<map name=m><area shape=default href=#k title=T></map>").contains(
        "href=\"#c-k\" target=\"_self\" alt=\"\" title=\"T\">"))
    let area = "<area shape=default href=/x>"
    let many = try canonical("<map name=m>\(String(repeating: area, count: 501))</map>")
    #expect(many.ranges(of: "<area").count == 500)
    #expect(
      try canonical("<map name=m>\(area)</map><map name=m>\(area)</map>").ranges(of: "<map").count
        == 1)
    #expect(try canonical("<map>\(area)</map>") == "")
  }

  @Test(arguments: [
    ("100000", "100000"), ("100001", nil), ("9px", "9"), (" 9", "9"), ("50%", nil), ("x", nil),
    ("9.7", "9"), ("", nil), ("0", "0"),
  ])
  func `an image's size is a number of pixels`(width: String, expected: String?) throws {
    let shown = try canonical("<img src=a.png width='\(width)'>")
    let attribute = expected.map { " width=\"\($0)\"" } ?? ""
    #expect(shown == "<img src=\"https://example.org/dir/a.png\" alt=\"\"\(attribute)>")
  }

  @Test(arguments: [
    ("data-nimg=x", true), ("layout=responsive", true), ("layout=fixed", false),
    ("layout=nodisplay", false), ("style='HEIGHT : auto'", true), ("style='width:auto'", true),
    ("style='inset:0'", true), ("style='object-fit:cover'", true), ("style='max-width:100%'", true),
    ("style='width:10px'", false), ("", false),
  ])
  func `an image of a pixel is shown if something else sizes it`(
    attributes: String, isKept: Bool
  ) throws {
    let shown = try canonical("<img src='/t?id=1' width=1 height=1 \(attributes)>")
    #expect(shown.contains("<img") == isKept, "\(shown)")
  }

  @Test(arguments: [
    ("hidden", false), ("style='visibility: hidden'", false),
    ("style='opacity:0;color:red'", false),
    ("style='opacity:0.5;color:red'", true), ("style=''", true), ("", true),
  ])
  func `an image of a pixel that its page hides is left out whatever its name`(
    attributes: String, isKept: Bool
  ) throws {
    let shown = try canonical("<img src=a.png width=1 height=1 \(attributes)>")
    #expect(shown == (isKept ? "<img src=\"https://example.org/dir/a.png\" alt=\"\">" : ""))
  }
}
