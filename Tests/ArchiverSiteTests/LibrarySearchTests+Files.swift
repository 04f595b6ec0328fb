import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverSite

/// Searches of a library whose files are missing, damaged or being replaced.
extension LibrarySearchTests {
  private static func move(_ name: String, to other: String, _ stage: SearchStage) throws {
    try FileManager.default.moveItem(
      atPath: "\(stage.root)/\(name)", toPath: "\(stage.root)/\(other)")
  }

  @Test(arguments: [LibraryStamp.path, LibraryStore.path])
  func `without a complete library a search fails, and an update mends it`(path: String)
    async throws
  {
    try await with { stage in
      try FileManager.default.removeItem(atPath: "\(stage.root)/\(path)")
      // So that the search does not wait for an update to end.
      try Data("The disk was full".utf8).write(
        to: URL(filePath: "\(stage.root)/\(LibraryMark.path)"))
      #expect(throws: StorageError.self) { try stage.find("harbour") }
      _ = try stage.builder.update(isChanged: false)
      #expect(try stage.find("harbour").matches.count == 3)
    }
  }

  @Test func `a search waits for an update that installs its files`() async throws {
    try await with { stage in
      try Self.move(LibraryStamp.path, to: "aside", stage)
      var search = LibrarySearch(root: stage.root, catalog: stage.catalog)
      let pauses = Mutex(0)
      search.pause = {
        pauses.withLock { $0 += 1 }
        if pauses.withLock({ $0 }) == 2 { try? Self.move("aside", to: LibraryStamp.path, stage) }
      }
      #expect(try search.find(SearchQuery("harbour"), limit: 9).matches.count == 3)
      #expect(pauses.withLock { $0 } == 2)
    }
  }

  @Test func `while another version remakes the library, a search finds what it had`() async throws
  {
    try await TemporaryFolder.with("search") { root in
      let found = Mutex<[Int]>([])
      let stage = Mutex<SearchStage?>(nil)
      let made = try SearchStage(root) { row in
        guard row.title != "Piece 0", let stage = stage.withLock({ $0 }) else { return "Harbour." }
        let count = try stage.find("harbour").matches.count
        found.withLock { $0.append(count) }
        return "Elsewhere."
      }
      try made.record(Self.items())
      _ = try made.builder.update(isChanged: true)
      let path = "\(root)/\(LibraryStamp.path)"
      let program = try #require(LibraryStamp(root: root, language: "en")).program
      let stamp = try String(contentsOfFile: path, encoding: .utf8)
      try Data(stamp.replacing(program, with: "earlier").utf8).write(to: URL(filePath: path))
      stage.withLock { $0 = made }
      _ = try made.builder.update(isChanged: false)
      #expect(found.withLock { $0 } == [6, 6, 6, 6, 6])
      #expect(try made.find("harbour").matches.count == 1)
    }
  }

  @Test func `a search of an archive that another version wrote is refused`() async throws {
    try await with { stage in
      let path = "\(stage.root)/\(LibraryStamp.path)"
      let stamp = try String(contentsOfFile: path, encoding: .utf8)
      let other = stamp.replacing("\"searched\":", with: "\"searched\":1")
      #expect(other != stamp)
      try Data(other.utf8).write(to: URL(filePath: path))
      let error = #expect(throws: StorageError.self) { try stage.find("harbour") }
      #expect(error?.message.contains("another version") == true)
    }
  }

  /// Replaces each shard.
  private static func replaceShards(_ stage: SearchStage, _ content: String?) throws {
    let folder = "\(stage.root)/library/search"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count > 1)
    for name in names where name != "index.js" {
      let path = "\(folder)/\(name)"
      try FileManager.default.removeItem(atPath: path)
      try content.map { try Data($0.utf8).write(to: URL(filePath: path)) }
    }
  }

  @Test(arguments: [nil, "", "archiverSearch.shard(\"x\",\"\");\n"])
  func `a search without files of the index says so, and finds what is left`(content: String?)
    async throws
  {
    try await with { stage in
      try Self.replaceShards(stage, content)
      let lacking = try stage.find("harbour")
      #expect(lacking.isIncomplete && lacking.matches.isEmpty)
      #expect(try stage.find("label:land").matches.count == 5)
      _ = try stage.builder.update(isChanged: true)
      // An update restores what is missing, and a rebuild also what was changed.
      if content != nil { _ = try stage.builder.rebuild() }
      let found = try stage.find("harbour")
      #expect(!found.isIncomplete && found.matches.count == 3)
    }
  }

  @Test func `a changed item that the index lists in another form is reported`() async throws {
    try await with { stage in
      let path = "\(stage.root)/\(SearchIndex.manifestPath)"
      let index = try String(contentsOfFile: path, encoding: .utf8)
      #expect(index.hasSuffix(",[]);\n"))
      try Data((index.dropLast(5) + "[[\"x\",0]]);\n").utf8).write(to: URL(filePath: path))
      #expect(try stage.find("harbour").isIncomplete)
    }
  }

  @Test func `a list of whole titles in another form is reported`() async throws {
    try await with { stage in
      let path = "\(stage.root)/\(SearchIndex.manifestPath)"
      var arguments = try #require(
        SegmentList.arguments(Array(try Data(contentsOf: URL(filePath: path))), "index"))
      arguments[2] = .string("x")
      try Data(ScriptData.call("archiverSearch.index", arguments)).write(to: URL(filePath: path))
      let found = try stage.find("harbour")
      #expect(found.isIncomplete && found.matches.count == 3)
    }
  }

  @Test func `an item that left the catalog since is not counted`() async throws {
    try await with { stage in
      #expect(try stage.find("harbour").total == 3)
      let item = try stage.find("harbour").matches[0].item
      try stage.catalog.record([.remove(item.key, folder: item.folder)])
      let found = try stage.find("harbour")
      #expect(found.matches.count == 2 && found.total == 2)
    }
  }

  @Test func `an index with another number of items than the library is refused`() async throws {
    try await with { stage in
      let path = "\(stage.root)/\(SearchIndex.manifestPath)"
      var list = SegmentList(try SiteFiles(root: stage.root).bytes)
      let old = list.segments[0]
      list.segments[0] = SegmentList.Segment(
        name: old.name, itemCount: old.itemCount + 1, passages: old.passages, shards: old.shards)
      try Data(list.files(large: 9)[0].bytes).write(to: URL(filePath: path))
      let error = #expect(throws: StorageError.self) { try stage.find("harbour") }
      #expect(error?.code == .damaged)
    }
  }
}
