import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct StyleTests {
  private static func classes(_ html: String) -> Set<String> {
    var found: Set<String> = []
    var rest = html[...]
    while let start = rest.firstRange(of: "class=\"") {
      rest = rest[start.upperBound...]
      let value = rest.prefix { $0 != "\"" }
      found.formUnion(value.split(separator: " ").map(String.init))
    }
    return found
  }

  @Test func `every class in use is listed`() async throws {
    var html = (BlockGoldenTests.samples + BlockGoldenTests.moreSamples).map {
      Render.html([$0.block])
    }
    .joined()
    html += PropertyTests.samples.map(\.html).joined()
    let tasks = try DatabaseTests.tasks([
      ["type": "gallery"], ["type": "list"], ["type": "calendar"], ["type": "chart"],
      ["type": "timeline"], ["type": "form"], ["type": "dashboard"],
      ["type": "board", "configuration": ["group_by": ["property_id": "st%3D"]]],
    ])
    html += try await tasks.item().html
    let used = Self.classes(html)
    #expect(used.count > 50)
    #expect(used.subtracting(NotionStyle.classes) == [])
  }

  @Test func `every class begins with the prefix and has a rule or a reason`() {
    #expect(NotionStyle.classes.allSatisfy { $0.hasPrefix("n-") })
    let plain: Set<String> = [
      "n-comment", "n-page", "n-page-link", "n-fact", "n-pdf", "n-file", "n-meeting-part", "n-tabs",
      "n-view", "n-language", "n-group-title", "n-contents", "n-contents-1", "n-latex",
      "n-comments",
    ]
    for name in NotionStyle.classes.subtracting(plain) {
      #expect(NotionStyle.css.contains(".\(name)"), "\(name)")
    }
  }

  @Test func `the rules name no address and are balanced`() {
    let css = NotionStyle.css
    #expect(
      !css.contains("url(") && !css.contains("http") && !css.contains("@import")
        && !css.contains("<"))
    #expect(css.count { $0 == "{" } == css.count { $0 == "}" })
  }

  @Test(arguments: BlockGoldenTests.samples + BlockGoldenTests.moreSamples)
  func `the sanitiser keeps every block`(sample: BlockGoldenTests.Sample) throws {
    let clean = try HTMLSanitizer(SanitizerOptions(allowedClasses: NotionStyle.classes))
      .sanitize(Array(sample.html.utf8), baseURL: WebURL("https://www.notion.so/"))
    let kept = Self.classes(String(decoding: clean.bytes, as: UTF8.self))
    #expect(Self.classes(sample.html).subtracting(kept) == [])
    #expect(clean.dropped.scripts == 0)
    for name in ["<math", "<details", "<video", "<audio", "<th scope", "<ol start", "<time"] {
      let text = String(decoding: clean.bytes, as: UTF8.self)
      #expect(sample.html.contains(name) == text.contains(name), "\(name) in \(text)")
    }
  }
}
