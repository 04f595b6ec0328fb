import ArchiverCore
import ArchiverMarkup
import Testing

/// Highlights, players, frames, fields and drawings: what is left of each.
struct KeptRemainderTests {
  private func highlight(
    _ id: String, _ color: String, _ note: String? = nil, _ text: String = "x"
  ) -> SanitizedHTML.Highlight {
    SanitizedHTML.Highlight(id: id, color: color, note: note, text: text)
  }

  @Test(arguments: [
    ("class='hl hl-red'", "red"), ("class='hl-blue hl-red'", "blue"), ("class='hl'", "yellow"),
    ("class='hl-pink'", "other"), ("class='hl-'", "yellow"), ("class='hl-GREEN'", "green"),
    ("", "yellow"),
  ])
  func `a mark's first colour is the highlight's`(attributes: String, color: String) throws {
    let result = try sanitized("<mark data-hl=K \(attributes)>x</mark>")
    #expect(result.annotations == [highlight("K", color)])
    #expect(
      text(result.bytes)
        == "<mark id=\"hl-K\" class=\"hl hl-\(color)\" data-hl=\"K\">x</mark>")
  }

  @Test func `a mark without a key is no highlight`() throws {
    let result = try sanitized("<mark data-hl=''>x</mark><rd-annotation id=''>y</rd-annotation>")
    #expect(result.annotations.isEmpty)
    #expect(text(result.bytes) == "<mark>x</mark><mark>y</mark>")
  }

  @Test func `a highlight's id is its key, without the source's prefix`() throws {
    for id in ["annotation-K", "K"] {
      #expect(
        try sanitized("<rd-annotation id=\(id)>x</rd-annotation>").annotations == [
          highlight("K", "yellow")
        ])
    }
  }

  @Test(arguments: [
    ("<rd-annotation id=K>fo</rd-annotation><rd-annotation id=K>x</rd-annotation>", "fox"),
    ("<rd-annotation id=K>a</rd-annotation> b <rd-annotation id=K>c</rd-annotation>", "a c"),
    (
      "<rd-annotation id=K>a <rd-annotation id=K>b</rd-annotation> c</rd-annotation>", "a b c"
    ),
    ("<p><rd-annotation id=K>a</rd-annotation><p><rd-annotation id=K>b</rd-annotation>", "a b"),
    ("<rd-annotation id=K></rd-annotation>a", ""),
  ])
  func `a highlight's words are those of its pieces, each once`(html: String, words: String) throws
  {
    #expect(try sanitized(html).annotations.map(\.text) == [words])
  }

  @Test func `the first note of a highlight is kept, and no words of its sign`() throws {
    let note = "<sup class=hl-note><a href=#note-K title=N>words<script>1</script></a></sup>"
    let result = try sanitized("\(note)\(note.replacing("=N", with: "=M"))<mark data-hl=K>x</mark>")
    #expect(result.annotations == [highlight("K", "yellow", "N")])
    #expect(!text(result.bytes).contains("words"))
    #expect(result.plainText == "x")
    #expect(try canonical("<sup class=hl-note>a</sup>b<sup class=x>c</sup>") == "b<sup>c</sup>")
    #expect(
      try canonical(
        "<sup class=hl-note><a href=/note-K title=N>a</a></sup><sup class=hl-note data-hl=K></sup>")
        == "<sup class=\"hl-note\"><a href=\"#note-K\" target=\"_self\" title=\"\">✎</a></sup>")
  }

  @Test(
    arguments: sides(
      of: #"""
        <video><source src=a.mp4><source src=b.mp4></video> => <video src="/a.mp4" controls=""></video>
        <video src=v.mp4><source src=b.mp4></video> => <video src="/v.mp4" controls=""></video>
        <video data-src=v.mp4 data-video-src=w.mp4></video> => <video src="/v.mp4" controls=""></video>
        <video src=v.mp4 data-poster=p.png poster=q.png></video> => <video src="/v.mp4" poster="/q.png" controls=""></video>
        <audio src=s.mp3 poster=p.png width=3></audio> => <audio src="/s.mp3" controls=""></audio>
        <audio poster=p.png></audio>a => a
        <video id=k></video>a => <span id="c-k"></span>a
        <video src=v.mp4><track src=t.vtt></video> => <video src="/v.mp4" controls=""></video> <a href="/t.vtt" rel="noreferrer noopener">subtitles</a>
        <video src=v.mp4><track src=t.vtt label='' srclang=de kind=captions></video> => <video src="/v.mp4" controls=""></video> <a href="/t.vtt" rel="noreferrer noopener">de</a>
        <video src=v.mp4><track src=t.vtt kind=METADATA><track></video> => <video src="/v.mp4" controls=""></video>
        <a href=/x><video src=v.mp4><track src=t.vtt></video>a</a> => <a href="https://example.org/x" rel="noreferrer noopener"><video src="/v.mp4" controls=""></video> a</a>
        """#))
  func `a player has its first address, and its subtitles as links`(
    html: String, expected: String
  ) throws {
    let shown = try canonical(html).replacing("https://example.org/dir/", with: "/")
    #expect(shown == expected)
  }

  @Test func `a player has at most 50 subtitles, and counts as an image`() throws {
    let tracks = (0..<51).map { "<track src=\($0).vtt>" }.joined()
    let result = try sanitized("<video src=v.mp4>\(tracks)</video><img src=a.png>")
    #expect(text(result.bytes).ranges(of: "<a href").count == 50)
    #expect(result.mediaCount == 2)
  }

  @Test(arguments: [
    ("<object data=/o.png></object>", true), ("<object data=/o.PNG?x#y></object>", true),
    ("<object data=/o type=image/svg+xml></object>", true),
    ("<object data=/o.png type=''></object>", true),
    ("<object data=/o.png type=text/html></object>", false),
    ("<object data=/o?x=.png></object>", false),
    ("<embed src=/o.webp>", true), ("<embed src=/o.mp4>", false),
    ("<embed src=/o type=IMAGE/png>", true),
    ("<iframe src=/o.png>", false),
  ])
  func `an embedded image is shown`(html: String, isImage: Bool) throws {
    let shown = try canonical(html)
    #expect(shown.contains("<img src=\"https://example.org/o") == isImage, "\(shown)")
    #expect(shown.contains("class=\"embed\"") != isImage, "\(shown)")
  }

  @Test(arguments: [
    ("", true), ("width=1 height=1", false), ("width=0", true), ("width=2 height=1", true),
    ("width=1 height=2", true), ("style='Display : none'", false),
    ("style='visibility: hidden'", false), ("style='display:block'", true),
  ])
  func `an embedded page that its page hides leaves no link but counts`(
    attributes: String, isShown: Bool
  ) throws {
    for html in [
      "<iframe src=/f \(attributes)></iframe>", "<object data=/f \(attributes)></object>",
    ] {
      let result = try sanitized(html)
      #expect(text(result.bytes).contains("https://example.org/f") == isShown)
      #expect(result.losses == ["embed": 1] && result.dropped.embeds == 1)
    }
  }

  @Test(
    arguments: sides(
      of: #"""
        <iframe src=javascript:1 data-x=https://e.org/1 data-y=https://e.org/2></iframe> => https://e.org/1
        <iframe data-lazy-src=/a data-x=https://e.org/1></iframe> => https://example.org/a
        <iframe src=/a data-src=/b></iframe> => https://example.org/a
        <iframe data-x=words data-y=//e.org/2></iframe> => https://e.org/2
        <iframe x=https://e.org/1></iframe> =>
        <amp-youtube data-videoid='' data-live-channelid=c></amp-youtube> => https://www.youtube.com/channel/c/live
        <amp-youtube data-videoid=v data-live-channelid=c></amp-youtube> => https://www.youtube.com/watch?v=v
        <amp-youtube></amp-youtube> =>
        <amp-instagram data-shortcode=s></amp-instagram> => https://www.instagram.com/p/s/
        <script src=//gist.github.com/u/1.js></script> => https://gist.github.com/u/1
        <script src=https://asciinema.org/a/1.js></script> => https://asciinema.org/a/1
        <script src=https://gist.github.com/u/1></script> =>
        <script src=https://e.org/1.js></script> =>
        """#))
  func `what a page embeds is kept as a link`(html: String, address: String) throws {
    let link =
      "<p class=\"embed\"><a href=\"\(address)\" rel=\"noreferrer noopener\">Embedded content: \(address)</a></p>"
    #expect(try canonical(html) == (address.isEmpty ? "" : link))
  }

  @Test func `an embedded page in a link is a part of the link, its title is kept`() throws {
    #expect(
      try canonical("<a href=/x><iframe src=/f></iframe></a>")
        == "<p class=\"embed\"><a href=\"https://example.org/x\" rel=\"noreferrer noopener\">"
        + "Embedded content: https://example.org/f</a></p>")
    #expect(try canonical("<iframe src=/f title=T></iframe>").contains("<a title=\"T\" href="))
    #expect(try !canonical("<iframe src=/f title=''></iframe>").contains("title"))
  }

  @Test func `a page has at most 100 documents in frames`() throws {
    let result = try sanitized(String(repeating: "<iframe srcdoc=x></iframe>", count: 101))
    #expect(result.plainText.filter { $0 == "x" }.count == 100)
    #expect(result.losses == ["embed": 102])
  }

  @Test(
    arguments: sides(
      of: #"""
        <input type=checkbox>a => ☐ a
        <input type=radio checked>a => ◉ a
        a<input type=reset value=R>b => a R b
        a<input type=button>b => a b
        <input id=k>a => <span id="c-k"></span>a
        <select><option>a<option>b<option>c</select> => a · b · c
        <select><option>a</select><select><option>b</select> => a b
        <select><option label=L></option><option label=M>x</option></select> => L · x
        <select><optgroup label=g><option>x</optgroup><optgroup label=h><option>y</optgroup></select> => g: x · h: y
        <select><optgroup label=''><option>x<option>y</optgroup></select> => x · y
        """#))
  func `fields show their state and their choices`(html: String, expected: String) throws {
    #expect(try canonical(html) == expected)
  }

  @Test(arguments: [
    ("<path/><path/>", false), ("<path/><path/><path/>", true), ("<text>W</text>", true),
    ("<g/><g/><g/>", false),
  ])
  func `a drawing with a label is content if it has three elements, one of them a shape`(
    content: String, isKept: Bool
  ) throws {
    let shown = try canonical("<svg viewBox='0 0 400 200' aria-label=L>\(content)</svg>")
    #expect(shown.contains("<img src=\"data:image/svg+xml;base64,") == isKept, "\(shown)")
    let unlabelled = try canonical("<svg viewBox='0 0 400 200'>\(content)</svg>")
    #expect(unlabelled.contains("<img") == content.contains("text"), "\(unlabelled)")
  }

  @Test func `links in a drawing count as lost unless they lead into it or run a script`() throws {
    let links =
      "<a href=/x></a><a xlink:href=/y></a><a href=#z></a><a href=javascript:1></a><a></a>"
    for end in ["</svg>", "<p>"] {
      let result = try sanitized("<svg width=200 height=100><path/>\(links)\(end)")
      #expect(result.losses["link"] == 2)
    }
  }

  @Test func `a drawing's description has at most 1000 characters`() throws {
    func alt(_ count: Int) throws -> String? {
      let words = String(repeating: "a", count: count)
      return try sanitized("<svg width=200 height=100><text>\(words)</text></svg>").firstImageAlt
    }
    #expect(try alt(1_000)?.count == 1_000)
    #expect(try alt(1_001)?.count == 1_000)
  }

  @Test func `the first words for an image are the page's`() throws {
    let result = try sanitized("<img src=a.png><img src=b.png alt=B><img src=c.png alt=C>")
    #expect(result.firstImageAlt == "B")
    #expect(result.mediaCount == 3)
  }

  @Test(
    arguments: sides(
      of: #"""
        <img src=x.png data-src=b.png data-hi-res-src=a.png> => <img src="/x.png" data-src="/a.png" alt="">
        <img src=x.png data-src=javascript:1 data-original=o.png> => <img src="/x.png" data-src="/o.png" alt="">
        <img src=x.png data-src=x.png> => <img src="/x.png" alt="">
        <img src=x.png data-src=blank.gif> => <img src="/x.png" alt="">
        <img src=blank.gif data-src=x.png> => <img data-src="/x.png" alt="">
        <img src=blank.gif> => <img src="/blank.gif" alt="">
        <img src=x.png srcset='a.png 1x, a.png 2x, b.png 300w, c.png'> => <img src="/x.png" srcset="/a.png 1.0x, /b.png 300w, /c.png 1.0x" alt="">
        <img src=x.png title='' alt=A> => <img src="/x.png" alt="A">
        <img src=x.png usemap=m> => <img src="/x.png" alt="">
        <img src=x.png srcset='y.png 2x' width=9 usemap=#m> => <img src="/x.png" srcset="/y.png 2.0x" alt="" width="9" usemap="#c-m">
        <img id=k src='/t?x=1' width=1 height=1>a => <span id="c-k"></span>a
        <img id=k>a => <span id="c-k"></span>a
        <img alt=A> => <img alt="A">
        <picture><picture><img src=x.png></picture><img src=y.png></picture> => <img src="/x.png" alt=""><img src="/y.png" alt="">
        <picture><source srcset=a.png><img src=x.png><img src=y.png></picture> => <img src="/x.png" srcset="/a.png 1.0x" alt=""><img src="/y.png" alt="">
        <picture><source srcset=a.png><source srcset=b.png></picture> => <img src="/b.png" srcset="/a.png 1.0x" alt="">
        <picture><source srcset=a.jxl type=image/jxl><source srcset=b.png media=print></picture> => <img srcset="/a.jxl 1.0x, /b.png 1.0x" alt="">
        <picture></picture>a => a
        """#))
  func `an image has its addresses in their order`(html: String, expected: String) throws {
    #expect(try canonical(html).replacing("https://example.org/dir/", with: "/") == expected)
  }
}
