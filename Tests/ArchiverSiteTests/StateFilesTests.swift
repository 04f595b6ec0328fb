import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The files in which updates store their state.
@Suite struct StateFilesTests {
  @Test func `the hash of a text's path is that of the path`() {
    var sample = SampleArchive(seed: 3)
    var path = TextPath()
    for number in 0..<300 {
      let row = LibraryRow(sample.item(number), words: .english)
      for passage in [0, 1, 9, 10, 11, 123] {
        let hash = FileListing.hash(SearchIndex.textPath(row.textName, passage))
        #expect(path.hash(row.marks.key, passage) == hash)
      }
    }
  }

  private func entries(_ count: Int) -> [TextState.Entry] {
    var random = SplitMix(state: 6)
    return (0..<count).map { _ in
      TextState.Entry(
        key: random.next(), content: random.next(), fingerprint: random.next(),
        passageCount: 1 + random.below(9), cataloged: random.next())
    }
  }

  /// Writes entries to the file that `state` reads.
  private func write(_ entries: [TextState.Entry], mark: UInt64, _ root: String) throws {
    let files = try SiteFiles(root: root)
    let output = try files.begin(SearchIndex.statePath)
    var writer = try TextStateWriter(output)
    for entry in entries { try writer.add(entry) }
    try writer.finish(catalogMark: mark)
    try files.finish(output)
    _ = try files.commit(removesOthers: false)
  }

  private func state(_ root: String) throws -> TextState {
    try TextState(PieceFile("\(root)/\(SearchIndex.statePath)", .read))
  }

  @Test func `states of texts are found in any order`() async throws {
    try await TemporaryFolder.with("texts") { root in
      // More than is read at a time.
      let entries = entries(4_000)
      try write(entries, mark: 77, root)
      let turned = Array(entries[1_000...] + entries[..<1_000])
      for order in [entries, Array(entries.reversed()), turned] {
        var read = try state(root)
        #expect(read.count == 4_000 && read.catalogMark == 77)
        for entry in order.dropLast() {
          let found = try #require(try read.entry(entry.key)).entry
          #expect(found.content == entry.content && found.cataloged == entry.cataloged)
          #expect(found.fingerprint == entry.fingerprint)
          #expect(found.passageCount == entry.passageCount)
        }
        #expect(read.foundCount == 3_999)
        #expect(try read.entry(7) == nil)
        #expect(try read.entry(order[3_999].key)?.entry.content == order[3_999].content)
        #expect(read.foundCount == 4_000)
        #expect(try read.entry(7) == nil)
      }
    }
  }

  @Test func `a damaged file of text states is ignored`()
    async throws
  {
    try await TemporaryFolder.with("texts") { root in
      try write(entries(5), mark: 3, root)
      let url = URL(filePath: "\(root)/\(SearchIndex.statePath)")
      let whole = try Data(contentsOf: url)
      #expect(try state(root).count == 5)
      func expectNothing(_ bytes: Data) throws {
        try bytes.write(to: url)
        let state = try state(root)
        #expect(state.count == 0 && state.catalogMark == 0)
      }
      for count in 0..<whole.count { try expectNothing(whole.prefix(count)) }
      try expectNothing(whole + Data(repeating: 0, count: 40))
      for place in whole.indices {
        for bit in 0..<8 {
          var damaged = whole
          damaged[place] ^= 1 << UInt8(bit)
          try expectNothing(damaged)
        }
      }
      try expectNothing(Data("readeck\ta\t1\t2\t1\n".utf8))
      try FileManager.default.removeItem(at: url)
      #expect(try state(root).count == 0)
    }
  }

  @Test func `a listing has regular files and removes unwanted ones, never through a link`()
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
      for path in ["library/a/2.js", "library/new.js"] { listing.keep(hash(path)) }
      // A file created since then is not ours.
      try Data("x".utf8).write(to: URL(filePath: "\(root)/library/a/later.js"))
      let removed = listing.removeOthers()
      #expect(
        removed.sorted() == [
          "library/.x", "library/1.js", "library/a/4.js", "library/a/b/3.js", "library/out",
        ])
      #expect(try manager.contentsOfDirectory(atPath: "\(root)/library") == ["a"])
      #expect(
        try manager.contentsOfDirectory(atPath: "\(root)/library/a").sorted()
          == ["2.js", "later.js"])
      #expect(manager.fileExists(atPath: "\(root)/outside/4"))
      #expect(!FileListing("nowhere", in: root).contains(hash("nowhere/1")))
    }
  }

  @Test func `finds each of many files, in folders of more than have a place of their own`()
    async throws
  {
    try await TemporaryFolder.with("listing") { root in
      let manager = FileManager.default
      let paths = (0..<400).map { "library/\($0 % 7)/\($0).js" }
      for folder in 0..<7 {
        try manager.createDirectory(
          atPath: "\(root)/library/\(folder)", withIntermediateDirectories: true)
      }
      for path in paths { try Data("x".utf8).write(to: URL(filePath: "\(root)/\(path)")) }
      // Folders are numbered from 0, the listed folder.
      for apart in [2, 5, 1_000] {
        let listing = FileListing("library", in: root, places: apart)
        let places = paths.map { listing.file(FileListing.hash($0)) }
        #expect(Set(places.compactMap(\.self)).count == paths.count)
        for number in 400..<4_000 {
          #expect(!listing.contains(FileListing.hash("library/\(number % 7)/\(number).js")))
        }
        for path in paths where path != "library/6/6.js" && path != "library/0/7.js" {
          listing.keep(FileListing.hash(path))
        }
        #expect(listing.removeOthers().sorted() == ["library/0/7.js", "library/6/6.js"])
        for path in ["library/0/7.js", "library/6/6.js"] {
          try Data("x".utf8).write(to: URL(filePath: "\(root)/\(path)"))
        }
      }
    }
  }

  @Test func `a file written in pieces is left alone when it stays the same`() async throws {
    try await TemporaryFolder.with("pieces") { root in
      func write(_ bytes: [UInt8]) throws -> LibraryUpdate {
        let files = try SiteFiles(root: root)
        let output = try files.begin("library/pieces")
        for start in stride(from: 0, to: bytes.count, by: 1_000) {
          try output.write(bytes[start..<min(start + 1_000, bytes.count)])
        }
        try files.finish(output)
        return try files.commit(removesOthers: true)
      }
      var random = SplitMix(state: 1)
      var bytes = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let path = "\(root)/library/pieces"
      for change in 0..<5 {
        let update = try write(bytes)
        #expect(update.written == ["library/pieces"] && update.byteCount == bytes.count)
        #expect(FileManager.default.contents(atPath: path).map(Array.init) == bytes)
        #expect(try write(bytes).written.isEmpty)
        switch change {
        case 0: bytes[0] ^= 1
        case 1: bytes[150_000] ^= 1
        case 2: bytes.append(0)
        default: bytes.removeLast(100_000)
        }
      }
    }
  }

  @Test func `texts that are many do not wait for the other files`() async throws {
    try await TemporaryFolder.with("texts") { root in
      let manager = FileManager.default
      func path(_ number: Int) -> String { "library/text/0\(number % 3)/\(number).js" }
      func text(_ number: Int) -> [UInt8] { Array("text \(number)".utf8) }
      func there(_ shift: Int = 0) -> [Int] {
        (0..<12).filter {
          manager.contents(atPath: "\(root)/\(path($0))").map(Array.init) == text($0 + shift)
        }
      }
      var files = try SiteFiles(root: root, textLimit: 5)
      try files.put("library/page.html", text(99))
      for number in 0..<12 {
        try files.putTexts([.init(path: path(number), bytes: text(number))])
        // Nothing refers to it, so it can be written in place.
        #expect(there() == Array(0...number))
      }
      #expect(manager.contents(atPath: "\(root)/library/page.html") == nil)
      let update = try files.commit(removesOthers: true)
      #expect(there() == Array(0..<12))
      #expect(update.written == ["library/page.html"] && update.textCount == 12)
      #expect(update.byteCount == (0..<12).map { text($0).count }.reduce(text(99).count, +))

      // Other texts are installed a few at a time.
      files = try SiteFiles(root: root, textLimit: 5)
      files.keep("library/page.html")
      try files.putTexts((0..<12).map { .init(path: path($0), bytes: text($0 + 20)) })
      #expect(there() == [10, 11] && there(20) == Array(0..<10))
      #expect(try files.commit(removesOthers: true).textCount == 12)
      #expect(there(20) == Array(0..<12))

      // Texts installed before are not rewritten, nor kept if they are not named.
      files = try SiteFiles(root: root, textLimit: 5)
      files.keep("library/page.html")
      try files.putTexts((0..<7).map { .init(path: path($0), bytes: text($0 + 20)) })
      let again = try files.commit(removesOthers: true)
      #expect(again.textCount == 0 && again.written.isEmpty && again.byteCount == 0)
      #expect(again.removed == (7..<12).map(path).sorted())
      #expect(there(20) == Array(0..<7))
    }
  }

  @Test func `texts written together get their own paths`() async throws {
    try await TemporaryFolder.with("texts") { root in
      func path(_ number: Int) -> String { "library/text/0\(number % 7)/\(number).js" }
      func texts(_ shift: Int) -> [SiteFiles.Text] {
        (0..<60).map { .init(path: path($0), bytes: Array("text \($0 % 3 == 0 ? shift : 0)".utf8)) }
      }
      var files = try SiteFiles(root: root)
      try files.putTexts(Array(texts(0).prefix(40)))
      #expect(try files.commit(removesOthers: true).textCount == 40)
      // A third of the first forty changed, and twenty are new.
      files = try SiteFiles(root: root)
      try files.putTexts(texts(1))
      #expect((0..<60).allSatisfy { files.exists(path($0)) })
      #expect(files.bytes(path(3)) == texts(0)[3].bytes)
      let update = try files.commit(removesOthers: true)
      #expect(update.textCount == 14 + 20 && update.removed.isEmpty)
      #expect(texts(1).allSatisfy { files.bytes($0.path) == $0.bytes })
    }
  }

  @Test func `a text that cannot be written is said to be so`() async throws {
    try await TemporaryFolder.with("texts") { root in
      let files = try SiteFiles(root: root)
      try FileManager.default.createDirectory(
        atPath: "\(root)/library/text/00/1.js/in-the-way", withIntermediateDirectories: true)
      try files.putTexts((0..<3).map { .init(path: "library/text/00/\($0).js", bytes: [1]) })
      #expect(throws: StorageError.self) { try files.commit(removesOthers: false) }
    }
  }

  @Test func `an obstacle at the path of a text is replaced by the complete text`() async throws {
    try await TemporaryFolder.with("texts") { root in
      let (path, text) = ("library/text/00/0.js", Array("the whole text".utf8))
      let files = try SiteFiles(root: root)
      try FileManager.default.createDirectory(
        atPath: "\(root)/library/text/00", withIntermediateDirectories: true)
      // The state after a full disk.
      try Data("the".utf8).write(to: URL(filePath: "\(root)/\(path)"))
      try files.putTexts([.init(path: path, bytes: text)])
      #expect(files.bytes(path) == Array("the".utf8))
      _ = try files.commit(removesOthers: true)
      #expect(files.bytes(path) == text)
    }
  }

  @Test func `no text is written through a link, nor into a folder that is one`() async throws {
    try await TemporaryFolder.with("texts") { root in
      let manager = FileManager.default
      let files = try SiteFiles(root: root)
      for folder in ["library/text/00", "elsewhere"] {
        try manager.createDirectory(
          atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
      try manager.createSymbolicLink(
        atPath: "\(root)/library/text/00/0.js", withDestinationPath: "\(root)/elsewhere/0.js")
      try manager.createSymbolicLink(
        atPath: "\(root)/library/text/01", withDestinationPath: "\(root)/elsewhere")
      try files.putTexts([.init(path: "library/text/00/0.js", bytes: [1])])
      #expect(throws: StorageError.self) {
        try files.putTexts([.init(path: "library/text/01/1.js", bytes: [2])])
      }
      #expect(try manager.contentsOfDirectory(atPath: "\(root)/elsewhere").isEmpty)
    }
  }

  @Test(arguments: [1, 4_096])
  func `text states are stored after each update that wrote texts`(limit: Int) async throws {
    try await TemporaryFolder.with("texts") { root in
      for text in ["one", "two"] {
        let files = try SiteFiles(root: root, textLimit: limit)
        let output = try files.begin(SearchIndex.statePath)
        try output.write(Array("the same".utf8))
        try files.putTexts([.init(path: "library/text/00/0.js", bytes: Array(text.utf8))])
        try files.finish(output)
        _ = try files.commit(last: [SearchIndex.statePath], removesOthers: false)
        #expect(files.bytes(SearchIndex.statePath) == Array("the same".utf8))
        #expect(files.bytes("library/text/00/0.js") == Array(text.utf8))
      }
    }
  }

  @Test func `paths in a list are those that were put there`() {
    let paths = ["b/2", "a", "", "ä/ö.html", "a/1", "a", "b/10"]
    var list = PathList()
    for path in paths { list.append(path) }
    #expect(Array(list) == paths)
    #expect(list == ["b/2", "a", "", "ä/ö.html", "a/1", "a", "b/10"])
    #expect(PathList().isEmpty && list != PathList())

    // In several parts, with shared prefixes longer than 255 bytes.
    let many = (0..<3 * PathList.partSize + 1).map { number in
      let folder = String(repeating: "ä", count: number % 7 * 60)
      return number.isMultiple(of: 5) ? folder : "library/\(folder)/\(number).js"
    }
    list = PathList()
    for (number, path) in many.enumerated() {
      #expect(list.count == number)
      list.append(path)
    }
    #expect(Array(list) == many)
    #expect(many.indices.allSatisfy { list[$0] == many[$0] })
    #expect(list.last == many.last)
  }
}
