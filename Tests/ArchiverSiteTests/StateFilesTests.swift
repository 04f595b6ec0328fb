import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The parts that updates remember with.
@Suite struct StateFilesTests {
  @Test func `the hash of a text's path is that of the path`() {
    var sample = SampleArchive(seed: 3)
    var path = TextPath()
    for number in 0..<300 {
      let row = LibraryRow(sample.item(number), words: .english)
      for passage in [0, 1, 9, 10, 11, 123] {
        let hash = FileListing.hash(SearchIndex.textPath(row.textName, passage))
        #expect(path.hash(row, passage) == hash)
      }
    }
  }

  private func state(_ count: Int) -> TextState {
    var random = SplitMix(state: 6)
    var state = TextState()
    state.catalogMark = random.next()
    state.entries = (0..<count).map { _ in
      TextState.Entry(
        key: random.next(), content: random.next(), fingerprint: random.next(),
        passageCount: 1 + random.below(9), cataloged: random.next())
    }
    return state
  }

  @Test func `what is known of texts comes back, in any order`() {
    let written = state(40)
    var read = TextState(written.bytes)
    #expect(read.count == 40 && read.catalogMark == written.catalogMark)
    for entry in written.entries + written.entries.reversed() {
      let found = read.entry(entry.key)
      #expect(found?.content == entry.content && found?.cataloged == entry.cataloged)
      #expect(found?.fingerprint == entry.fingerprint)
      #expect(found?.passageCount == entry.passageCount)
    }
    #expect(read.foundCount == 80)
    #expect(read.entry(7) == nil)
    #expect(read.foundCount == 80)
  }

  @Test func `a file of texts that is cut, longer or changed anywhere tells nothing`() {
    let whole = state(5).bytes
    #expect(TextState(whole).count == 5)
    for count in 0..<whole.count { #expect(TextState(Array(whole.prefix(count))).count == 0) }
    #expect(TextState(whole + Array(repeating: 0, count: 40)).count == 0)
    for place in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[place] ^= 1 << UInt8(bit)
        #expect(TextState(damaged).count == 0)
      }
    }
    #expect(TextState(nil).count == 0)
    #expect(TextState(Array("readeck\ta\t1\t2\t1\n".utf8)).count == 0)
  }

  @Test func `a listing knows plain files and removes what is not wanted, but through no link`()
    async throws
  {
    try await TemporaryFolder.with("listing") { root in
      let manager = FileManager.default
      for folder in ["library/a/b", "library/empty/er", "outside"] {
        try manager.createDirectory(
          atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
      for file in ["library/1.js", "library/a/2.js", "library/a/b/3.js", "library/.x", "outside/4"]
      {
        try Data("x".utf8).write(to: URL(filePath: "\(root)/\(file)"))
      }
      for (link, target) in [("library/out", "outside"), ("library/a/4.js", "outside/4")] {
        try manager.createSymbolicLink(
          atPath: "\(root)/\(link)", withDestinationPath: "\(root)/\(target)")
      }
      let listing = FileListing("library", in: root)
      let hash = FileListing.hash
      for path in ["library/1.js", "library/a/2.js", "library/a/b/3.js", "library/.x"] {
        #expect(listing.contains(hash(path)), "\(path)")
      }
      for path in ["library/a", "library/a/4.js", "library/out", "library/out/4", "library/2.js"] {
        #expect(!listing.contains(hash(path)), "\(path)")
      }
      let removed = listing.removeAll(but: ["library/a/2.js", "library/new.js"].map(hash))
      #expect(
        removed.sorted() == [
          "library/.x", "library/1.js", "library/a/4.js", "library/a/b/3.js", "library/out",
        ])
      #expect(try manager.contentsOfDirectory(atPath: "\(root)/library") == ["a"])
      #expect(try manager.contentsOfDirectory(atPath: "\(root)/library/a") == ["2.js"])
      #expect(manager.fileExists(atPath: "\(root)/outside/4"))
      #expect(!FileListing("nowhere", in: root).contains(hash("nowhere/1")))
    }
  }

  @Test func `rows are counted the same whether they share what they have or not`() async throws {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 12)
      try FileManager.default.createDirectory(
        atPath: "\(root)/.archiver/library", withIntermediateDirectories: true)
      let rows = sample.items(200).enumerated().map { number, item in
        LibraryRow(item, words: .english, fingerprint: UInt64(number + 1))
      }
      var cache = RowCache(root: root, words: .english)
      for row in rows { cache.add(row) }
      cache.save()
      cache = RowCache(root: root, words: .english)
      let shared = rows.compactMap { cache.row($0.fingerprint) }
      #expect(shared.count == 200)
      let (one, two) = (RowCensus(rows, \.origin), RowCensus(shared, \.origin))
      #expect(one.groups.count == 200)
      #expect(two.groups.count < 80)
      #expect(
        one.names { [$0.source, $0.kind.rawValue] } == two.names { [$0.source, $0.kind.rawValue] })
      let sums = one.sums(rows, \.byteCount) { $0.site.map { [$0] } ?? [] }
      #expect(sums == two.sums(shared, \.byteCount) { $0.site.map { [$0] } ?? [] })
      #expect(sums.count > 3)
      #expect(
        RowCensus(rows, \.labelling).names(\.names) == RowCensus(shared, \.labelling).names(\.names)
      )
      #expect(FacetData.script(rows) == FacetData.script(shared))
    }
  }

  @Test func `a cache of long lists of labels is added to, and written anew when they left`()
    async throws
  {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 13)
      try FileManager.default.createDirectory(
        atPath: "\(root)/.archiver/library", withIntermediateDirectories: true)
      let rows = sample.items(120).enumerated().map { number, item in
        var item = item
        item.metadata.labels = (0..<100).map { "label \(number) \($0)" }
        return LibraryRow(item, words: .english, fingerprint: UInt64(number + 1))
      }
      func update(_ wanted: ArraySlice<LibraryRow>) throws -> (inode: UInt64, bytes: Int) {
        var cache = RowCache(root: root, words: .english)
        for row in wanted where cache.row(row.fingerprint) == nil { cache.add(row) }
        cache.save()
        let path = "\(root)/\(RowCache.path)"
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        return (
          try #require(facts[.systemFileNumber] as? UInt64), try #require(facts[.size] as? Int)
        )
      }
      let first = try update(rows[..<100])
      let second = try update(rows[..<110])
      #expect(second.inode == first.inode)
      #expect(second.bytes > first.bytes)
      let third = try update(rows[100...])
      #expect(third.bytes * 4 < second.bytes)
    }
  }
}
