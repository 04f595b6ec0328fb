import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The files in which updates store their state.
@Suite struct StateFilesTests {
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

  @Test func `finds each of many files`() async throws {
    try await TemporaryFolder.with("listing") { root in
      let manager = FileManager.default
      let paths = (0..<400).map { "library/\($0 % 7)/\($0).js" }
      for folder in 0..<7 {
        try manager.createDirectory(
          atPath: "\(root)/library/\(folder)", withIntermediateDirectories: true)
      }
      for path in paths { try Data("x".utf8).write(to: URL(filePath: "\(root)/\(path)")) }
      let listing = FileListing("library", in: root)
      let places = paths.map { listing.file(FileListing.hash($0)) }
      #expect(Set(places.compactMap(\.self)).count == paths.count)
      for number in 400..<4_000 {
        #expect(!listing.contains(FileListing.hash("library/\(number % 7)/\(number).js")))
      }
      for path in paths where path != "library/6/6.js" && path != "library/0/7.js" {
        listing.keep(FileListing.hash(path))
      }
      #expect(listing.removeOthers().sorted() == ["library/0/7.js", "library/6/6.js"])
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

  @Test(arguments: [1, 4_096], [false, true])
  func `the stamp is removed before a text or page is replaced, and only then`(
    limit: Int, isText: Bool
  ) async throws {
    try await TemporaryFolder.with("texts") { root in
      let stamp = try #require(LibraryStamp(language: "en"))
      for (text, isKept) in [("one", isText), ("two", false), ("two", true)] {
        let files = try SiteFiles(root: root, textLimit: limit)
        try stamp.write(root: root)
        if isText {
          try files.putTexts([.init(path: "library/text/00/0.js", bytes: Array(text.utf8))])
        } else {
          try files.put("library/page.html", Array(text.utf8))
        }
        try files.put(StatusData.path, Array("status of \(text)".utf8))
        _ = try files.commit(removesOthers: false)
        #expect((LibraryStamp(root: root, language: "en") == stamp) == isKept, "\(text)")
      }
    }
  }
}
