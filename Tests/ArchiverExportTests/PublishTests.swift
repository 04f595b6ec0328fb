import ArchiverCore
import Testing

@testable import ArchiverExport

/// A mirror of the archive.
@Suite struct PublishTests {
  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    try shelf.put("a", title: "A", html: "<p>One</p>", assets: ["1.png": "one"])
    try shelf.put("b", title: "B", html: "<p>Two</p>")
    for (path, text) in [
      ("index.html", "start"), ("library/read.html", "reader"), ("library/search/1.js", "index"),
      (".archiver/catalog.sqlite", "secret"), ("readeck/a-aa/source.json", "{}"),
    ] {
      let place = shelf.root + "/" + path
      let folder = place.split(separator: "/").dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(
        atPath: "/" + folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: place))
    }
    return shelf
  }

  private func publisher(_ shelf: Shelf) -> FolderPublisher {
    FolderPublisher(root: shelf.root, target: shelf.home + "/out")
  }

  private func published(_ shelf: Shelf) throws -> [String: Data] {
    try shelf.files("out").filter { !$0.key.hasPrefix("_archiver/") }
  }

  @Test func `the published folder is the archive without private files`() throws {
    let shelf = try shelf()
    let preview = try publisher(shelf).preview()
    #expect(!FileManager.default.fileExists(atPath: shelf.home + "/out"))
    let outcome = try publisher(shelf).publish()
    #expect(outcome.put == preview.put && outcome.byteCount == preview.byteCount)
    let wanted = try shelf.files("archive").filter {
      !$0.key.hasPrefix(".") && !$0.key.hasSuffix("source.json")
    }
    #expect(try published(shelf) == wanted && wanted.count == outcome.put)
    let again = try publisher(shelf).publish()
    #expect(again.put == 0 && again.unchanged == wanted.count && again.deleted == 0)
  }

  @Test func `images come before pages, lists after them, the first page last`() throws {
    let shelf = try shelf()
    let plan = PublishPlan(
      try PublishPlan.files(shelf.root, withSources: true), published: [:])
    let order = PublishPlan.Phase.allCases.flatMap { plan.puts[$0] ?? [] }.map(\.key)
    func place(_ key: String) -> Int { order.firstIndex(of: key) ?? -1 }
    #expect(order.last == "index.html" && order.count == plan.putCount)
    #expect(place("readeck/a-aa/assets/1.png") < place("readeck/a-aa/index.html"))
    #expect(place("library/search/1.js") < place("library/read.html"))
    #expect(place("readeck/b-bb/index.html") < place("library/read.html"))
    #expect(place("readeck/a-aa/source.json") >= 0 && place(".archiver/catalog.sqlite") == -1)
  }

  @Test func `removed files are deleted one run later, and many only with --delete`() throws {
    let shelf = try shelf()
    _ = try publisher(shelf).publish()
    try FileManager.default.removeItem(atPath: shelf.root + "/readeck/b-bb")
    let first = try publisher(shelf).publish()
    #expect(first.leaving == 2 && first.deleted == 0)
    #expect(try published(shelf).keys.contains("readeck/b-bb/index.html"))
    let second = try publisher(shelf).publish()
    #expect(second.deleted == 2 && second.leaving == 0)
    #expect(try published(shelf).keys.filter { $0.hasPrefix("readeck/b-bb") }.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: shelf.home + "/out/readeck/b-bb"))
    for number in 0..<60 {
      try Data("x".utf8).write(to: URL(filePath: shelf.root + "/library/\(number).html"))
    }
    _ = try publisher(shelf).publish()
    for number in 0..<60 {
      try FileManager.default.removeItem(atPath: shelf.root + "/library/\(number).html")
    }
    #expect(throws: FolderPublisher.Failure.self) { try publisher(shelf).publish() }
    #expect(try publisher(shelf).publish(deletesMany: true).leaving == 60)
  }

  @Test func `an interrupted run resumes, and removed files are published again`() throws {
    let shelf = try shelf()
    _ = try publisher(shelf).publish()
    // As after a crash: the journal lists the published files, its last line is truncated.
    let manifest = shelf.home + "/out/_archiver/manifest"
    let lines = try shelf.text("out/_archiver/manifest").split(separator: "\n")
    let journal = lines.prefix(2).map { $0 + "\n" }.joined() + lines[2].prefix(10)
    try Data(journal.utf8).write(to: URL(filePath: shelf.home + "/out/_archiver/journal"))
    try FileManager.default.removeItem(atPath: manifest)
    #expect(try publisher(shelf).publish().unchanged == 2)
    #expect(try shelf.text("out/_archiver/manifest").split(separator: "\n") == lines)
    try FileManager.default.removeItem(atPath: shelf.home + "/out/index.html")
    #expect(try publisher(shelf).publish().put == 1)
    #expect(try shelf.text("out/index.html") == "start")
  }

  @Test func `a folder of another user's is refused and left alone`() throws {
    let shelf = try shelf()
    try FileManager.default.createDirectory(
      atPath: shelf.home + "/out", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: shelf.home + "/out/index.html"))
    #expect(throws: FolderPublisher.Failure.self) { try publisher(shelf).publish() }
    #expect(try shelf.files("out") == ["index.html": Data("mine".utf8)])
  }
}
