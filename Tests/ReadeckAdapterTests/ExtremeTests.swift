import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// A thousand bookmarks with extreme values in every member: each is archived or fails alone.
@Suite struct ExtremeTests {
  /// A thousand bookmarks have extreme values, the same in each answer; every sixth has none.
  private static func stage(hasSync: Bool) throws -> (ReadeckStage, healthy: Set<String>) {
    let stage = try ReadeckStage()
    if !hasSync { stage.server.behaviour.version = (0, 17, 0) }
    for number in 0..<1_200 {
      var bookmark = FakeReadeck.Bookmark(
        url: "https://example.org/\(number)", title: "Article \(number)",
        html: "<section><p>Text number \(number), with marked words.</p></section>")
      bookmark.wordCount = 6
      bookmark.readingTime = 1
      bookmark.labels = ["one", "two"]
      bookmark.authors = ["Somebody"]
      bookmark.image = FakeReadeck.Bookmark.Picture(
        "image.gif", "image/gif", [1], width: 1, height: 1)
      bookmark.errors = number % 5 == 1 ? ["failed"] : []
      if number % 10 < 2 {
        bookmark.highlights = [.init("marked words")]
      }
      stage.server.add(bookmark)
    }
    let extreme = Set(stage.server.ids.enumerated().filter { $0.offset % 6 > 0 }.map(\.element))
    stage.server.behaviour.makeExtreme(extreme)
    return (stage, Set(stage.server.ids).subtracting(extreme))
  }

  @Test func `members of a wrong type are named, and texts of a list are kept`() async throws {
    let stage = try ReadeckStage()
    stage.fill(2)
    stage.server.behaviour.rewriteRecord = { _, text in
      text.replacing(#""labels":[]"#, with: #""labels":["one",7,"two"]"#)
        .replacing(#""text_direction":"""#, with: #""text_direction":7"#)
        .replacing(#""icon""#, with: #""image":"none","icon""#)
        .replacing(#""authors":[]"#, with: #""authors":null"#)
    }
    let item = try await stage.adapter().fetch(stage.server.ids[0])
    #expect(item.metadata.labels == ["one", "two"])
    #expect(item.missing.map(\.name) == ["text_direction", "labels"])
    #expect(item.missing.allSatisfy { !$0.isEssential && $0.isPermanent })
  }

  @Test(arguments: [true, false])
  func `a thousand bookmarks are listed, and each is archived or fails alone`(hasSync: Bool)
    async throws
  {
    let (stage, healthy) = try Self.stage(hasSync: hasSync)
    let adapter = try stage.adapter()
    let listed = try await adapter.listed()
    #expect(healthy.isSubset(of: listed.ids))
    #expect(listed.ids.count >= 900 && !listed.gaps.isEmpty, "\(listed.ids.count)")
    #expect(!listed.isComplete && listed.checkpoint == nil)
    #expect(listed.ids.count == Set(listed.ids).count)
    var outcomes: [String: Int] = [:]
    for start in stride(from: 0, to: listed.references.count, by: 50) {
      let batch = Array(listed.references[start...].prefix(50))
      for (reference, outcome) in zip(batch, await adapter.items(batch)) {
        switch outcome {
        case .success(let item):
          #expect(item.reference.id == reference.id)
          outcomes[healthy.contains(reference.id) ? "healthy" : "archived", default: 0] += 1
          if healthy.contains(reference.id) { #expect(item.missing.isEmpty) }
        case .failure(let error):
          #expect(!error.endsSource, "\(error)")
          outcomes[healthy.contains(reference.id) ? "lost" : "failed", default: 0] += 1
        }
      }
    }
    #expect(outcomes["healthy"] == 200 && outcomes["lost"] == nil, "\(outcomes)")
    #expect(outcomes["archived"] ?? 0 > 500, "\(outcomes)")
  }
}
