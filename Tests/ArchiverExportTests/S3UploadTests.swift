import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverExport

/// Uploads in parts that were cut off, and servers that say little about them.
@Suite struct S3UploadTests {
  private static let film = "books/x-1/assets/film.mp4"

  private func stageWithFilm() throws -> S3Stage {
    let stage = try S3Stage()
    try stage.writeFirst()
    try stage.write(S3UploadTests.film, "")
    var film = Data()
    for index in 0..<66 { film.append(Data(repeating: UInt8(index), count: 1 << 20)) }
    try film.write(to: URL(filePath: "\(stage.root)/\(S3UploadTests.film)"))
    return stage
  }

  private func sentParts(_ stage: S3Stage) -> Int {
    stage.bucket.log.count { $0.hasSuffix("?partNumber&uploadId") }
  }

  private static func isCompletion(_ request: ServerRequest) -> Bool {
    request.method == "POST" && request.parameter("uploadId") != nil
  }

  @Test func `a completion without an ETag does not send the file again`() async throws {
    let stage = try stageWithFilm()
    stage.after.withLock {
      $0 = { request, _ in
        guard S3UploadTests.isCompletion(request) else { return nil }
        return .text(
          "<CompleteMultipartUploadResult><ETag></ETag></CompleteMultipartUploadResult>",
          type: "application/xml")
      }
    }
    try await stage.publish()
    let outcome = try await stage.publish(audits: true)
    #expect(outcome.put == 0 && outcome.audit?.changed == 0 && sentParts(stage) == 5)
  }

  @Test func `a record without an ETag is compared by the hash that the object was sent with`()
    async throws
  {
    let stage = try stageWithFilm()
    try await stage.publish()
    let journal = try stage.target().journal
    var record = try #require(try journal.record(S3UploadTests.film))
    record.etag = ""
    try journal.save([record])
    let outcome = try await stage.publish(audits: true)
    #expect(outcome.put == 0 && outcome.audit?.changed == 0)
    #expect(try stage.target().journal.record(S3UploadTests.film)?.etag.isEmpty == false)
  }

  @Test func `an upload that was completed before a kill is not repeated`() async throws {
    let stage = try stageWithFilm()
    stage.after.withLock {
      $0 = { request, _ in
        S3UploadTests.isCompletion(request) ? FakeS3.error(500, "InternalError") : nil
      }
    }
    await #expect(throws: PublishError.self) { try await stage.publish() }
    stage.after.withLock { $0 = nil }
    try await stage.publish()
    #expect(sentParts(stage) == 5)
    #expect(try stage.published() == stage.wanted())
    #expect(try await stage.publish(audits: true).audit?.changed == 0)
  }

  private static func listedParts(_ time: String) -> ServerResponse {
    .text(
      "<ListPartsResult><Part><PartNumber>1</PartNumber><LastModified>\(time)</LastModified>"
        + "<ETag>\"e\"</ETag></Part></ListPartsResult>", type: "application/xml")
  }

  @Test func `the week of an upload counts from its last part`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let start = try await stage.target().client.send(
      S3Request(.post, "old.mp4", query: [(name: "uploads", value: "")]))
    let id = try #require(XMLText.value("UploadId", in: start.body))
    try stage.target().journal.begin(
      PublishJournal.Upload(
        key: "old.mp4", id: id, sha256: "x", byteCount: 9, partSize: 9, begun: stage.clock.now()))
    stage.pass(8 * 86_400)
    let yesterday: String = stage.clock.now().addingTimeInterval(-86_400).formatted(.iso8601)
    stage.before.withLock {
      $0 = { request, _ in
        request.method == "GET" && request.parameter("uploadId") != nil
          ? S3UploadTests.listedParts(yesterday.dropLast() + ".000Z") : nil
      }
    }
    try stage.write("library/app.js", "two")
    try await stage.publish()
    #expect(stage.bucket.uploadCount == 1)
    stage.pass(7 * 86_400)
    try stage.write("library/app.js", "three")
    try await stage.publish()
    #expect(stage.bucket.uploadCount == 0)
  }

  @Test func `a comparison aborts old uploads of this prefix that no journal knows`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let aborted = Mutex<[String]>([])
    let now = stage.clock.now()
    func time(_ days: Double) -> String {
      let text: String = now.addingTimeInterval(-days * 86_400).formatted(.iso8601)
      return text.dropLast() + ".000Z"
    }
    let uploads = [
      ("site/old.mp4", "old", 9.0), ("site/new.mp4", "new", 1), ("other/old.mp4", "theirs", 9),
      ("site/continued.mp4", "continued", 9),
    ].map { key, id, days in
      "<Upload><Key>\(key)</Key><UploadId>\(id)</UploadId><Initiated>\(time(days))</Initiated></Upload>"
    }
    let list =
      "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>\(uploads.joined())"
      + "</ListMultipartUploadsResult>"
    let parts = ["old": time(8), "continued": time(1)]
    stage.before.withLock {
      $0 = { request, _ in
        if request.method == "GET", request.parameter("uploads") != nil {
          return .text(list, type: "application/xml")
        }
        guard let id = request.parameter("uploadId") else { return nil }
        if request.method == "GET" { return S3UploadTests.listedParts(parts[id] ?? "") }
        aborted.withLock { $0.append("\(request.method) \(id)") }
        return ServerResponse(204)
      }
    }
    try await stage.publish(audits: true)
    #expect(aborted.withLock { $0 } == ["DELETE old"])
  }
}
