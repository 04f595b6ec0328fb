import ArchiverCore
import Testing

@testable import ArchiverStorage

extension CatalogConformance {
  static let items = [
    CatalogConformance("an item comes back as it was published") {
      let item = Sample.item("a\u{0}/é", archived: 0.123456)
      try archive($0, item)
      #expect(try $0.item(item.key) == item)
      #expect(try $0.item(key("none")) == nil)
    },
    CatalogConformance("items come newest first until told to stop, per source") { catalog in
      try archive(
        catalog, Sample.item("a", archived: 1), Sample.item("b", archived: 3),
        Sample.item("c", source: "other", archived: 2))
      var seen: [String] = []
      try catalog.forEachItem(source: nil) {
        seen.append($0.key.id)
        // The catalog may be queried in the callback.
        return try catalog.itemCount(source: nil) == 3
      }
      #expect(seen == ["b", "c", "a"])
      seen = []
      try catalog.forEachItem(source: source) {
        seen.append($0.key.id)
        return false
      }
      #expect(seen == ["b"])
      #expect(try catalog.itemCount(source: source) == 2)
      #expect(try catalog.itemCount(source: "none") == 0)
    },
    CatalogConformance("a stored item tells its key and its record") { catalog in
      let items = [Sample.item("a\u{0}/é"), Sample.item("b"), Sample.item("a", source: "other")]
      for item in items { try archive(catalog, item) }
      var seen: [ItemKey: StoredItem.Record] = [:]
      try catalog.forEachStoredItem { _, key in
        key().id != "b"
      } _: { stored in
        seen[stored.key] = stored.record
      }
      // Records are read after their rows, and after their items changed.
      for item in items { try catalog.markUnchanged(item.key, revision: "later") }
      let wanted = items.filter { $0.key.id != "b" }
      #expect(
        try seen.mapValues { try $0.item() }
          == Dictionary(uniqueKeysWithValues: wanted.map { ($0.key, $0) }))
    },
    CatalogConformance("a fingerprint is of the record and the state, not of the revision") {
      catalog in
      var item = Sample.item("a")
      try archive(catalog, item)
      var found = [try fingerprint(catalog, item.key)]
      try catalog.markUnchanged(item.key, revision: "later")
      #expect(try fingerprint(catalog, item.key) == found[0])
      item.metadata.title += "!"
      try archive(catalog, item)
      found.append(try fingerprint(catalog, item.key))
      try enqueue(catalog, deleted: ["a"])
      found.append(try fingerprint(catalog, item.key))
      #expect(Set(found).count == 3)
    },
    CatalogConformance("an unchanged item takes its new revision and leaves the queue") {
      try archive($0, Sample.item("a"))
      try enqueue($0, Sample.reference("a", revision: "r2"))
      try $0.markUnchanged(key("a"), revision: "r2")
      #expect(try $0.item(key("a"))?.revision == "r2")
      #expect(try work($0).isEmpty)
      #expect(try enqueue($0, Sample.reference("a", revision: "r2")).unchanged == 1)
    },
    CatalogConformance("an address gives what it gave last") {
      var asset = CachedAsset(
        url: "https://example.org/a.png",
        object: StoredObject(sha256: String(repeating: "a", count: 64), byteCount: 3),
        mediaType: "image/png", width: 1, height: nil, etag: "\"x\"", lastModified: nil,
        freshUntil: Sample.now)
      for width in [1, 2] {
        asset.width = width
        let publication = Sample.publication(Sample.item("a"), assets: [asset])
        try $0.record([.publish(publication)])
        #expect(try $0.asset(url: asset.url) == asset)
      }
      #expect(try $0.asset(url: "https://example.org/") == nil)
    },
    CatalogConformance("intents are found until recorded or abandoned") {
      let publication = Sample.publication(Sample.item("a"))
      let first = Intent.publish(publication)
      let second = Intent.remove(key("b"), folder: "readeck/b")
      var announced = publication
      let object = StoredObject(sha256: String(repeating: "a", count: 64), byteCount: 3)
      announced.assets = [CachedAsset(url: "u", object: object, mediaType: "image/png")]
      try $0.announce([.publish(announced), second])
      // The assets are recorded in the bundle.
      #expect(try $0.intents() == [first, second])
      #expect(try $0.itemCount(source: nil) == 0)
      try $0.record([first])
      #expect(try $0.intents() == [second])
      try $0.abandon([key("b")])
      #expect(try $0.intents().isEmpty)
      #expect(try $0.itemCount(source: nil) == 1)
    },
    CatalogConformance("a recorded removal takes item and work away") {
      try archive($0, Sample.item("a"), retryImagesAt: Sample.now)
      try $0.record([.remove(key("a"), folder: "readeck/a")])
      #expect(try $0.item(key("a")) == nil)
      #expect(try work($0).isEmpty)
    },
  ]

  static let runs = [
    CatalogConformance("a run comes back as it ended; one that never ended died") {
      var run = RunRecord(source: source, kind: "readeck", started: Sample.now)
      _ = try $0.beginRun(run)
      #expect(try $0.runs(source: nil, limit: 9).map(\.outcome) == [nil])
      run.started += 60
      let second = try $0.beginRun(run)
      run.finished = Sample.now + 70
      run.outcome = .partial
      run.failure = "one item failed"
      (run.archived, run.unchanged, run.failed) = (1, 2, 3)
      (run.images, run.imagesMissing, run.byteCount) = (4, 5, 6)
      try $0.finishRun(second, run)
      let found = try $0.runs(source: source, limit: 9)
      #expect(found.map(\.outcome) == [.partial, .died])
      #expect(found.first == run)
      #expect(try $0.runs(source: nil, limit: 1).count == 1)
      #expect(try $0.runs(source: "other", limit: 9).isEmpty)
    },
    CatalogConformance("a source's status says how it stands and since when it fails") { catalog in
      #expect(try catalog.sources().isEmpty)
      let outcomes: [RunRecord.Outcome] = [.ok, .sourceFailed, .sourceFailed, .interrupted]
      for (index, outcome) in outcomes.enumerated() {
        var run = RunRecord(
          source: source, kind: "readeck", started: Sample.now + Double(index) * 60)
        let id = try catalog.beginRun(run)
        run.outcome = outcome
        run.finished = run.started + 5
        try catalog.finishRun(id, run)
      }
      var item = Sample.item("a")
      item.byteCount = 100
      try archive(catalog, item)
      let waiting = ["b", "c", "d", "e"].map { Sample.reference($0) }
      for reference in waiting { try enqueue(catalog, reference) }
      try catalog.recordFailure(key("b"), message: "m", nextAttempt: nil, gaveUp: false)
      try catalog.recordFailure(
        key("d"), message: "m", nextAttempt: Sample.now + 3600, gaveUp: false)
      try catalog.recordFailure(key("e"), message: "m", nextAttempt: nil, gaveUp: true)
      let status = try #require(try catalog.sources().first)
      #expect((status.source, status.kind) == (source, "readeck"))
      #expect((status.itemCount, status.byteCount) == (1, 100))
      #expect((status.waiting, status.failing) == (2, 3))
      #expect(status.lastRun?.outcome == .interrupted)
      #expect(status.lastSuccess == Sample.now + 5)
      #expect(status.failingSince == Sample.now + 60)
    },
  ]
}
