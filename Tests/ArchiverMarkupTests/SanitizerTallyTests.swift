import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// What the sanitiser counts, and where its limits are.
@Suite struct SanitizerTallyTests {
  @Test(
    arguments: [
      ("<input type=hidden>", [:]), ("<input type=text>", ["formControl": 1]),
      ("<input>", ["formControl": 1]), ("<style>p{}</style>", ["style": 1]),
      ("<datalist><option>x</datalist>", ["formControl": 1]),
    ] as [(String, [String: Int])])
  func `an element that is left out is counted once`(html: String, losses: [String: Int]) throws {
    for count in 1...2 {
      let result = try sanitized("<p>a</p>" + String(repeating: html, count: count))
      #expect(result.dropped == SanitizedHTML.Dropped(elements: count))
      let sum = losses.mapValues { $0 * count }
      #expect(result.losses == sum)
      #expect(result.plainText == "a")
    }
  }

  @Test(
    arguments: [
      ("<amp-youtube data-videoid=v></amp-youtube>", 1), ("<iframe src=/f></iframe>", 1),
      ("<iframe srcdoc=x></iframe>", 1), ("<object data=/o></object>", 1), ("<embed src=/e>", 1),
      ("<object data=/o.png></object>", 1), ("<embed src=/e.png>", 0), ("<object>a</object>", 0),
      ("<amp-youtube></amp-youtube>", 0),
    ] as [(String, Int)])
  func `an embedded document is counted once`(html: String, count: Int) throws {
    let result = try sanitized(html)
    #expect(result.dropped == SanitizedHTML.Dropped(embeds: count))
    let losses: [String: Int] = count > 0 ? ["embed": count] : [:]
    #expect(result.losses == losses)
  }

  @Test(
    arguments: [
      ("<a href=data:a,b>x</a>", 1, 1), ("<a href=javascript:a>x</a>", 1, 0),
      ("<a href='#'>x</a>", 1, 0), ("<a href='JavaScript:a'>x</a>", 1, 0), ("<a>x</a>", 0, 0),
      ("<a href=/x>x</a>", 0, 0), ("<map name=m><area href=data:a,b></map>", 1, 1),
    ] as [(String, Int, Int)])
  func `a link that is left out is counted, and is a loss if it led somewhere`(
    html: String, links: Int, losses: Int
  ) throws {
    let result = try sanitized(html)
    #expect(result.dropped == SanitizedHTML.Dropped(links: links))
    let expected: [String: Int] = losses > 0 ? ["link": losses] : [:]
    #expect(result.losses == expected)
  }

  private static func options(nodes: Int? = nil, images: Int? = nil) -> SanitizerOptions {
    var limits = SanitizerLimits()
    if let nodes { limits.nodes = nodes }
    if let images { limits.images = images }
    return SanitizerOptions(limits: limits)
  }

  @Test func `a page has as many elements as the limit, the root included`() throws {
    let options = Self.options(nodes: 5)
    let element = "<i>a</i>"
    #expect(try canonical(String(repeating: element, count: 4), options).hasPrefix(element))
    #expect(throws: MarkupError.self) {
      try canonical(String(repeating: element, count: 5), options)
    }
  }

  private static let image = "<img src=\"https://example.org/dir/a.png\" alt=\"\">"

  @Test(
    arguments: [
      // A drawing is content, the raster image in a drawing another.
      "<img src=a.png><svg width=600 height=400><path d='M0 0'/></svg>",
      "<svg viewBox='0 0 9 9'><image href=a.png /><image href=b.png /></svg>",
    ])
  func `a drawing beyond the limit of images is left out and is a loss`(html: String) throws {
    let result = try sanitized(html, Self.options(images: 1))
    #expect(text(result.bytes) == Self.image)
    #expect(result.losses == ["drawing": 1])
    #expect(result.mediaCount == 1)
  }

  @Test func `images, videos and sounds are as many as the limit`() throws {
    let all = "<img src=a.png><video src=v.mp4></video><audio src=s.mp3></audio>"
    #expect(try sanitized(all, Self.options(images: 3)).mediaCount == 3)
    for further in ["<img src=b.png>", "<video src=w.mp4></video>", "<object data=b.png></object>"]
    {
      #expect(throws: MarkupError.self) {
        try sanitized(all + further, Self.options(images: 3))
      }
    }
  }

  @Test(arguments: [
    ("<iframe srcdoc=x></iframe>", "<div>x</div>"), ("<noembed>x</noembed>", "<div>x</div>"),
    ("", ""),
  ])
  func `a base behind a document in the page counts`(frame: String, written: String) throws {
    #expect(
      try canonical("\(frame)<base href=https://b.example/><a href=y>z</a>")
        == written + "<a href=\"https://b.example/y\" rel=\"noreferrer noopener\">z</a>")
  }

  @Test(arguments: [(1_999, true), (2_000, false)])
  func `the id of a player has less than 2,000 bytes`(size: Int, isKept: Bool) throws {
    let id = String(repeating: "1", count: size)
    let shown = try canonical("<amp-vimeo data-videoid=\(id)></amp-vimeo>")
    #expect(shown.contains("href=\"https://vimeo.com/\(id)\"") == isKept)
    #expect(shown.isEmpty != isKept)
  }

  @Test(
    arguments: sides(
      of: #"""
        <center>a</center> => <div style="text-align:center">a</div>
        <center align=right>a</center> => <div style="text-align:right">a</div>
        <div>a</div> => <div>a</div>
        <sup>a<sup>b</sup></sup> => <sup>a<sup>b</sup></sup>
        <mark>a<mark>b</mark>c</mark> => <mark>abc</mark>
        <rd-annotation>a<rd-annotation>b</rd-annotation>c</rd-annotation> => <mark>abc</mark>
        <em>a<em>b</em>c</em> => <em>abc</em>
        """#))
  func `an element within itself is written if that has a meaning`(
    html: String, expected: String
  ) throws {
    #expect(try canonical(html) == expected)
  }
}
