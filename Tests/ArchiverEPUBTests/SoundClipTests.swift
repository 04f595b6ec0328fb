import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// The part of a recording that belongs to a page.
@Suite struct SoundClipTests {
  @Test(
    arguments: [
      ("0:14:45", 885), ("0:14:45.5", 885.5), ("14:45", 885), ("885s", 885), ("12.5", 12.5),
      ("3min", 180), ("1.5h", 5_400), ("250ms", 0.25), (" 7s ", 7), ("", nil), ("s", nil),
      ("1:2:3:4", nil), ("-1s", nil), ("1e9", nil), ("nan", nil), ("1001h", nil), ("1:x", nil),
    ] as [(String, Double?)])
  func `clock values are read as SMIL defines them`(text: String, seconds: Double?) {
    #expect(SoundClip.seconds(text) == seconds)
  }

  @Test func `the fragment names the part from the first clip to the last`() {
    let first = SoundClip(begin: 885, end: 900)
    #expect(first.fragment == "#t=885,900")
    #expect(first.joined(SoundClip(begin: 899.25, end: 1_000.5)).fragment == "#t=885,1000.500")
    #expect(first.joined(SoundClip(begin: 0, end: nil)).fragment == "")
    #expect(SoundClip(begin: 5).fragment == "#t=5" && SoundClip().fragment == "")
    #expect(SoundClip(begin: 5, end: 2).fragment == "#t=5", "an end before the start is none")
  }

  @Test func `each page plays its own part of a recording that several share`() throws {
    func overlay(_ page: String, _ clips: [(String, String)]) -> [UInt8] {
      let parts = clips.map {
        "<par><text src=\"\(page)#w\"/><audio src=\"s.mp3\" clipBegin=\"\($0.0)\" clipEnd=\"\($0.1)\"/></par>"
      }
      let body = parts.joined()
      return Array(
        "<smil xmlns=\"http://www.w3.org/ns/SMIL\" version=\"3.0\"><body>\(body)</body></smil>".utf8
      )
    }
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("t")), ("b.xhtml", BookBuilder.page("u"))],
      files: [
        (
          "a.smil", "application/smil+xml", overlay("a.xhtml", [("0s", "30s"), ("30s", "0:14:45")])
        ),
        ("b.smil", "application/smil+xml", overlay("b.xhtml", [("0:14:45", "0:20:00")])),
        ("s.mp3", "audio/mpeg", Array("ID3".utf8)),
      ])
    builder.rewritePackage {
      $0.replacing("href=\"a.xhtml\"", with: "href=\"a.xhtml\" media-overlay=\"f0\"")
        .replacing("href=\"b.xhtml\"", with: "href=\"b.xhtml\" media-overlay=\"f1\"")
    }
    let sink = MemorySink()
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(sink.text("text/0001.html").contains("src=\"../assets/0001.mp3#t=0,885\""))
    #expect(sink.text("text/0002.html").contains("src=\"../assets/0001.mp3#t=885,1200\""))
  }
}
