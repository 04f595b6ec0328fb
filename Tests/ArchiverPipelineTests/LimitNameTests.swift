import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Every configurable limit, exceeded in a run.
@Suite struct LimitNameTests {
  private static let picture = "/pic/0-0.gif"

  /// Content that exceeds a limit, and the value of the limit.
  private struct Excess {
    var item: ScriptedSource.Item
    var value: Int
    var picture: ServerResponse?
  }

  private static func page(_ html: String) -> ScriptedSource.Item {
    ScriptedSource.Item(id: "item0", title: "Large", html: html)
  }

  private static func book(_ files: [(name: String, content: [UInt8])]) -> ScriptedSource.Item {
    let sample = SampleBook(files)
    var item = ScriptedSource.Item(id: "item0", title: "Large", html: nil)
    item.attachments = [
      Attachment(.file, .inline(sample.bytes), name: "a.epub", mediaType: "application/epub+zip")
    ]
    return item
  }

  private static func file() -> ScriptedSource.Item {
    var item = ScriptedSource.article(0, pictures: 0)
    if let url = WebURL(ScriptedSource.origin + picture) {
      item.attachments = [Attachment(.file, .remote(url), name: "long.bin")]
    }
    return item
  }

  /// A new limit does not compile without a case here that exceeds it.
  private static func excess(of limit: Limit) -> Excess? {
    let long = ServerResponse.data([UInt8](repeating: 1, count: 300_000))
    let text = Array(String(repeating: "<p>words</p>", count: 1_000).utf8)
    switch limit {
    case .imageSize:
      let large = ScriptedSource.gif("x") + [UInt8](repeating: 0, count: 5_000)
      return Excess(
        item: ScriptedSource.article(0), value: 4_000, picture: .data(large, type: "image/gif"))
    case .imageTime:
      let silent = ServerResponse.data(ScriptedSource.gif("x"), type: "image/gif")
      return Excess(
        item: ScriptedSource.article(0), value: 0,
        picture: silent.misbehaving(.stallAfter(3, .zero)))
    case .fileSize: return Excess(item: file(), value: 200_000, picture: long)
    case .unannouncedSize: return Excess(item: file(), value: 100_000, picture: long)
    case .attempts:
      var item = ScriptedSource.article(0)
      item.error = AdapterError(.unavailable, "it is not there today")
      return Excess(item: item, value: 1)
    case .htmlSize: return Excess(item: page("<p>words"), value: 3)
    case .htmlElements: return Excess(item: page("<p>a<p>b<p>c<p>d"), value: 3)
    case .images: return Excess(item: page("<img src=a><img src=b>"), value: 1)
    case .bookSize: return Excess(item: book([]), value: 10)
    case .bookTextSize: return Excess(item: book([]), value: 10)
    case .bookFileSize:
      return Excess(item: book([("a.png", [UInt8](repeating: 1, count: 2_000))]), value: 100)
    case .bookRatio:
      // Stored without compression, nothing expands.
      let large = Array(repeating: text, count: 100).flatMap { $0 }
      return Excess(item: book([("a.png", large)]), value: 0)
    case .bookEntries: return Excess(item: book([]), value: 2)
    // The rest of a book's text is not searched, but all of it is archived.
    case .searchedText: return nil
    case .bookPages: return Excess(item: book([("b.xhtml", SampleBook.page)]), value: 1)
    }
  }

  @Test(arguments: Limit.allCases)
  func `content beyond a limit fails and names the setting`(limit: Limit) async throws {
    guard let excess = Self.excess(of: limit) else {
      return #expect(limit == .searchedText)
    }
    let source = ScriptedSource()
    source.set(excess.item)
    source.picture(Self.picture, excess.picture)
    let expected = limit.note(excess.value)
    for (value, isNamed) in [(excess.value, true), (limit.range.upperBound, false)] {
      try await Bench.with(source) { bench in
        let report = try await bench.run { $0.limits[limit] = value }
        var words = report.failed.map(\.message)
        if report.archived > 0 { words.append(try bench.text("item0", "item.json")) }
        #expect(!words.isEmpty)
        #expect(words.contains { $0.contains(expected) } == isNamed, "\(words)")
      }
    }
  }
}
