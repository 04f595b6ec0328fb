import ArchiverCore
import ArchiverMarkup
import Testing

@Suite struct ImageTests {
  /// The addresses of each slot, shortened to what follows the test page's folder.
  private func candidates(_ html: String) throws -> [[String]] {
    ImageExtractor.references(in: try sanitized(html).bytes).slots.map { slot in
      slot.candidates.map { source in
        switch source {
        case .remote(let url): url.absoluteString.replacing("https://example.org/dir/", with: "")
        case .inline(let type, let bytes): "\(type) \(bytes.count)"
        }
      }
    }
  }

  private static let gif = "data:image/gif;base64,R0lGODlhAQABAAAAACw="

  @Test(arguments: [
    ("<img src=a.png>", [["a.png"]]),
    (
      "<img src=a.png srcset='b.png 640w, c.png 1600w, d.png 3000w'>",
      [["c.png", "a.png", "b.png", "d.png"]]
    ),
    ("<img srcset='b.png 3000w, c.png 4000w'>", [["b.png", "c.png"]]),
    ("<img src=a.png srcset='b.png 2x, a.png 1x'>", [["b.png", "a.png"]]),
    ("<img srcset='a,b.png 1x,c.png 2x'>", [["c.png", "a,b.png"]]),
    ("<img srcset='a.png, b.png 2x,'>", [["b.png", "a.png"]]),
    ("<img src='\(gif)' data-src=l.png>", [["l.png"]]),
    ("<img src=spacer.gif data-lazy-src=l.png>", [["l.png"]]),
    ("<img src=low.png data-src=l.png>", [["l.png", "low.png"]]),
    ("<img src='\(gif)' data-srcset='s.png 300w, t.png 900w'>", [["t.png", "s.png"]]),
    ("<img srcset='\(gif) 1x' data-original=o.png>", [["o.png"]]),
    ("<img src='\(gif)' imagesrcset='s.png 300w, t.png 900w'>", [["t.png", "s.png"]]),
    ("<img src='\(gif)'>", [["image/gif 14"]]),
    ("<img src='data:text/html,x'>", []),
    // The bytes decide what a picture is, whatever it was declared to be.
    ("<img src='data:image/jpg;base64,/9j/4AAQSkZJRgABAQAA'>", [["image/jpeg 15"]]),
    ("<img src='data:image/x-png;base64,iVBORw0KGgoAAAANSUhEUg=='>", [["image/png 16"]]),
    (
      "<img src='data:application/octet-stream;base64,iVBORw0KGgoAAAANSUhEUg=='>",
      [["image/png 16"]]
    ),
    ("<img src='data:;base64,iVBORw0KGgoAAAANSUhEUg=='>", [["image/png 16"]]),
    ("<img src='data:image/jpeg;base64,iVBORw0KGgoAAAANSUhEUg=='>", [["image/png 16"]]),
    ("<img src='data:application/octet-stream;base64,AAAAAAAAAAAAAAAA'>", []),
    // A size of nothing is no tracker's where a style or a layout gives the size.
    ("<img src=a.jpg width=0 height=0 style='width:100%;height:auto'>", [["a.jpg"]]),
    ("<img src=a.jpg width=1 height=1 layout=responsive>", [["a.jpg"]]),
    ("<img src=a.jpg width=0 height=0 data-nimg=fill>", [["a.jpg"]]),
    ("<img src=a.jpg width=0 height=0 style='display:none'>", []),
    // Any attribute with the address of an image is better than a placeholder.
    ("<img src='\(gif)' data-ll-src=/l.png>", [["https://example.org/l.png"]]),
    ("<img src='\(gif)' data-x-srcset='s.png 300w, t.png 900w'>", [["t.png", "s.png"]]),
    (
      "<img src='\(gif)' pagespeed_lazy_src=https://e.org/p?id=1 data-a=https://e.org/b.webp?x>",
      [["https://e.org/b.webp?x"]]
    ),
    ("<img src='\(gif)' data-smart-src=https://e.org/p/1>", [["https://e.org/p/1"]]),
    ("<img src='\(gif)' data-link=https://e.org/page>", [["image/gif 14"]]),
    // … whatever it is called, with or without an ending, alone, in JSON, in brackets or in CSS.
    ("<img src=loader.svg data-flickity-lazyload=/l.jpg>", [["https://example.org/l.jpg"]]),
    ("<img src=blank.gif data-pin-media=img/l.webp>", [["img/l.webp"]]),
    ("<img src=/dot.gif data-hires-photo=https://e.org/p/1?w=9>", [["https://e.org/p/1?w=9"]]),
    ("<img src=1px.png data-interchange='[i/a.jpg, small], [i/b.jpg, large]'>", [["i/a.jpg"]]),
    (
      "<img src='\(gif)' data-attrs='{\"src\":\"https:\\/\\/e.org\\/s.jpeg\",\"width\":9}'>",
      [["https://e.org/s.jpeg"]]
    ),
    ("<img src='\(gif)' data-bg='url(\"/b.png\")'>", [["https://example.org/b.png"]]),
    ("<img src='\(gif)' data-file-name=photo.jpg>", [["image/gif 14"]]),
    ("<img src=a.png data-zoom=/b.png>", [["a.png"]]),
    // A picture is chosen for a wide screen.
    (
      "<picture><source media='(max-width:600px)' srcset='m.png 1900w'><source media='(min-width:601px)' srcset='d.png 1200w'><img src=f.png></picture>",
      [["d.png", "f.png"]]
    ),
    (
      "<picture><source media='(max-width: 40em)' srcset=m.png><img src=f.png></picture>",
      [["f.png"]]
    ),
    (
      "<picture><source media='(width <= 600px)' srcset=m.png></picture>", [["m.png"]]
    ),
    (
      "<picture><source media='(max-width: 1600px)' srcset=m.png><img src=f.png></picture>",
      [["m.png", "f.png"]]
    ),
    // Of several sources that fit the first is the picture's, whatever the sizes of the others.
    (
      "<picture><source media='(min-width:900px)' srcset='w.png 1x'><source media='(min-width:600px)' srcset='q.png 2x'><img src=f.png srcset='f2.png 3x'></picture>",
      [["w.png", "f.png"]]
    ),
    (
      "<picture><source type=image/avif srcset=a.avif><source srcset=b.webp><img src='\(gif)'></picture>",
      [["b.webp", "a.avif"]]
    ),
    ("<picture><source srcset=x.jxl type=image/jxl><img alt=a></picture>", [["x.jxl"]]),
    (
      "<picture><source data-x-srcset='/s.png 2x'><img src='\(gif)'></picture>",
      [["https://example.org/s.png"]]
    ),
    ("<img src='javascript:x' alt=words>", [[]]),
    // Counters are known by their address, or by the size that their page gives them.
    ("<img src=a.gif width=1 height=1>", []),
    ("<img src=https://e.org/open?id=1 width=1 height=1>", []),
    ("<img src='https://www.facebook.com/tr?id=1&amp;noscript=1'>", []),
    ("<img src=https://stats.wp.com/g.gif?v=1>", []),
    ("<img src='https://stats.e.org/matomo.php?idsite=1' width=300>", []),
    // A picture's own pixels tell where it may be one.
    ("<img src=a.png width=1 height=1>", [["a.png"]]),
    ("<img src=a.png width=1 height=1 style='display: none'>", []),
    ("<img src=https://www.facebook.com/tr/a.jpg>", [["https://www.facebook.com/tr/a.jpg"]]),
    ("<image src=a.png>", [["a.png"]]),
    (
      "<picture><source srcset='a.avif 800w' type=image/avif><source srcset='a.webp 800w' type=image/webp><img src=c.jpg></picture>",
      [["a.webp", "c.jpg", "a.avif"]]
    ),
    (
      "<picture><source srcset='a.avif 800w' type='image/AVIF; q=1'><source srcset='a.webp 400w' type=image/webp><img src=c.jpg></picture>",
      [["a.avif", "c.jpg", "a.webp"]]
    ),
    (
      "<picture><source srcset='a.avif 800w,b.avif 1600w' type=image/avif><source srcset=n.jpg media='(prefers-color-scheme: dark)'><img src=c.jpg></picture>",
      [["b.avif", "c.jpg", "a.avif"]]
    ),
    (
      "<picture><source srcset=a.jxl type=image/jxl><source data-srcset=b.webp></picture>",
      [["b.webp"]]
    ),
    ("<img data-src=a.jpg><noscript><img src=a.jpg></noscript>", [["a.jpg"]]),
    ("<img class=lazy><noscript><img src=a.jpg></noscript>", [["a.jpg"]]),
    ("<img class=lazy src=placeholder.png><noscript><img src=a.jpg></noscript>", [["a.jpg"]]),
    ("<noscript><img src=a.jpg></noscript><img data-src=b.jpg>", [["a.jpg"]]),
    (
      "<img src=a.jpg> words <noscript>Enable it <img src=b.jpg></noscript>",
      [["a.jpg"], ["b.jpg"]]
    ),
    // The replacement of a blurred image has its alternative text.
    (
      "<img src=b.jpg?w=9 alt=Dunes><noscript><img src=b.jpg?w=900 alt=Dunes></noscript>",
      [["b.jpg?w=900", "b.jpg?w=9"]]
    ),
    (
      "<img src=a.jpg alt=Dunes><noscript><img src=b.jpg alt=Sea></noscript>",
      [["a.jpg"], ["b.jpg"]]
    ),
    ("<video poster=p.jpg src=v.mp4></video>", [["p.jpg"]]),
    ("<audio src=s.mp3></audio>", [[]]),
    ("<p style='background-image:url(\"b.png\")'>x", [["b.png"]]),
    ("<p>a style=\"background-image:url(https://e.org/x)\" <code>&lt;img src=x></code>", []),
    ("<p title=' style=\"background-image:url(https://e.org/x)\" '>x", []),
  ])
  func `finds each image once, best address first`(_ html: String, _ expected: [[String]]) throws {
    #expect(try candidates(html) == expected)
  }

  @Test(arguments: [
    ("<a href=/x><img src=a.png></a><img src=b.png>", [true, false]),
    ("<img src=a.png><a href=/x>words</a><img src=b.png>", [false, false]),
    ("<a href=/x>one <b>two <img src=a.png></b> <img src=b.png></a>", [true, true]),
    ("<a href=/x>1</a><a href=/y><img src=a.png></a><p><img src=b.png>", [true, false]),
    (
      "<p><abbr title=x>a</abbr><img src=a.png></p><a href=/x><abbr>b</abbr><img src=b.png></a>",
      [false, true]
    ),
    (
      "<a href=/x><img src=a.png></a><audio src=s.mp3></audio><video src=v.mp4></video>",
      [true, false, false]
    ),
    ("<p>&lt;a href=/x&gt;<img src=a.png></p>", [false]),
  ])
  func `distinguishes images in links from others`(_ html: String, _ expected: [Bool]) throws {
    let slots = ImageExtractor.references(in: try sanitized(html).bytes).slots
    #expect(slots.map(\.isInLink) == expected)
  }

  @Test(arguments: [
    "blank.gif", "/i/Spacer.GIF", "x-pixel.gif", "transparent.png", "a/my-placeholder",
    "LAZYLOAD.jpg",
    "1x1.png", "1px.gif", "x/dot.gif", "img/loader.svg", "loading.gif?v=1", "lazy.gif", "grey.gif",
    "gray.gif",
  ])
  func `an image that holds the place of another is not one`(_ name: String) throws {
    #expect(try candidates("<img src='\(name)' data-src=l.png>") == [["l.png"]])
  }

  @Test(arguments: [
    ("", true), ("all", true), ("screen", true), ("print", false), ("not print", true),
    ("only screen and (min-width: 40em)", true), ("(max-width: 600px)", false),
    ("screen and (max-width:1000px), screen and (min-width:1200px)", true),
    ("(min-width: 3000px)", false), ("(600px <= width <= 1400px)", true), ("(width<900px)", false),
    ("(900px > width)", false), ("(orientation: portrait)", false),
    ("(orientation:landscape)", true),
    ("(prefers-color-scheme: dark)", false), ("(prefers-color-scheme: light)", true),
    ("not (prefers-color-scheme: dark)", true), ("(prefers-reduced-motion: reduce)", false),
    ("(prefers-reduced-motion)", false), ("(hover: none)", false),
    ("(min-aspect-ratio: 4/3)", true),
    ("(min-resolution: 192dpi)", true), ("(-webkit-min-device-pixel-ratio: 3)", false),
    ("(min-width:500px) and (max-width:900px)", false),
    ("(max-width:9px) or (min-width:9px)", true),
    ("((max-width:9px) or (min-width:9px)) and (hover)", true), ("(unknown: x)", false),
    ("(", false),
    ("not all and (min-width: 2000px)", true), ("screen and", false),
  ])
  func `a source is for a wide, light screen where its condition says so`(
    _ media: String, _ isMet: Bool
  ) throws {
    let html = "<picture><source media='\(media)' srcset=s.png><img src=i.png></picture>"
    #expect(try candidates(html) == [isMet ? ["s.png", "i.png"] : ["i.png"]])
  }

  @Test func `an image with a map is the same when it is sanitised again`() throws {
    let html = "<picture><source srcset=p.png><img src=m.png usemap=#a></picture>"
    let once = try sanitized(html).bytes
    #expect(try sanitized(text(once)).bytes == once)
    #expect(try candidates(html) == [["m.png"]])
  }

  @Test(arguments: ["blank.gifs/a.png", "loading-gif.png", "1x11.png", "pixel.png", "graygif"])
  func `an image that is only named alike is one`(_ name: String) throws {
    #expect(try candidates("<img src='\(name)' data-src=l.png>") == [["l.png", name]])
  }

  @Test func `lists every address once`() throws {
    let html = "<img src=a.png><img src=a.png><p style='background:url(a.png)'>x</p><img src=b.png>"
    let references = ImageExtractor.references(in: try sanitized(html).bytes)
    #expect(references.slots.count == 4)
    #expect(references.urls.map(\.path) == ["/dir/a.png", "/dir/b.png"])
  }

  @Test func `decodes images written into the page`() throws {
    let svg = "data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3C/svg%3E"
    let slots = ImageExtractor.references(in: try sanitized("<img src=\"\(svg)\">").bytes).slots
    let bytes = Array("<svg xmlns='http://www.w3.org/2000/svg'></svg>".utf8)
    #expect(slots.first?.candidates == [.inline(mediaType: "image/svg+xml", bytes: bytes)])
  }

  private func rewritten(_ html: String, _ replacement: ImageReplacement) throws -> String {
    let bytes = try sanitized(html).bytes
    let slots = ImageExtractor.references(in: bytes).slots
    return text(ImageRewriter.rewrite(bytes, slots: slots) { _ in replacement })
  }

  @Test func `puts a local image in place with its size and words`() throws {
    let html =
      "<p>a<img src=x.png srcset='y.png 2x' data-src=z.png alt='A &amp; B' title=T width=9>b"
    #expect(
      try rewritten(html, .local(path: "assets/1.png", width: 10, height: 20))
        == "<p>a<img src=\"assets/1.png\" alt=\"A &amp; B\" title=\"T\" width=\"10\" height=\"20\" loading=\"lazy\" decoding=\"async\">b</p>"
    )
  }

  @Test func `says what is missing and where it was`() throws {
    let missing = ImageReplacement.missing(reason: "not found", originalURL: nil)
    #expect(
      try rewritten("<img src=x.png alt='A <b>'>", missing)
        == "<span class=\"missing-image\"><span role=\"img\" aria-label=\"A &lt;b&gt;\">A &lt;b&gt;</span> <a href=\"https://example.org/dir/x.png\" rel=\"noreferrer noopener\">original</a> <small>(not found)</small></span>"
    )
    let linked = try rewritten("<a href=/y><img src=x.png></a>", missing)
    #expect(linked.components("<a ") == 1)
    #expect(linked.contains("https://example.org/dir/x.png"))
  }

  @Test(arguments: [
    ("a<img src=x.png alt='A <b> harbour'>b", "a A <b> harbour b"), ("a<img src=x.png>b", "ab"),
    (
      "<p>a</p><img id=i src=x.png alt=One><ul><li><a href=/y>a <img src=x.png alt=Two></a> b",
      "a\nOne\na Two b"
    ),
    ("<pre>a <img src=x.png alt='A  b'> c</pre>", "a A b c"),
  ])
  func `a placeholder of a missing image contributes its own text only`(
    html: String, expected: String
  ) throws {
    for reason in ["not found", "not (really) found"] {
      let missing = ImageReplacement.missing(reason: reason, originalURL: nil)
      let page = try rewritten(html, missing)
      #expect(try HTMLSanitizer().plainText(of: Array(page.utf8)) == expected, "\(page)")
    }
  }

  @Test(arguments: [
    (
      "<p>a <span class=\"missing-image\" role=\"img\" aria-label=\"A &lt;b> (no (way))\" id=\"c-i\">"
        + "A &lt;b> <a href=\"https://e.org/\">original</a> <small>(no (way))</small></span> b</p>",
      "a A <b> b"
    ),
    (
      "<p><a href=\"/y\"><span class=\"missing-image\" role=\"img\" aria-label=\"A (no)\">"
        + "A https://e.org/ <small>(no)</small></span></a>b</p>",
      "A b"
    ),
    (
      "<p>a<span class=\"missing-image\" role=\"img\" aria-label=\"Missing image (no)\">"
        + "Missing image <small>(no)</small></span>b</p>",
      "ab"
    ),
  ])
  func `earlier bundles' words for a missing image are no text either`(
    page: String, expected: String
  ) throws {
    #expect(try HTMLSanitizer().plainText(of: Array(page.utf8)) == expected)
  }

  @Test func `drops an image, a poster and a background`() throws {
    #expect(try rewritten("<p>a<img src=x.png>b", .drop) == "<p>ab</p>")
    #expect(
      try rewritten("<p>a<video src=v.mp4 poster=p.png></video>", .drop)
        == "<p>a <a href=\"https://example.org/dir/v.mp4\" rel=\"noreferrer noopener\">Video: https://example.org/dir/v.mp4</a></p>"
    )
    #expect(
      try rewritten("<p style='background:url(b.png);text-align:center'>x", .drop)
        == "<p style=\"text-align:center\">x</p>")
  }

  @Test func `leaves no address on the network but in links`() throws {
    let html =
      "<img src=a.png srcset='b.png 2x'><video src=v poster=p></video><audio src=s></audio><p style='background:url(b)'>x"
    let result = try rewritten(html, .local(path: "assets/a b.png", width: nil, height: nil))
    #expect(
      result.replacing(/<a href="[^"]*" rel="noreferrer noopener">[^<]*<\/a>/, with: "").components(
        "http") == 0)
    #expect(result.contains("background-image:url(assets/a%20b.png)"))
  }

  @Test func `players play the files of the bundle`() throws {
    let html =
      "<video src=/film.mp4 poster=/still.jpg></video><video src=/other.mp4></video>"
      + "<audio src=/sound.mp3></audio>"
    let result = try rewritten(html, .media(path: "assets/a.mp4", poster: "assets/b.jpg"))
    #expect(
      result.contains(
        "<video src=\"assets/a.mp4\" poster=\"assets/b.jpg\" controls=\"\" preload=\"metadata\"></video>"
      ))
    #expect(
      result.contains("<audio src=\"assets/a.mp4\" controls=\"\" preload=\"none\"></audio>"))
    #expect(!result.contains("http"))
  }

  @Test func `rewrites links to archived pages and adds a link to the original`() throws {
    let bytes = try sanitized(
      "<p><a href=/one?a=1&amp;b=2>One</a> <a href=/two>Two</a> <a href=#x>x</a>"
    ).bytes
    #expect(LinkRewriter.links(in: bytes).map(\.url.path) == ["/one", "/two"])
    let result = text(LinkRewriter.rewrite(bytes) { $0.path == "/one" ? "../one/index.html" : nil })
    #expect(
      result.hasPrefix(
        "<p><a href=\"../one/index.html\" rel=\"noreferrer noopener\">One</a><a class=\"origin\" href=\"https://example.org/one?a=1&amp;b=2\""
      ))
    #expect(result.contains("<a href=\"https://example.org/two\""))
    #expect(LinkRewriter.restored(Array(result.utf8)) == bytes)
  }

  @Test func `local links can be restored in any context`() throws {
    let html =
      "<ul><li><a href=/one>One <b>bold <i>x</i></b></a><a href=/two>Two</a></li>"
      + "<li><a id=k>anchor</a><a href='mailto:a@b.c'>mail</a> <a href=/three?q=%22&amp;x#part>3</a>"
      + "<a href=#x>x</a><a href=/four></a></ul><p><a href=/one>again</a>"
    let bytes = try sanitized(html).bytes
    for wanted: Set<String> in [
      ["/one"], ["/two", "/four"], ["/one", "/two", "/three", "/four"], ["/three"], [],
    ] {
      let local = LinkRewriter.rewrite(bytes) { url in
        wanted.contains(url.path) ? "../..\(url.path)/index.html" : nil
      }
      #expect((local == bytes) == wanted.isEmpty)
      #expect(text(LinkRewriter.restored(local)) == text(bytes))
    }
    #expect(LinkRewriter.restored(bytes) == bytes)
  }
}

extension String {
  fileprivate func components(_ separator: String) -> Int {
    split(separator: separator, omittingEmptySubsequences: false).count - 1
  }
}
