import ArchiverCore
import ArchiverMarkup
import Testing

/// What only works inside a site, or needs more than its tags, in the form that lasts.
@Suite struct KeptContentTests {
  @Test(arguments: [
    "shape=default href=javascript:alert(1)", "shape=default href=\"java\tscript:alert(1)\"",
    "shape=default href=data:text/html,x", "shape=default", "",
    "href=/x shape=star", "href=/x coords=1,2,3", "href=/x coords=NaN,1,2,3",
    "href=/x shape=poly coords=1,2,3,4,5", "href=/x coords='0,0,9,9e99'",
  ])
  func `areas that are broken safe, or have no form, are left out`(attributes: String) throws {
    #expect(try canonical("<map name=m><area \(attributes)></map>") == "")
  }

  @Test func `an image keeps its map and its id in the bundle`() throws {
    let html = try sanitized(
      "<a href=#fig>see</a><img id=fig src=/i.png width=300 usemap=#m><map name=m>"
        + "<area shape=circle coords='9.6 9;3' href=#fig alt=A></map>"
    ).bytes
    let slots = ImageExtractor.references(in: html).slots
    let local = text(
      ImageRewriter.rewrite(html, slots: slots) { _ in
        .local(path: "assets/i.png", width: 900, height: 600)
      })
    #expect(local.contains("width=\"300\""), "the areas count in the page's pixels")
    #expect(!local.contains("600"))
    #expect(local.contains(" usemap=\"#c-m\" id=\"c-fig\">"))
    #expect(
      local.contains("<map name=\"c-m\"><area shape=\"circle\" coords=\"10,9,3\" href=\"#c-fig\""))
    let missing = text(
      ImageRewriter.rewrite(html, slots: slots) { _ in .missing(reason: "gone", originalURL: nil) })
    #expect(missing.contains("id=\"c-fig\""))
    let dropped = text(ImageRewriter.rewrite(html, slots: slots) { _ in .drop })
    #expect(dropped.contains("<span id=\"c-fig\"></span>"))
  }

  @Test func `a mapped image without a size is the one that the areas were drawn upon`() throws {
    let html = try canonical("<img src=/i.png srcset='/big.png 2x' usemap=#m>")
    #expect(!html.contains("srcset"))
    #expect(try canonical("<img src=/i.png srcset='/big.png 2x'>").contains("srcset"))
  }

  @Test(arguments: [
    "<img data-src=l.jpg><noscript><img src=real.jpg alt=A></noscript>",
    "<img data-src=l.jpg><noscript><figure><div><img src=real.jpg alt=A></div></figure></noscript>",
    "<noscript><img src=real.jpg alt=A></noscript><img data-src=l.jpg>",
  ])
  func `an image for scripts and for readers without is one`(html: String) throws {
    let output = try canonical(html)
    #expect(output.occurrences(of: "<img") == 1, "\(output)")
    #expect(output.contains("src=\"https://example.org/dir/real.jpg\""))
  }

  @Test func `an id may be in the page and not twice`() throws {
    let html = try canonical("<img id=f src=a.png><img id=f src=b.png><hr id=g><br id=h>x")
    #expect(html.occurrences(of: "\"c-f\"") == 1)
    #expect(html.contains("<hr id=\"c-g\">"))
  }

  @Test(arguments: [
    ("a\n  b", "a<br>\u{A0}\u{A0}b"), ("\n\na\n\n", "a"), ("a\n\nb", "a<br><br>b"),
    ("a  b c\td", "a\u{A0} b c\u{A0}\u{A0}\u{A0} d"), ("<b>a\n</b>b", "<b>a</b><br>b"),
    ("a\r\nb", "a<br>b"), ("<i>  </i>a", "\u{A0}\u{A0}a"),
    ("<span style=white-space:normal>a \n b</span>", "a\nb"),
  ])
  func `white space that a style preserves stays without it`(
    content: String, expected: String
  ) throws {
    #expect(
      text(try sanitized("<p style=\"white-space: pre-wrap\">\(content)</p>").bytes)
        == "<p>\(expected)</p>")
  }

  @Test func `white space is preserved inside the element that asks for it only`() throws {
    #expect(
      try canonical("<p><span style=white-space:pre>a  b</span> c  d</p><p>e  f</p>")
        == "<p>a\u{A0} b c d</p><p>e f</p>")
    #expect(
      try canonical("<p style=white-space:pre-line>a  b\n  c</p>") == "<p>a b<br>c</p>")
  }

  @Test(arguments: [
    ("color:#c0392b", "ink-red"), ("color:rgb(0, 128, 0)", "ink-green"),
    ("color:hsl(210 90% 40%)", "ink-blue"), ("color:DarkOrange !important", "ink-yellow"),
    ("background:#ff0", "tint-yellow"), ("background-color:rgba(255,0,0,.3)", "tint-red"),
    ("background-color:#d4edda", "tint-green"), ("background:#CCE5FF none", "tint-blue"),
    ("color:#c00f", "ink-red"), ("color:#cc0000ff", "ink-red"),
    // The smallest differences that count as colours.
    ("background:#ffe7e7", "tint-red"), ("color:#500000", "ink-red"),
  ])
  func `an author's colour becomes the nearest of the page's`(
    style: String, name: String
  ) throws {
    #expect(try canonical("<b style='\(style)'>x</b>") == "<b class=\"\(name)\">x</b>")
  }

  @Test(arguments: [
    "color:#333", "color:#2c3e50", "color:black", "color:white", "color:rgb(1,2)", "color:#12",
    "background:#fff", "background:#f8f9fa", "background:transparent", "color:inherit",
    "background:rgba(255,0,0,.05)", "background:#ff000008", "color:hsl(0,0%,50%)", "color:rgb(",
    "background:linear-gradient(red,blue)", "color:hsl(x,100%,50%)", "color:#gggggg",
    "background:#ffe8e8", "color:#4f0000",
  ])
  func `a nearly neutral colour is dropped`(style: String) throws {
    #expect(try canonical("<b style='\(style)'>x</b>") == "<b>x</b>")
  }

  @Test func `colours of a design are left out`() throws {
    #expect(try canonical("<div style=background:navy;color:white>x</div>") == "<div>x</div>")
    #expect(
      try canonical("<a href=/ style=color:red>x</a>")
        == "<a href=\"https://example.org/\" rel=\"noreferrer noopener\">x</a>")
  }

  @Test func `a document in a frame is a part of the page`() throws {
    #expect(
      try canonical(
        "<iframe srcdoc=\"<base href=//evil.example/><p>a <a href=x>b</a><script>1</script>\"></iframe>c"
      )
        == "<div><p>a <a href=\"https://example.org/dir/x\" rel=\"noreferrer noopener\">b</a></p></div>c"
    )
    #expect(try canonical("<iframe srcdoc=\"<p>x\" width=0 height=0></iframe>") == "")
  }

  @Test func `frames within frames come to an end`() throws {
    var html = ""
    for _ in 0..<6 { html = "<p>level<iframe srcdoc=\"\(html.escapedOnce)\"></iframe>" }
    #expect(try canonical(html).occurrences(of: "level") == 4)
  }

  @Test(arguments: [
    "<xmp>%</xmp>", "<textarea>%</textarea>", "<plaintext>%",
  ])
  func `markup that is shown as text stays text`(frame: String) throws {
    let html = frame.replacing(
      "%", with: "<b class=\"k\">x</b><script>alert(\"</b>\")</script><br><img src=y onerror=z>")
    #expect(
      try canonical(html)
        == "<pre>&lt;b class=\"k\"&gt;x&lt;/b&gt;&lt;script&gt;alert(\"&lt;/b&gt;\")&lt;/script&gt;"
        + "&lt;br&gt;&lt;img src=y onerror=z&gt;</pre>")
  }

  @Test func `a formula is written once`() throws {
    #expect(
      try canonical(
        "<span class=katex><math><mi>x</mi></math></span><span class=katex-html>x</span>y")
        == "<math><mi>x</mi></math>y")
    #expect(try canonical("<span class=katex-html>x</span>y") == "xy")
  }

  @Test func `a video that is nowhere shows what stands in for it`() throws {
    #expect(try canonical("<video><p>old</p></video>") == "<p>old</p>")
    #expect(try canonical("<video src=blob:x>old</video>") == "old")
    #expect(try !canonical("<video src=v.mp4>old</video>").contains("old"))
  }

  @Test func `a video is found where a script would have put it`() throws {
    #expect(
      try canonical("<video><source data-src=v.mp4></video>")
        == "<video src=\"https://example.org/dir/v.mp4\" controls=\"\"></video>")
  }

  @Test(arguments: [
    (
      "<amp-img src=a.png alt=A width=6 height=4><noscript><img src=a.png></noscript></amp-img>",
      "<img src=\"https://example.org/dir/a.png\" alt=\"A\" width=\"6\" height=\"4\">"
    ),
    ("<amp-anim src=a.gif></amp-anim>", "<img src=\"https://example.org/dir/a.gif\" alt=\"\">"),
    (
      "<amp-video src=v.mp4 poster=p.png><p fallback>old</p></amp-video>",
      "<video src=\"https://example.org/dir/v.mp4\" poster=\"https://example.org/dir/p.png\" "
        + "controls=\"\"></video>"
    ),
    (
      "<amp-audio><source src=s.mp3></amp-audio>",
      "<audio src=\"https://example.org/dir/s.mp3\" controls=\"\"></audio>"
    ),
    (
      "<amp-iframe src=/f></amp-iframe>",
      "<p class=\"embed\"><a href=\"https://example.org/f\" rel=\"noreferrer noopener\">"
        + "Embedded content: https://example.org/f</a></p>"
    ),
  ])
  func `a page for phones shows what it has by names of its own`(
    html: String, expected: String
  ) throws {
    #expect(try canonical(html) == expected)
  }

  @Test(arguments: [
    ("<svg width=600 height=400></svg>", "<img alt=\"SVG\">"),
    (
      "<svg viewBox='0 0 9 9'><image xlink:href=i.png /></svg>",
      "<img src=\"https://example.org/dir/i.png\" alt=\"\">"
    ),
    ("<svg viewBox='0 0 9 9'><image href=javascript:alert(1) /></svg>", ""),
    ("<svg width=24 height=24><path /></svg>", ""),
    ("<svg viewBox='0 0 512 512'><path /></svg>", ""),
    ("<svg width=600 height=400 aria-hidden=true><path /></svg>", ""),
    ("<svg width=120.5ex height=9ex>\(String(repeating: "<path />", count: 12))</svg>", ""),
  ])
  func `an empty SVG image leaves a placeholder, an icon none`(
    html: String, expected: String
  ) throws {
    #expect(try canonical("a\(html)b") == "a\(expected)b")
    #expect(try canonical("a\(expected)b") == "a\(expected)b")
  }

  @Test(arguments: [
    (
      "<svg viewBox='0 0 9 9'><image href=i.png /><text>Words</text><image href=j.png /></svg>",
      ["i", "j"]
    ),
    (
      "<svg viewBox='0 0 9 9'><image href=i.png /><image href=i.png /><image href=j.png /></svg>",
      ["i", "j"]
    ),
    ("<svg width=300 height=100><rect /><image xlink:href=i.png /></svg>", ["i"]),
    ("<svg width=300 height=100><image href=i.png /><p>Out</p></svg>", ["i"]),
    ("<svg viewBox='0 0 1080 1920' style=\"background-image:url('i.png')\"></svg>", ["i"]),
    (
      "<svg viewBox='0 0 1080 1920'><foreignObject><svg style='background:url(i.png) top'></svg></foreignObject></svg>",
      ["i"]
    ),
    ("<svg width=24 height=24 style='background:url(sprite.png)'><path /></svg>", []),
  ])
  func `raster images in a drawing are kept beside what else is kept of it`(
    html: String, names: [String]
  ) throws {
    let kept = try canonical(html)
    let found = kept.split(separator: "src=\"https://example.org/dir/").dropFirst()
    #expect(found.map { String($0.prefix { $0 != "." }) } == names, "\(kept)")
    #expect(kept.contains("Words") == html.contains("Words"))
    #expect(try canonical(kept) == kept)
  }

  @Test func `every raster image of a drawing is kept, once`() throws {
    let images = (0..<70).map { "<image href=\($0).png /><image href=\($0).png />" }.joined()
    let kept = try canonical("<svg viewBox='0 0 9 9'>\(images)</svg>")
    #expect(kept.split(separator: "src=\"https://example.org/dir/").dropFirst().count == 70)
  }

  @Test(arguments: [
    (
      "<svg width=600 height=400><path d='M0 0' /></svg>", "SVG",
      "width=\"600\" height=\"400\"><path d=\"M0 0\"></path></svg>"
    ),
    (
      "<svg viewBox='0 0 400 200' role=img aria-label='Revenue by year'><g><rect x=0 /><rect x=1 /><text x=0>2021</text></g></svg>",
      "Revenue by year", "viewBox=\"0 0 400 200\" role=\"img\""
    ),
    (
      "<svg viewBox='0 0 400 200' preserveAspectRatio=none><linearGradient id=g gradientUnits=userSpaceOnUse /><text>Two words</text></svg>",
      "Two words",
      "preserveAspectRatio=\"none\"><linearGradient id=\"g\" gradientUnits=\"userSpaceOnUse\"></linearGradient>"
    ),
    (
      "<svg width=300 height=110><foreignObject width=90 height=24><div><p>Client</p></div></foreignObject><foreignObject><p> asks</p></foreignObject><rect /></svg>",
      "Client asks", ">Client</tspan></text><text"
    ),
    (
      "<svg width=300 height=110 onload=alert(1)><script>alert(1)</script><style>.a{fill:red}</style><a href='javascript:1'><rect class=a /></a><image href=http://e.org/x.png /></svg>",
      "SVG", "<style>.a{fill:red}</style><g><rect class=\"a\"></rect></g><image></image></svg>"
    ),
  ])
  func `an SVG image in the text is kept as an image that asks for nothing`(
    html: String, alt: String, part: String
  ) throws {
    let result = try sanitized("a\(html)b")
    let slots = ImageExtractor.references(in: result.bytes).slots
    let slot = try #require(slots.first)
    #expect(slots.count == (html.contains("<image") ? 2 : 1) && slot.alt == alt, "\(slot.alt)")
    guard case .inline(let type, let bytes)? = slot.candidates.first else {
      Issue.record("no drawing: \(text(result.bytes))")
      return
    }
    #expect(type == "image/svg+xml")
    #expect(text(bytes).contains(part), "\(text(bytes))")
    #expect(result.losses["drawing"] == nil)
    #expect(try canonical(text(result.bytes)) == text(result.bytes))
  }

  @Test(arguments: [
    "<svg><symbol id=a>\(Self.more)</symbol><symbol id=b>\(Self.more)</symbol></svg>",
    "<svg width=300 height=200><defs><path id=a /><text>Home</text></defs></svg>",
    "<svg style='display: none' width=300 height=200><path id=a />\(Self.more)</svg>",
    "<svg style='position:absolute;width:0;height:0'><defs /><path id=a />\(Self.more)</svg>",
    "<svg display=none width=300 height=200><path id=a /></svg>",
    "<svg visibility=hidden width=300 height=200><path id=a /></svg>",
    "<svg hidden width=300 height=200><path id=a /></svg>",
  ])
  func `a sheet of symbols is no drawing of the text`(html: String) throws {
    let result = try sanitized("a\(html)b")
    #expect(
      text(result.bytes) == "<p>ab</p>" || text(result.bytes) == "ab", "\(text(result.bytes))")
    #expect(result.losses["drawing"] == nil)
  }

  /// Enough elements for a drawing.
  private static let more = String(repeating: "<path />", count: 12)

  @Test func `a drawing whose shapes are elsewhere on the page is missing, not blank`() throws {
    let result = try sanitized("a<svg width=300 height=200><use xlink:href='#logo' /></svg>b")
    #expect(ImageExtractor.references(in: result.bytes).slots.map(\.candidates) == [[]])
    #expect(result.losses["drawing"] == 1)
    let own = try sanitized(
      "<svg width=300 height=200><defs><path id=logo /></defs><use xlink:href='#logo' /></svg>")
    #expect(ImageExtractor.references(in: own.bytes).slots.map(\.candidates.count) == [1])
    #expect(own.losses["drawing"] == nil)
  }

  @Test func `an object shows its image or what stands in for it`() throws {
    #expect(
      try canonical("<object data=o.svg>Words of <b>it</b></object>")
        == "<img src=\"https://example.org/dir/o.svg\" alt=\"Words of it\">")
    let player = "<object data=/p><embed src=/p>Transcript</object>"
    #expect(try canonical(player).occurrences(of: "class=\"embed\"") == 1)
    #expect(try canonical(player).contains("Transcript"))
  }
}

extension String {
  fileprivate func occurrences(of word: String) -> Int { ranges(of: word).count }

  fileprivate var escapedOnce: String {
    replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
  }
}
