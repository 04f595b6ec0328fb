import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// Damaged files, links, killed processes.
extension LibraryStoreTests {
  @Test func `a file cut or changed anywhere is remade`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(6)
      try update(root, rows)
      let whole = [path(root), "\(root)/\(LibraryStamp.path)"]
      let bytes = try whole.map(file)
      #expect(try update(root, rows).found == 6)
      var random = SplitMix(state: 2)
      for round in 0..<200 {
        for (path, bytes) in zip(whole, bytes) { try bytes.write(to: URL(filePath: path)) }
        var damaged = bytes[round % 2]
        let place = random.below(damaged.count)
        if random.below(3) == 0 {
          damaged = damaged.prefix(place)
        } else {
          damaged[place] ^= UInt8(1 + random.below(255))
        }
        try damaged.write(to: URL(filePath: whole[round % 2]))
        let (list, found) = try update(root, rows)
        // Of the stamp, some digits say nothing of the file.
        if round % 2 == 0 { #expect(found == 0) }
        try expect(list, has: rows)
        #expect(try update(root, rows).found == 6)
      }
    }
  }

  @Test func `a link or a folder in the place of the file is left alone`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(20)
      try FileManager.default.createDirectory(
        atPath: "\(root)/.archiver/library", withIntermediateDirectories: true)
      let target = "\(root)/elsewhere"
      try Data("mine".utf8).write(to: URL(filePath: target))
      for name in [path(root), path(root) + "-journal"] {
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: target)
      }
      try expect(try update(root, rows).rows, has: rows)
      #expect(FileManager.default.contents(atPath: target) == Data("mine".utf8))
      try FileManager.default.removeItem(atPath: path(root))
      try FileManager.default.createDirectory(
        atPath: path(root) + "/in", withIntermediateDirectories: true)
      try expect(try update(root, rows).rows, has: rows)
      #expect(FileManager.default.fileExists(atPath: path(root) + "/in"))
      #expect(!FileManager.default.fileExists(atPath: "\(root)/\(LibraryStamp.path)"))
    }
  }

  @Test func `a link in the place of the journal of a known file is left alone`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(20)
      try update(root, rows.prefix(15))
      let target = "\(root)/elsewhere"
      try Data("mine".utf8).write(to: URL(filePath: target))
      try FileManager.default.createSymbolicLink(
        atPath: path(root) + "-journal", withDestinationPath: target)
      let (list, found) = try update(root, rows)
      #expect(found == 15)
      try expect(list, has: rows)
      #expect(FileManager.default.contents(atPath: target) == Data("mine".utf8))
    }
  }

  @Test func `what a killed process changed is undone, however much it was`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(30)
      try update(root, rows)
      let whole = try file(path(root))
      await #expect(processExitsWith: .exitCode(7)) { [root = root as String] in
        let store = try LibraryStore(root: root, words: .english, spare: root)
        try store.run("UPDATE items SET title = 'other'")
        // More than the cache holds, so that it is written before the end of the transaction.
        for number in 0..<20_000 {
          try store.run("INSERT INTO pages VALUES (?, ?)", number << 32, number)
          try store.run("INSERT INTO labels VALUES (?, 1)", "a label of some length \(number)")
        }
        exit(7)
      }
      #expect(try file(path(root)) != whole)
      let (list, found) = try update(root, rows)
      #expect(found == 30)
      try expect(list, has: rows)
    }
  }

  @Test func `an update that does not end leaves what was known before`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(30)
      try update(root, rows.prefix(20))
      do {
        var update = try RowUpdate(store(root))
        try update.add(rows[25])
        try update.finish()
      }
      #expect(try update(root, rows.prefix(20)).found == 20)
    }
  }

  @Test func `a file that changes while it is read gives an error and is remade`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(400)
      try update(root, rows)
      let store = try store(root)
      try spoil(root)
      let error = #expect(throws: StorageError.self) { try newest(store).loaded() }
      #expect(error?.message.hasSuffix("run the command again") == true)
      try expect(try update(root, rows).rows, has: rows)
    }
  }

  /// Overwrites all but the first page of the file.
  private func spoil(_ root: String) throws {
    let handle = try #require(PieceFile(path(root), .write))
    let page = 16_384
    for start in stride(from: page, to: handle.byteCount, by: page) {
      try handle.write([UInt8](repeating: 0xA5, count: page), at: start)
    }
  }

  @Test func `a damaged file with a valid stamp gives an error once and is remade`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(400)
      try update(root, rows)
      try spoil(root)
      var stamp = try #require(LibraryStamp(root: root, language: "en"))
      stamp.hash = try LibraryStore.hash(path(root))
      try stamp.write(root: root)
      #expect(throws: StorageError.self) { try update(root, rows) }
      try expect(try update(root, rows).rows, has: rows)
    }
  }
}
