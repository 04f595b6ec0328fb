import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Books in archives that begin or end as they should not.
@Suite struct PrefixedBookTests {
  private static let epub = SampleBook([]).bytes
  private static let comic = StoredZip.archive([
    StoredZip.Entry("1.gif", bytes: ScriptedSource.gif("/1")),
    StoredZip.Entry("2.gif", bytes: ScriptedSource.gif("/2")),
  ])

  private static func source(_ bytes: [UInt8], _ type: String) throws -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "b", title: "A Book", html: "<p>About it.</p>")
    item.kind = .book
    let url = try #require(WebURL(ScriptedSource.origin + "/file"))
    item.attachments = [Attachment(.file, .remote(url), name: "a", mediaType: type)]
    source.set(item)
    source.picture("/file", .data(bytes, type: type))
    return source
  }

  @Test(
    arguments: [(epub, "application/epub+zip"), (comic, "application/x-cbz")],
    [
      "\n", "\u{FEFF}", "HTTP/1.1 200 OK\r\n\r\n", "<br />\n<b>Warning</b>: x in <b>y.php</b>\n",
      "MZ" + String(repeating: "stub", count: 20_000),
    ])
  func `a book with bytes before its archive is kept as it is and has pages`(
    book: ([UInt8], String), prefix: String
  ) async throws {
    let bytes = Array(prefix.utf8) + book.0
    try await Bench.with(try Self.source(bytes, book.1)) { bench in
      let report = try await bench.run()
      #expect(report.isWhole, "\(report.failed)")
      let folder = "\(bench.archive.path)/\(try bench.item("b").folder)"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/assets")
      #expect(names.count == 1)
      let kept = FileManager.default.contents(atPath: "\(folder)/assets/\(names.first ?? "")")
      #expect(kept.map(Array.init) == bytes)
      #expect(FileManager.default.fileExists(atPath: folder + "/book/text/0001.html"))
    }
  }

  @Test(arguments: [
    "{\"error\": \"", "<br>", "temporarily out of order ",
  ])
  func `a message with an archive that is no book in it is no book`(prefix: String) async throws {
    let other = StoredZip.archive([StoredZip.Entry("readme.txt", "words")])
    let source = try Self.source(Array(prefix.utf8) + other, "application/epub+zip")
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failed.map(\.id) == ["b"])
      #expect(
        report.failed.first?.message.hasPrefix(
          "the file is missing (the server sent something that is not a ZIP file)") == true)
    }
  }

  @Test(arguments: [0.3, 0.5])
  func `of a damaged file that is kept it is not said that it is missing`(
    share: Double
  ) async throws {
    let bytes = Array(Self.epub.prefix(Int(Double(Self.epub.count) * share)))
    try await Bench.with(try Self.source(bytes, "application/epub+zip")) { bench in
      let report = try await bench.run()
      let message = try #require(report.failed.first).message
      #expect(message.hasPrefix("the file cannot be read in full (the server's response"))
      let record = try ItemRecord(json: Array(bench.text("b", "item.json").utf8), path: "")
      #expect(record.missing?.map(\.isKept) == [true])
      #expect(record.assets.count == 1)
      #expect(try bench.page("b").contains("The file cannot be read in full: the server"))
    }
  }
}
