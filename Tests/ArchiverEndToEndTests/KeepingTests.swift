import ArchiverCore
import ArchiverTestKit
import Testing

/// Retention, removal and return of items.
@Suite struct KeepingTests {
  @Test func `verify repair fetches again what is damaged, images from anew`() async throws {
    try await Stage.with(articles: 6) { stage in
      #expect(try await stage.run().code == 0)
      let bundles = try stage.bundles()
      let picture = try #require(
        try FileManager.default.contentsOfDirectory(atPath: bundles[0] + "/assets").first)
      // The same length: only the hash differs. The pool has the same file.
      let path = "\(bundles[0])/assets/\(picture)"
      let handle = try await Program.tool(
        "sh", ["-c", "printf '\\377' | dd of='\(path)' bs=1 seek=3 conv=notrunc"])
      #expect(handle.code == 0)
      try FileManager.default.removeItem(atPath: bundles[1] + "/index.html")
      try FileManager.default.removeItem(atPath: bundles[2])
      try FileManager.default.removeItem(atPath: bundles[3] + "/SHA256SUMS")
      #expect(try await stage.verify().code == 1)

      let repair = try await stage.archiver("verify", "--repair")
      #expect(repair.code == 0, "\(repair.output)\(repair.error)")
      #expect(repair.output.contains("fetched again"), "\(repair.output)")
      let verify = try await stage.verify()
      #expect(verify.code == 0, "\(verify.output)\(verify.error)")
      #expect(try stage.bundles() == bundles)
    }
  }

  @Test func `verify repair mends links to versions that are gone`() async throws {
    try await SourceStage.with(.readeck) { stage in
      #expect(try await stage.archiver("run", "--source", "readeck").code == 0)
      stage.changeOne()
      #expect(try await stage.archiver("run", "--source", "readeck", "--full").code == 0)
      let versions = stage.bundles().map { $0 + "/versions" }
      let gone = try #require(versions.first { FileManager.default.fileExists(atPath: $0) })
      try FileManager.default.removeItem(atPath: gone)
      let before = try await stage.verify()
      #expect(before.code == 1 && before.output.contains("a link leads to versions/"), "\(before)")
      let repair = try await stage.archiver("verify", "--repair")
      #expect(repair.code == 0, "\(repair)")
      let page = try Data(
        contentsOf: URL(filePath: gone.dropLast("versions".count) + "index.html"))
      #expect(!String(decoding: page, as: UTF8.self).contains("href=\"versions/"))
    }
  }

  @Test func `an item deleted at the source cannot be repaired, which is reported`() async throws {
    try await Stage.with(articles: 3) { stage in
      #expect(try await stage.run().code == 0)
      let bundle = try #require(try stage.bundles().first)
      try Data("x".utf8).write(to: URL(filePath: bundle + "/index.html"))
      for id in stage.readeck.ids { stage.readeck.delete(id) }
      let repair = try await stage.archiver("verify", "--repair")
      #expect(repair.code == 1, "\(repair.output)\(repair.error)")
      #expect(repair.output.contains("readeck: 0 of 1 damaged item"), "\(repair.output)")
      #expect(try stage.bundles().count == 3)
    }
  }

  @Test func `retry makes due what was given up`() async throws {
    try await Stage.with(articles: 2) { stage in
      let id = try #require(stage.readeck.ids.first)
      stage.tamper { request, response in
        request.path.contains(id) || request.path.hasSuffix("/sync") && request.method == "POST"
          ? .text("<p>no", type: "text/html") : response
      }
      _ = try await stage.archiver("run", "--source", "readeck", "--quiet")
      stage.tamper(nil)
      let early = try await stage.run()
      #expect(early.code == 0)
      let given = try await stage.archiver("retry")
      #expect(given.output.contains("No item was given up"), "\(given.output)")
      let failed = try await stage.archiver("retry", "--failed")
      #expect(failed.code == 0, "\(failed.error)")
      #expect(try await stage.run().code == 0)
      #expect(try stage.bundles().count == 2)
    }
  }

  @Test func `retry, repair and cleanup create no archive`() async throws {
    try await Stage.with(articles: 0) { stage in
      for words in [["retry"], ["repair", "--catalog"], ["cleanup", "--keep", "1"]] {
        let result = try await Program.run(words, home: stage.home, environment: stage.environment)
        #expect(result.code == 4, "\(words)")
        #expect(result.error.contains("no archive"), "\(result.error)")
        #expect(!FileManager.default.fileExists(atPath: stage.archive))
      }
    }
  }

  @Test(arguments: ["keep", "mark", "remove"])
  func `items gone from the source are kept, marked or removed`(policy: String) async throws {
    try await Stage.with(articles: 4) { stage in
      #expect(try await stage.run().code == 0)
      stage.readeck.delete(stage.readeck.ids[0])
      let words = ["run", "--source", "readeck", "--on-deleted", policy]
      let trial = try await Program.run(
        words + ["--dry-run"], home: stage.home, environment: stage.environment)
      let foretold = "  Article 0 (deleted at the source)\n"
      #expect(trial.error.contains(foretold) == (policy == "remove"), "\(trial.error)")
      #expect(trial.error.contains("Would remove 1 item") == (policy == "remove"))
      #expect(try stage.bundles().count == 4)
      let run = try await Program.run(words, home: stage.home, environment: stage.environment)
      #expect(run.code == 0)
      let sentence = "readeck: removed 1 item deleted at the source.\n"
      #expect(run.error.contains(sentence) == (policy == "remove"), "\(run.error)")
      #expect(try stage.bundles().count == (policy == "remove" ? 3 : 4))
      let list = try await stage.archiver("list")
      #expect(list.output.contains("deleted at the source") == (policy == "mark"), "\(list.output)")
      #expect(try await stage.verify().code == 0)
    }
  }

  @Test func `a source that is suddenly empty removes nothing`() async throws {
    try await Stage.with(articles: 12) { stage in
      let first = try await stage.run()
      #expect(first.code == 0)
      for id in stage.readeck.ids { stage.readeck.delete(id) }
      let second = try await stage.archiver(
        "run", "--source", "readeck", "--quiet", "--on-deleted", "remove")
      #expect(second.code == 1)
      #expect(second.error.contains("12 of 12 items are deleted at the source"), "\(second.error)")
      #expect(try stage.bundles().count == 12)
      let third = try await stage.archiver(
        "run", "--source", "readeck", "--quiet", "--on-deleted", "remove")
      #expect(third.code == 0 && third.error == "", "\(third.error)")
      #expect(try stage.bundles().count == 12)
    }
  }

  @Test(arguments: ["server", "local", "newer", "both"])
  func `an edited bundle meets a change at the source`(policy: String) async throws {
    try await Stage.with(articles: 2) { stage in
      #expect(try await stage.run().code == 0)
      let bundle = try #require(try stage.bundles().first { $0.contains("article-0") })
      let page = bundle + "/index.html"
      let edited =
        String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
        .replacing("word1 ", with: "MY-EDIT ")
      try Data(edited.utf8).write(to: URL(filePath: page))
      let id = try #require(
        stage.readeck.ids.first { stage.readeck.bookmark($0)?.title == "Article 0" })
      stage.readeck.update(id) { $0.html = ($0.html ?? "") + "<p>changed there</p>" }
      let run = try await stage.archiver(
        "run", "--source", "readeck", "--on-conflict", policy, "--quiet")
      #expect(run.code == 0, "\(run.error)")
      let now = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
      // Which is newer depends on the fake's clock; the next test sets the times.
      let staysLocal = policy == "local"
      if policy != "newer" {
        #expect(now.contains("MY-EDIT") == staysLocal)
        #expect(now.contains("changed there") == !staysLocal)
      }
      let kept = try await Program.tool("grep", ["-rl", "MY-EDIT", stage.archive + "/readeck"])
      #expect(kept.code == 0, "the edit is somewhere")
      if policy == "both" {
        #expect(kept.output.contains("-edited-"), "\(kept.output)")
        #expect(kept.output.contains("/versions/"), "\(kept.output)")
      }
      if !now.contains("MY-EDIT") {
        #expect(run.error.contains("edited here"), "\(run.error)")
        let verify = try await stage.verify()
        #expect(verify.code == 0, "\(verify.output)")
      }
    }
  }

  @Test(arguments: [("2020-01-01", false), ("2035-01-01", true)])
  func `the later one of an edit and a change is kept`(day: String, staysLocal: Bool) async throws {
    try await Stage.with(articles: 1) { stage in
      let first = try await stage.run()
      #expect(first.code == 0)
      let bundle = try #require(try stage.bundles().first)
      let edit = try await Program.tool(
        "sh",
        [
          "-c",
          "echo '<!-- MY-EDIT -->' >> '\(bundle)/index.html'; find '\(bundle)' -exec touch -d \(day) {} +",
        ])
      #expect(edit.code == 0, "\(edit.output)")
      stage.readeck.update(stage.readeck.ids[0]) { $0.html = ($0.html ?? "") + "<p>changed there" }
      let second = try await stage.run("--on-conflict", "newer")
      #expect(second.code == 0)
      let page = try Data(contentsOf: URL(filePath: bundle + "/index.html"))
      let text = String(decoding: page, as: UTF8.self)
      #expect(text.contains("MY-EDIT") == staysLocal)
      #expect(text.contains("changed there") == !staysLocal)
    }
  }

  @Test func `cleanup removes the oldest, keeps what is marked, and it does not come back`()
    async throws
  {
    try await Stage.with(articles: 8) { stage in
      let ids = stage.readeck.ids
      stage.readeck.update(ids[0]) { $0.isMarked = true }
      stage.readeck.highlight(ids[1], .init("word1 word2"))
      #expect(try await stage.run().code == 0)
      let trial = try await stage.archiver("cleanup", "--keep", "3", "--dry-run")
      #expect(trial.output.contains("nothing was removed"), "\(trial.output)")
      #expect(try stage.bundles().count == 8)

      let cleanup = try await stage.archiver("cleanup", "--keep", "3")
      #expect(cleanup.code == 0, "\(cleanup.error)")
      let left = try stage.bundles()
      #expect((3...5).contains(left.count), "\(left)")
      #expect(left.contains { $0.contains("article-0") })
      #expect(left.contains { $0.contains("article-1") })
      let verify = try await stage.verify()
      #expect(verify.code == 0, "\(verify.output)")
      let library = try await Program.tool(
        "grep", ["-rl", "Article 7", stage.archive + "/library"])
      let isLeft = left.contains { $0.contains("article-7") }
      #expect((library.code == 0) == isLeft, "the library follows: \(library.output)")

      let next = try await stage.run()
      #expect(next.summary["archived"]?.integer == 0)
      #expect(try stage.bundles() == left)
      let all = try await stage.archiver("cleanup", "--keep", "0", "--include-favourites")
      #expect(all.code == 0, "\(all.error)")
      #expect(try stage.bundles().isEmpty)
      let objects = try await Program.tool(
        "find", [stage.archive + "/.archiver/objects", "-type", "f"])
      #expect(objects.code == 0)
    }
  }

  @Test
  func
    `cleanup counts pinned items and favourites separately, and unpin reports pins of the source`()
    async throws
  {
    try await Stage.with(articles: 3) { stage in
      let ids = stage.readeck.ids
      stage.readeck.update(ids[0]) { $0.isMarked = true }
      stage.readeck.update(ids[1]) { $0.labels = ["Pinned"] }
      let folder = stage.home + "/config/archiver"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data("{ sources: { readeck: { pinLabel: 'pinned' } } }".utf8).write(
        to: URL(filePath: folder + "/config.json5"))
      #expect(try await stage.run().code == 0)
      #expect(try await stage.archiver("pin", ids[2]).output.hasPrefix("Pinned: "))
      let trial = try await stage.archiver("cleanup", "--keep", "0", "--dry-run")
      let sentence = "1 favourite or highlighted item stayed. 2 pinned items stayed.\n"
      #expect(trial.output.hasSuffix(sentence), "\(trial.output)")
      let json = try await stage.archiver(
        "cleanup", "--keep", "0", "--include-favourites", "--dry-run", "--json")
      #expect(json.output.contains("\"kept\":2,\"pinned\":2}"), "\(json.output)")

      let labelled = try await stage.archiver("unpin", ids[1])
      #expect(labelled.code == 0)
      #expect(
        labelled.output.hasPrefix("Protected by its source: readeck  \(ids[1])"),
        "\(labelled.output)")
      let other = try await stage.archiver("unpin", ids[0])
      #expect(other.output.hasPrefix("Not pinned before: readeck  \(ids[0])"), "\(other.output)")
      let pinned = try await stage.archiver("unpin", ids[2])
      #expect(pinned.output.hasPrefix("Unpinned: readeck  \(ids[2])"), "\(pinned.output)")
    }
  }

  @Test func `cleanup by age and size, and words it does not know`() async throws {
    try await Stage.with(articles: 4) { stage in
      #expect(try await stage.run().code == 0)
      let young = try await stage.archiver("cleanup", "--older-than", "2y")
      #expect(young.output.contains("Removed 0 items"), "\(young.output)")
      let roomy = try await stage.archiver("cleanup", "--max-size", "1G")
      #expect(roomy.output.contains("Removed 0 items"), "\(roomy.output)")
      let odd = try await stage.archiver("cleanup", "--older-than", "soon")
      #expect(odd.code == 2)
      let small = try await stage.archiver("cleanup", "--max-size", "10K")
      #expect(small.code == 0)
      #expect(try stage.bundles().count < 4)
    }
  }
}
