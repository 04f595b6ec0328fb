import ArchiverCore
import ArchiverMarkup
import Testing

/// The text that replaces images, whose tags are as the sanitiser writes them.
@Suite struct ImageReplacementTests {
  private static func slots(_ canonical: String) -> [ImageSlot] {
    ImageExtractor.references(in: Array(canonical.utf8)).slots
  }

  private static func rewritten(_ canonical: String, _ replacement: ImageReplacement) -> String {
    text(
      ImageRewriter.rewrite(Array(canonical.utf8), slots: slots(canonical)) { _ in replacement })
  }

  private static let every = """
    <video src="https://e.org/v" poster="https://e.org/p" width="640" height="360"></video>\
    <p style="background-image:url(https://e.org/b);">x</p><audio src="https://e.org/s"></audio>\
    <img src="https://e.org/i" alt="A &amp; B" title="T" width="9" height="8" usemap="#c-m" id="c-i">
    """

  @Test func `slots are in document order, whatever they are`() {
    #expect(Self.slots(Self.every).map(\.kind) == [.video, .background, .audio, .image])
  }

  @Test func `a slot has what its tag says`() throws {
    let slots = Self.slots(Self.every)
    let video = try #require(slots.first)
    #expect([video.width, video.height] == [640, 360])
    #expect(video.media?.absoluteString == "https://e.org/v")
    #expect(video.originalURL?.absoluteString == "https://e.org/p")
    let image = try #require(slots.last)
    #expect([image.width, image.height] == [9, 8])
    #expect([image.alt, image.title, image.map, image.id] == ["A & B", "T", "#c-m", "c-i"])
    #expect(image.media == nil)
    #expect(slots[2].candidates.isEmpty && slots[2].originalURL == nil)
  }

  private static let shown = " <small>(not every browser shows this format)</small></span>"

  @Test(arguments: [
    (
      "<img src=\"https://e.org/i\" alt=\"A\" id=\"c-i\">",
      "<span class=\"missing-image\" id=\"c-i\"><span role=\"img\" aria-label=\"A\"><picture>"
        + "<source srcset=\"assets/a%20b\" type=\"image/tiff\"><img alt=\"A\"></picture></span>"
        + " <a href=\"assets/a%20b\">TIFF</a>" + shown
    ),
    (
      "<a href=\"https://e.org/\"><img src=\"https://e.org/i\" alt=\"\"></a>",
      "<a href=\"https://e.org/\"><span class=\"missing-image\"><span role=\"img\" "
        + "aria-label=\"Image\"><picture><source srcset=\"assets/a%20b\" type=\"image/tiff\">"
        + "<img alt=\"Image\"></picture></span> assets/a b" + shown + "</a>"
    ),
  ])
  func `a format that few browsers show has a link to its file, but in another link`(
    canonical: String, expected: String
  ) {
    let replacement = ImageReplacement.rarelyShown(
      path: "assets/a b", mediaType: "image/tiff", name: "TIFF")
    #expect(Self.rewritten(canonical, replacement) == expected)
  }

  @Test func `the place of an image that is dropped stays a target of links`() {
    #expect(
      Self.rewritten("<p><img src=\"https://e.org/i\" id=\"c-i\">x</p>", .drop)
        == "<p><span id=\"c-i\"></span>x</p>")
  }

  @Test func `a missing image leads to the address that was tried, else to its best`() {
    func link(_ original: String?) -> String {
      Self.rewritten(
        "<img src=\"https://e.org/i\" alt=\"\">",
        .missing(reason: "no", originalURL: original.flatMap { WebURL($0) }))
    }
    #expect(link("https://e.org/tried").contains("href=\"https://e.org/tried\""))
    #expect(link(nil).contains("href=\"https://e.org/i\""))
    #expect(
      Self.rewritten("<img alt=\"A\">", .missing(reason: "no", originalURL: nil))
        == "<span class=\"missing-image\"><span role=\"img\" aria-label=\"A\">A</span> "
        + "<small>(no)</small></span>")
  }

  private static func link(_ name: String, _ address: String) -> String {
    " <a href=\"\(address)\" rel=\"noreferrer noopener\">\(name): \(address)</a>"
  }

  @Test func `a video without its file has the poster, if there is one, and a link`() {
    let video = Self.link("Video", "https://e.org/v")
    let still = ImageReplacement.local(path: "p", width: 2, height: 1)
    #expect(
      Self.rewritten(
        "<video src=\"https://e.org/v\" poster=\"https://e.org/p\"></video>", still)
        == "<img src=\"p\" alt=\"\" width=\"2\" height=\"1\" loading=\"lazy\" decoding=\"async\">"
        + video)
    #expect(Self.rewritten("<video src=\"https://e.org/v\"></video>", still) == video)
    #expect(
      Self.rewritten("<audio src=\"https://e.org/s\"></audio>", still)
        == Self.link("Audio", "https://e.org/s"))
  }

  @Test func `a video of the bundle has its declared size`() {
    #expect(
      Self.rewritten(
        "<video src=\"https://e.org/v\" width=\"640\" height=\"360\"></video>",
        .media(path: "v", poster: nil))
        == "<video src=\"v\" controls=\"\" preload=\"metadata\" width=\"640\" height=\"360\"></video>"
    )
  }

  @Test(arguments: [
    // The areas of a map are in the pixels of the page.
    ("width=\"300\" height=\"200\" usemap=\"#c-m\"", 600, 400, "300x200"),
    ("usemap=\"#c-m\"", 600, 400, "600x400"), ("width=\"300\" height=\"200\"", 600, 400, "600x400"),
    // Smaller squares are a ratio, larger ones no icons.
    ("width=\"12\" height=\"12\"", 600, 400, "12x12"), ("width=\"11\" height=\"11\"", 9, 8, "9x8"),
    ("width=\"64\" height=\"64\"", 600, 400, "64x64"), ("width=\"65\" height=\"65\"", 9, 8, "9x8"),
    // An emoji's file has at most 160 pixels a side.
    ("alt=\"😀\"", 160, 160, "20x20"), ("alt=\"😀\"", 160, 161, "160x161"),
    ("alt=\"😀\"", 161, 160, "161x160"),
  ])
  func `an image has the size of its file unless the page means another`(
    attributes: String, width: Int, height: Int, expected: String
  ) {
    let page = Self.rewritten(
      "<img src=\"https://e.org/i\" \(attributes)>",
      .local(path: "a", width: width, height: height))
    let sides = expected.split(separator: "x")
    #expect(page.contains(" width=\"\(sides[0])\" height=\"\(sides[1])\" "), "\(page)")
  }

  @Test func `a size that only the page knows is the page's`() {
    let page = Self.rewritten(
      "<img src=\"https://e.org/i\" width=\"300\" height=\"200\">",
      .local(path: "a", width: nil, height: nil))
    #expect(page.contains(" width=\"300\" height=\"200\" "), "\(page)")
  }

  @Test func `only a local image is a background`() {
    let page = "<p style=\"background-image:url(https://e.org/b);color:red\">x</p>"
    #expect(
      Self.rewritten(page, .local(path: "a b", width: nil, height: nil))
        == "<p style=\"background-image:url(a%20b);color:red\">x</p>")
    #expect(
      Self.rewritten(page, .missing(reason: "no", originalURL: nil))
        == "<p style=\"color:red\">x</p>")
  }

  @Test func `text between images stays in place`() {
    let page = "a<img src=\"https://e.org/1\">b<img src=\"https://e.org/2\">c"
    #expect(Self.rewritten(page, .drop) == "abc")
    #expect(Self.rewritten("no image", .drop) == "no image")
  }
}
