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

  private func publisher(_ shelf: Shelf) -> Publisher {
    Publisher(
      root: shelf.root, target: FolderTarget(root: shelf.root, target: shelf.home + "/out"))
  }

  private func published(_ shelf: Shelf) throws -> [String: Data] {
    try shelf.files("out").filter { !$0.key.hasPrefix("_archiver/") }
  }

  @Test func `the published folder is the archive without private files`() async throws {
    let shelf = try shelf()
    let preview = try await publisher(shelf).preview()
    #expect(!FileManager.default.fileExists(atPath: shelf.home + "/out"))
    let outcome = try await publisher(shelf).publish()
    #expect(outcome.put == preview.put && outcome.byteCount == preview.byteCount)
    let wanted = try shelf.files("archive").filter {
      let name = $0.key.split(separator: "/").last.map(String.init) ?? ""
      return !$0.key.hasPrefix(".") && !Publisher.unreferenced.contains(name)
    }
    #expect(try published(shelf) == wanted && wanted.count == outcome.put)
    let again = try await publisher(shelf).publish()
    #expect(again.put == 0 && again.unchanged == wanted.count && again.deleted == 0)
  }

  @Test func `images come before pages, lists after them, the first page last`() async throws {
    let shelf = try shelf()
    let plan = try PublishPlan(
      try PublishPlan.files(shelf.root, leavingOut: []), published: [:])
    let order = PublishPlan.Phase.allCases.flatMap { plan.puts[$0] ?? [] }.map(\.key)
    func place(_ key: String) -> Int { order.firstIndex(of: key) ?? -1 }
    #expect(order.last == "index.html" && order.count == plan.putCount)
    #expect(place("readeck/a-aa/assets/1.png") < place("readeck/a-aa/index.html"))
    #expect(place("library/search/1.js") < place("library/read.html"))
    #expect(place("readeck/b-bb/index.html") < place("library/read.html"))
    #expect(place("readeck/a-aa/source.json") >= 0 && place(".archiver/catalog.sqlite") == -1)
  }

  @Test func `removed files are deleted one run later, and many only with --delete`() async throws {
    let shelf = try shelf()
    _ = try await publisher(shelf).publish()
    try FileManager.default.removeItem(atPath: shelf.root + "/readeck/b-bb")
    let first = try await publisher(shelf).publish()
    #expect(first.leaving == 1 && first.deleted == 0)
    #expect(try published(shelf).keys.contains("readeck/b-bb/index.html"))
    let second = try await publisher(shelf).publish()
    #expect(second.deleted == 1 && second.leaving == 0)
    #expect(try published(shelf).keys.filter { $0.hasPrefix("readeck/b-bb") }.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: shelf.home + "/out/readeck/b-bb"))
    for number in 0..<60 {
      try Data("x".utf8).write(to: URL(filePath: shelf.root + "/readeck/a-aa/\(number).html"))
    }
    _ = try await publisher(shelf).publish()
    for number in 0..<60 {
      try FileManager.default.removeItem(atPath: shelf.root + "/readeck/a-aa/\(number).html")
    }
    await #expect(throws: PublishError.self) { try await publisher(shelf).publish() }
    #expect(try await publisher(shelf).publish(deletesMany: true).leaving == 60)
  }

  @Test func `an interrupted run resumes, and removed files are published again`() async throws {
    let shelf = try shelf()
    _ = try await publisher(shelf).publish()
    // As after a death: the journal names what was put, its last line is half written.
    let manifest = shelf.home + "/out/_archiver/manifest"
    let lines = try shelf.text("out/_archiver/manifest").split(separator: "\n")
    let journal = lines.prefix(2).map { $0 + "\n" }.joined() + lines[2].prefix(10)
    try Data(journal.utf8).write(to: URL(filePath: shelf.home + "/out/_archiver/journal"))
    try FileManager.default.removeItem(atPath: manifest)
    #expect(try await publisher(shelf).publish().unchanged == 2)
    #expect(try shelf.text("out/_archiver/manifest").split(separator: "\n") == lines)
    try FileManager.default.removeItem(atPath: shelf.home + "/out/index.html")
    #expect(try await publisher(shelf).publish().put == 1)
    #expect(try shelf.text("out/index.html") == "start")
  }

  @Test func `a folder of another user's is refused and left alone`() async throws {
    let shelf = try shelf()
    try FileManager.default.createDirectory(
      atPath: shelf.home + "/out", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: shelf.home + "/out/index.html"))
    await #expect(throws: PublishError.self) { try await publisher(shelf).publish() }
    #expect(try shelf.files("out") == ["index.html": Data("mine".utf8)])
  }

  @Test func `an asked-for comparison finds what rotted and puts it again`() async throws {
    let shelf = try shelf()
    _ = try await publisher(shelf).publish()
    let path = shelf.home + "/out/readeck/b-bb/index.html"
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: path))
    #expect(try await publisher(shelf).publish().put == 0)
    let outcome = try await publisher(shelf).publish(audits: true)
    #expect(outcome.audit?.changed == 1 && outcome.put == 1)
    #expect(
      try shelf.text("out/readeck/b-bb/index.html")
        == shelf.text("archive/readeck/b-bb/index.html"))
  }
}
