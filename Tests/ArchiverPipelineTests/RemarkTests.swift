import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

/// Highlights and comments: additions make no version, removals do.
struct RemarkTests {
  private static let words = (0..<80).map { "word\($0)" }.joined(separator: " ")

  private func html(_ comments: [String]) -> String {
    let list = comments.map { "<div><p>\($0)</p></div>" }.joined()
    return "<p>\(Self.words)</p>" + (comments.isEmpty ? "" : "<div class=\"remarks\">\(list)</div>")
  }

  private func item(_ comments: [String] = [], _ annotations: [Annotation] = [])
    -> ScriptedSource.Item
  {
    var item = ScriptedSource.article(0, pictures: 0)
    item.html = html(comments)
    item.annotations = annotations
    return item
  }

  @Test func `a comment that leaves makes a version, one that comes none`() async throws {
    try await Bench.with(ScriptedSource(count: 0)) { bench in
      bench.source.set(item(["first"]))
      _ = try await bench.run()
      for (revision, comments, versions) in [
        ("2", ["first", "second"], 0), ("3", ["second"], 1), ("4", [], 2), ("5", ["third"], 2),
      ] {
        var changed = item(comments)
        changed.revision = revision
        bench.source.set(changed)
        #expect(try await bench.run().archived == 1)
        let found = try bench.item("item0").versions
        #expect(found.count == versions, "\(comments)")
      }
      let pages = try bench.item("item0").versions.map {
        try bench.text("item0", "versions/\($0)/index.html")
      }
      #expect(pages.contains { $0.contains("first") && $0.contains("second") })
    }
  }

  @Test func `a highlight or a note that leaves makes a version, another id or colour none`()
    async throws
  {
    let first = Annotation(id: "a", text: "word3", note: "see", color: "red")
    try await Bench.with(ScriptedSource(count: 0)) { bench in
      bench.source.set(item([], [first]))
      _ = try await bench.run()
      for (revision, annotation, versions) in [
        ("2", Annotation(id: "b", text: "word3", note: "see", color: "blue"), 0),
        ("3", Annotation(id: "b", text: "word3", note: "look", color: "blue"), 1),
        ("4", nil, 2),
      ] {
        var changed = item([], annotation.map { [$0] } ?? [])
        changed.revision = revision
        bench.source.set(changed)
        #expect(try await bench.run().archived == 1)
        #expect(try bench.item("item0").versions.count == versions, "revision \(revision)")
      }
    }
  }

  @Test func `remarks of a bundle without their digests are found in its page`() async throws {
    try await Bench.with(ScriptedSource(count: 0)) { bench in
      bench.source.set(item(["first"]))
      _ = try await bench.run()
      let record = try bench.text("item0", "item.json")
      let old = try ItemRecord(json: Array(record.utf8), path: "item.json")
      #expect(old.remarks?.count == 1)
      var without = old
      without.remarks = nil
      without.words = nil
      try bench.write("item0", "item.json", String(decoding: without.json(), as: UTF8.self))
      var changed = item([])
      changed.revision = "2"
      bench.source.set(changed)
      #expect(try await bench.run().archived == 1)
      #expect(try bench.item("item0").versions.count == 1)
    }
  }
}
