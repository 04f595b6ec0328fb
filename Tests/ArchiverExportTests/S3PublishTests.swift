import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverExport

/// A bucket that is kept like the archive.
@Suite struct S3PublishTests {
  @Test func `a bucket gets the archive with the headers of a web site`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    let outcome = try await stage.publish()
    #expect(try stage.published() == stage.wanted() && outcome.put == 9)
    #expect(stage.published().keys.filter { $0.hasSuffix("source.json") }.isEmpty)
    let page = try #require(stage.bucket.objects["site/index.html"])
    #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(page.headers["Cache-Control"] == "no-cache")
    #expect(page.headers["x-amz-meta-sha256"] == Digest.sha256Hex(page.bytes))
    let picture = stage.bucket.objects["site/readeck/a-1/assets/0123456789abcdef.png"]
    #expect(picture?.headers["Content-Type"] == "image/png")
    #expect(picture?.headers["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(ContentHeaders.isNamedByContent("library/search/0a1b2c3d4.js"))
    #expect(!ContentHeaders.isNamedByContent("library/search/index.js"))
  }

  @Test func `the manifest names what is there as sha256sum reads it`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let manifest = try #require(stage.bucket.objects["site/_archiver/manifest"])
    let wanted = try stage.wanted().filter { $0.key != "library/status.js" }
      .map { "\(Digest.sha256Hex($0.value))  \($0.key)\n" }
    #expect(
      String(decoding: manifest.bytes, as: UTF8.self)
        == wanted.sorted { $0.dropFirst(66) < $1.dropFirst(66) }.joined())
  }

  @Test func `a night without news takes at most two requests`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    _ = stage.requests()
    let silent = try await stage.publish()
    #expect(stage.requests() == 0 && silent.put == 0 && silent.unchanged == 9)
    // As every run does; the other file has only another time.
    try stage.write("library/status.js", "night 2")
    try stage.write("library/app.js", "one")
    let night = try await stage.publish()
    #expect(stage.requests() == 2 && night.put == 1 && night.requests == 2)
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `a preview says how many requests a changed article takes`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    _ = stage.requests()
    try stage.write("readeck/a-1/index.html", "<p>changed</p>")
    try stage.write("index.html", "<p>changed</p>")
    let preview = try await Publisher(root: stage.root, target: stage.target()).preview()
    #expect(stage.requests() == 0)
    let outcome = try await stage.publish()
    let count = stage.requests()
    #expect(count == 4 && outcome.requests == count && preview.requests == count)
    #expect(preview.put == outcome.put && preview.byteCount == outcome.byteCount)
  }

  @Test func `no page is seen that refers to what is not there, whenever it is cut off`()
    async throws
  {
    for isAnswerLost in [false, true] {
      var number = 0
      var isDone = false
      while !isDone {
        number += 1
        let stage = try S3Stage()
        try stage.writeFirst()
        try await stage.publish()
        try stage.writeSecond()
        _ = stage.requests()
        let fatal = number
        let tamper: S3Stage.Tamper = { request, number in
          #expect(stage.brokenLinks() == [])
          return number == fatal ? FakeS3.error(500, "InternalError", "cut off") : nil
        }
        if isAnswerLost {
          stage.after.withLock { $0 = tamper }
        } else {
          stage.before.withLock { $0 = tamper }
        }
        do {
          try await stage.publish()
          isDone = stage.requests() < fatal
        } catch let error as PublishError {
          #expect(error.code == .unavailable && error.description.contains("cut off"))
        }
        stage.before.withLock { $0 = nil }
        stage.after.withLock { $0 = nil }
        #expect(stage.brokenLinks() == [], "after request \(fatal)")
        try await stage.publish()
        #expect(try stage.published().merging(stage.wanted()) { $1 } == stage.published())
        #expect(stage.brokenLinks() == [])
        try await stage.publish()
        #expect(try stage.published() == stage.wanted(), "after request \(fatal)")
      }
      #expect(number > 12)
    }
  }

  @Test func `the list of all items is replaced after the data of the items`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    let others = ["records-0", "titles", "zones"].map { "library/data/\($0).js" }
    for path in others { try stage.write(path, "one") }
    try await stage.publish()
    try stage.write("library/data/facets.js", "[1,2,3]")
    for path in others { try stage.write(path, "two") }
    stage.before.withLock {
      $0 = { request, _ in
        guard request.method == "PUT", request.path.hasSuffix("/facets.js") else { return nil }
        let objects = stage.published().filter { $0.key.hasPrefix("library/data/") }
        #expect(objects.count == 4 && objects.values.filter { $0 == Array("two".utf8) }.count == 3)
        return nil
      }
    }
    #expect(try await stage.publish().put == 4)
  }

  @Test func `a first publication that is cut off shows nothing until it is whole`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    for fatal in 1...30 {
      _ = stage.requests()
      stage.before.withLock {
        $0 = { _, number in
          #expect(stage.brokenLinks() == [])
          return number == fatal ? FakeS3.error(503, "SlowDown") : nil
        }
      }
      // Each round gets a little further.
      let failure = await #expect(throws: PublishError.self) {
        try await stage.publish()
        throw PublishError(.refused, "done")
      }
      #expect(stage.brokenLinks() == [])
      if failure?.code == .refused { break }
    }
    stage.before.withLock { $0 = nil }
    try await stage.publish()
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `what left the archive goes one run later`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    try stage.remove("readeck/b-1")
    try stage.write("index.html", "<p></p>")
    try stage.write("library/2026-01.html", "<p></p>")
    let first = try await stage.publish()
    #expect(first.leaving == 1 && stage.published()["readeck/b-1/index.html"] != nil)
    let second = try await stage.publish()
    #expect(second.deleted == 1 && stage.published()["readeck/b-1/index.html"] == nil)
    #expect(try stage.published() == stage.wanted())
    // The file is back.
    try stage.write("readeck/b-1/index.html", "<p>again</p>")
    #expect(try await stage.publish().put == 1)
  }

  @Test(arguments: [true, false])
  func `many deletions need consent, and servers without them in one request are served`(
    deletesMany: Bool
  ) async throws {
    let stage = try S3Stage()
    stage.bucket.behaviour.deletesMany = deletesMany
    try stage.writeFirst()
    for number in 0..<60 { try stage.write("readeck/x-\(number)/index.html", "x") }
    try await stage.publish()
    for number in 0..<60 { try stage.remove("readeck/x-\(number)") }
    let refusal = await #expect(throws: PublishError.self) {
      try await stage.publish(deletesMany: false)
    }
    #expect(refusal?.code == .tooManyDeletes)
    try await stage.publish()
    try await stage.publish()
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `content that returns to an earlier one is sent again after a cut`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    try stage.write("library/app.js", "two")
    stage.after.withLock {
      $0 = { request, _ in
        request.path.hasSuffix("app.js") ? FakeS3.error(500, "InternalError") : nil
      }
    }
    await #expect(throws: PublishError.self) { try await stage.publish() }
    stage.after.withLock { $0 = nil }
    #expect(stage.published()["library/app.js"] == Array("two".utf8))
    try stage.write("library/app.js", "one")
    try await stage.publish()
    #expect(try stage.published() == stage.wanted())
  }

  // MARK: Large files

  @Test(arguments: [false, true])
  func `a large file is sent in parts and continued after a cut`(listsWholeHash: Bool) async throws
  {
    let stage = try S3Stage()
    stage.bucket.behaviour.listsWholeHash = listsWholeHash
    try stage.writeFirst()
    let size = 70 << 20
    try stage.write("books/x-1/assets/film.mp4", "")
    var film = Data()
    for index in 0..<70 { film.append(Data(repeating: UInt8(index), count: 1 << 20)) }
    try film.write(to: URL(filePath: stage.root + "/books/x-1/assets/film.mp4"))
    stage.before.withLock {
      $0 = { request, _ in
        request.parameter("partNumber") == "4" ? FakeS3.error(500, "InternalError") : nil
      }
    }
    await #expect(throws: PublishError.self) { try await stage.publish() }
    stage.before.withLock { $0 = nil }
    #expect(stage.bucket.uploadCount == 1)
    try await stage.publish()
    let sent = stage.bucket.log.filter { $0.hasSuffix("?partNumber&uploadId") }
    // Five parts; the one that failed never reached the bucket.
    #expect(sent.count == 5 && stage.bucket.uploadCount == 0)
    let object = try #require(stage.bucket.objects["site/books/x-1/assets/film.mp4"])
    #expect(object.bytes.count == size && object.headers["Content-Type"] == "video/mp4")
    #expect(object.headers["x-amz-meta-sha256"] == Digest.sha256Hex(object.bytes))
    let again = try await stage.publish(audits: true)
    #expect(again.put == 0 && again.audit?.changed == 0)
  }

  @Test func `an own upload that nothing continued for a week is aborted`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let start = try await stage.target().client.send(
      S3Request(.post, "old.mp4", query: [(name: "uploads", value: "")]))
    let id = try #require(XMLText.value("UploadId", in: start.body))
    try stage.target().journal.begin(
      PublishJournal.Upload(
        key: "old.mp4", id: id, sha256: "x", byteCount: 9, partSize: 9, begun: stage.clock.now()))
    try stage.write("library/app.js", "two")
    try await stage.publish()
    #expect(stage.bucket.uploadCount == 1)
    stage.pass(7 * 86_400 + 1)
    try stage.write("library/app.js", "three")
    try await stage.publish()
    #expect(stage.bucket.uploadCount == 0)
  }
}
