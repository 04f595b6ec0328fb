import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// A single item never blocks the library update.
@Suite struct IsolationTests {
  private static let count = 100

  /// Builds a library of a hundred items with texts from `text`, in an in-memory catalog.
  private static func builder(
    _ root: String, _ change: (inout MemoryCatalog.State) -> Void = { _ in },
    _ text: @escaping SearchText.Read
  ) -> LibraryBuilder {
    var sample = SampleArchive()
    let items = (0..<count).map { number in
      var item = sample.item(number)
      item.metadata.title = "Item \(number)"
      return item
    }
    let catalog = MemoryCatalog(items)
    catalog.change(change)
    return LibraryBuilder(root: root, catalog: catalog, text: SearchText(text))
  }

  private static func key(_ number: Int) -> ItemKey {
    ItemKey(source: "readeck", id: "id\(number)")
  }

  /// The numbers of the items that the search index contains.
  private static func found(_ root: String) throws -> Int {
    try LibraryFiles.of(root).count { path, bytes in
      path.hasPrefix("library/text/") && String(decoding: bytes, as: UTF8.self).contains("harbour")
    }
  }

  @Test
  func `an item at which the process crashed twice is left out, and all others are searchable`()
    async throws
  {
    try await TemporaryFolder.with("library") { root in
      for _ in 0..<2 {
        await #expect(processExitsWith: .exitCode(CrashMark.exitCode)) { [root = root as String] in
          CrashMark.install()
          let builder = IsolationTests.builder(root) { row in
            if row.key.id == "id42" { raise(SIGILL) }
            return "A harbour."
          }
          _ = try builder.update(isChanged: true)
        }
      }
      let builder = Self.builder(root) { row in
        if row.key.id == "id42" { Issue.record("read again") }
        return "A harbour."
      }
      for isChanged in [true, false, true] {
        let troubles = try builder.update(isChanged: isChanged).troubles
        #expect(troubles.map(\.key) == [Self.key(42)])
        #expect(troubles.first?.isListed == true)
        #expect(troubles.first?.reason.contains("died repeatedly") == true)
        #expect(try Self.found(root) == 99)
      }
      // A rebuild retries it; the result equals that of a library without the failure.
      let healthy = Self.builder(root) { _ in "A harbour." }
      #expect(try healthy.rebuild().troubles == [])
      let files = try LibraryFiles.of(root)
      try await TemporaryFolder.with("other") { other in
        _ = try Self.builder(other) { _ in "A harbour." }.update(isChanged: true)
        #expect(
          try LibraryFiles.of(other).filter { $0.key != StatusData.path }
            == files.filter { $0.key != StatusData.path })
      }
      #expect(try healthy.update(isChanged: true).troubles == [])
    }
  }

  @Test func `an item whose record cannot be read is left out and named`() async throws {
    try await TemporaryFolder.with("library") { root in
      let builder = Self.builder(root, { $0.damaged = [Self.key(7)] }, { _ in "A harbour." })
      for isChanged in [true, false] {
        let troubles = try builder.update(isChanged: isChanged).troubles
        #expect(troubles.map(\.key) == [Self.key(7)])
        #expect(troubles.first?.isListed == false)
        #expect(try Self.found(root) == 99)
      }
      let mended = Self.builder(root) { _ in "A harbour." }
      #expect(try mended.update(isChanged: true).troubles == [])
      #expect(try Self.found(root) == 100)
    }
  }

  private struct Refused: Error {}

  @Test func `an item whose text is refused is listed, named and retried`() async throws {
    try await TemporaryFolder.with("library") { root in
      let builder = Self.builder(root) { row in
        if row.key.id == "id3" { throw Refused() }
        return "A harbour."
      }
      for isChanged in [true, false] {
        let troubles = try builder.update(isChanged: isChanged).troubles
        #expect(troubles.map(\.key) == [Self.key(3)])
        #expect(troubles.first?.isListed == true)
      }
      let index = try LibraryFiles.of(root).filter { $0.key.hasPrefix("library/data/records-") }
      let listed = index.values.map { String(decoding: $0, as: UTF8.self) }.joined()
      #expect(listed.contains("\"Item 3\""))
      let mended = Self.builder(root) { _ in "A harbour." }
      #expect(try mended.update(isChanged: true).troubles == [])
      #expect(try Self.found(root) == 100)
    }
  }

  @Test func `an error not caused by an item ends the update and blames none`() async throws {
    try await TemporaryFolder.with("library") { root in
      let full = Self.builder(root) { row in
        if row.key.id == "id3" { throw StorageError(.full, "full") }
        return "A harbour."
      }
      for _ in 0..<3 {
        #expect(throws: StorageError.self) { try full.update(isChanged: true) }
      }
      let mended = Self.builder(root) { _ in "A harbour." }
      let troubles = try mended.update(isChanged: true).troubles
      #expect(troubles == [])
    }
  }

  @Test func `an item is in the work journal before it is processed`() async throws {
    try await TemporaryFolder.with("library") { root in
      let builder = Self.builder(root) { row in
        let lines =
          (FileManager.default.contents(atPath: "\(root)/\(LibraryWork.workPath)") ?? Data())
          .split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.contains { $0.contains("\"\(row.key.id)\"") && $0.contains("\"text\"") })
        #expect(lines.count <= 64)
        return "A harbour."
      }
      _ = try builder.update(isChanged: true)
      #expect(!FileManager.default.fileExists(atPath: "\(root)/\(LibraryWork.workPath)"))
    }
  }

  /// Marks the work as ended by a crash.
  private static func crash(_ root: String) throws {
    let path = "\(root)/\(LibraryWork.workPath)"
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    try (bytes + Data("\n\"crash\"\n".utf8)).write(to: URL(filePath: path))
  }

  @Test func `a process that was killed twice leaves nothing out of the library`() async throws {
    try await TemporaryFolder.with("library") { root in
      _ = try Self.builder(root) { _ in "A harbour." }.update(isChanged: true)
      let subject = LibraryWork.Subject(key: Self.key(0), fingerprint: 7)
      for _ in 1...4 {
        try LibraryWork(root: root).begin(.row, [subject])
        let next = try LibraryWork(root: root)
        #expect(next.hasDied)
        #expect(next.standing(7) == .suspect)
      }
    }
  }

  @Test func `a process that died at the index of many items is helped by leaving those out`()
    async throws
  {
    try await TemporaryFolder.with("library") { root in
      _ = try Self.builder(root) { _ in "A harbour." }.update(isChanged: true)
      let subjects = (0..<2).map {
        LibraryWork.Subject(key: Self.key($0), fingerprint: UInt64($0))
      }
      for death in 1...3 {
        try LibraryWork(root: root).begin(.segment, subjects)
        try Self.crash(root)
        let next = try LibraryWork(root: root)
        #expect(next.hasDied)
        #expect(next.standing(0) == (death < 3 ? .suspect : .leftOut))
        #expect(next.troubles.count == (death < 3 ? 0 : 2))
      }
      // Both were removed from the archive.
      #expect(try Self.builder(root) { _ in "A harbour." }.update(isChanged: true).troubles == [])
    }
  }
}
