import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverExport

/// Locks, comparisons and refusals of a bucket.
@Suite struct S3TroubleTests {
  @Test(arguments: FakeS3.Conditions.allCases)
  func `of two writers one wins, and the other goes on from what it did`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try S3Stage()
    stage.bucket.behaviour.conditions = conditions
    try stage.writeFirst()
    let first = try stage.target("one")
    #expect(try await first.begin([], isSmall: false, audits: false) == nil)
    let refusal = await #expect(throws: PublishError.self) { try await stage.publish("two") }
    #expect(refusal?.code == .locked, "\(refusal?.description ?? "")")
    #expect(stage.published().isEmpty)
    try await first.finish(isComplete: true)
    let outcome = try await stage.publish("two")
    #expect(outcome.put == 9)
    let isWeak = conditions == .ignored || conditions == .refused
    #expect(outcome.warnings.count == (isWeak ? 1 : 0))
    // The first notices that another archiver has published meanwhile.
    try stage.write("library/app.js", "two")
    _ = stage.requests()
    let return1 = try await stage.publish("one")
    #expect(return1.audit?.listed == 9 && return1.put == 1)
    try stage.write("library/app.js", "three")
    #expect(try await stage.publish("one").audit == nil, "nobody came between")
    #expect(try stage.published() == stage.wanted())
    let keys = stage.bucket.objects.keys
    #expect(keys.count { $0.contains("/locks/") } == (isWeak ? 1 : 0))
    #expect(!keys.contains { $0.contains("probe") })
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `the lock of one that died holds for half an hour, its own not at all`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try S3Stage()
    stage.bucket.behaviour.conditions = conditions
    try stage.writeFirst()
    _ = try await stage.target("one").begin([], isSmall: false, audits: false)
    #expect(try await stage.publish("one").put == 9)
    _ = try await stage.target("one").begin([], isSmall: false, audits: true)
    stage.pass(1_700)
    try stage.write("library/app.js", "two")
    await #expect(throws: PublishError.self) { try await stage.publish("two") }
    stage.pass(200)
    #expect(try await stage.publish("two").put == 1)
  }

  @Test func `a lock is renewed, and losing it ends the run`() async throws {
    let stage = try S3Stage()
    let lock = try stage.target("one").lock
    #expect(try await lock.acquire() == false)
    let before = try #require(stage.bucket.objects["site/_archiver/lock"]).etag
    try await lock.renew()
    #expect(stage.bucket.objects["site/_archiver/lock"]?.etag == before)
    stage.pass(400)
    try await lock.renew()
    #expect(stage.bucket.objects["site/_archiver/lock"]?.etag != before)
    stage.pass(2_000)
    #expect(try await stage.target("two").lock.acquire() == false)
    let loss = await #expect(throws: PublishError.self) { try await lock.renew() }
    #expect(loss?.code == .locked)
  }

  @Test(arguments: [true, false])
  func `a bucket that was emptied is filled again`(isAsked: Bool) async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    stage.bucket.objects = [:]
    if !isAsked { try stage.write("library/app.js", "two") }
    let outcome = try await stage.publish(audits: isAsked)
    #expect(outcome.audit?.missing == 9 && outcome.put == 9)
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `a comparison is made every week and finds what changed there`() async throws {
    let stage = try S3Stage()
    stage.bucket.behaviour.pageSize = 4
    try stage.writeFirst()
    try await stage.publish()
    var objects = stage.bucket.objects
    objects["site/library/app.js"] = FakeS3.Object(bytes: Array("bad".utf8), etag: "x")
    objects["site/library/dates.html"] = nil
    // The list shows the same ETag and size.
    objects["site/readeck/b-1/index.html"]?.bytes.reverse()
    objects["site/stranger.txt"] = FakeS3.Object(bytes: [1], headers: [:], etag: "y")
    stage.bucket.objects = objects
    #expect(try await stage.publish().audit == nil)
    stage.pass(7 * 86_400 + 1)
    let outcome = try await stage.publish()
    let audit = try #require(outcome.audit)
    #expect(audit.missing == 1 && audit.foreign == 1 && audit.read == 5)
    #expect(audit.changed >= 1 && outcome.put == audit.missing + audit.changed)
    #expect(stage.published()["stranger.txt"] == [1])
    #expect(stage.published()["library/app.js"] == Array("one".utf8))
    #expect(stage.published()["library/dates.html"] != nil)
  }

  @Test func `a lost journal costs a comparison and no file is sent twice`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish("one")
    try stage.remove("readeck/b-1")
    try stage.write("index.html", "<p></p>")
    try stage.write("library/2026-01.html", "<p></p>")
    let outcome = try await stage.publish("other")
    #expect(outcome.put == 2 && outcome.unchanged == 6 && outcome.leaving == 1)
    try await stage.publish("other")
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `a damaged journal is one that is lost`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let path = try stage.target().journal.path
    for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    try Data("no database, but long enough to be one".utf8).write(to: URL(filePath: path))
    let outcome = try await stage.publish()
    #expect(outcome.put == 0 && outcome.audit?.listed == 9)
  }

  @Test func `a bucket of somebody else's is refused and left alone`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    let theirs = FakeS3.Object(bytes: [1], headers: [:], etag: "z")
    stage.bucket.objects = ["site/photo.jpg": theirs, "other/_archiver/lock": theirs]
    let refusal = await #expect(throws: PublishError.self) { try await stage.publish() }
    #expect(refusal?.code == .foreign && stage.bucket.objects.count == 2)
  }

  @Test func `a changed rule for headers sends a file again`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let journal = try stage.target().journal
    var record = try #require(try journal.record("library/app.js"))
    record.headers = "text/plain|none"
    try journal.save([record])
    #expect(try await stage.publish().put == 1)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let response: ServerResponse
    let code: PublishError.Code
    let words: String
    var testDescription: String { words }
  }

  static let refusals = [
    Refusal(
      response: FakeS3.error(403, "InvalidAccessKeyId", "no such key"), code: .unauthorized,
      words: "access key is refused"),
    Refusal(
      response: FakeS3.error(403, "SignatureDoesNotMatch"), code: .unauthorized,
      words: "access key is refused"),
    Refusal(
      response: FakeS3.error(403, "AccessDenied"), code: .unauthorized, words: "may not do this"),
    Refusal(
      response: FakeS3.error(400, "ExpiredToken"), code: .unauthorized,
      words: "access key is refused"),
    Refusal(
      response: FakeS3.error(
        400, "AuthorizationHeaderMalformed", more: "<Region>eu-west-1</Region>"), code: .region,
      words: "--region eu-west-1"),
    Refusal(
      response: FakeS3.error(
        301, "PermanentRedirect",
        headers: ["x-amz-bucket-region": "ap-south-1", "Location": "http://elsewhere.example/"]),
      code: .region, words: "--region ap-south-1"),
    Refusal(
      response: FakeS3.error(404, "NoSuchBucket"), code: .missing, words: "no bucket bucket"),
    Refusal(
      response: FakeS3.error(403, "RequestTimeTooSkewed"), code: .clock, words: "clock"),
    Refusal(
      response: FakeS3.error(
        403, "AccessDenied", headers: ["Date": "Tue, 24 Nov 2026 00:00:00 GMT"]), code: .clock,
      words: "by 4320 minutes"),
    Refusal(
      response: FakeS3.error(
        400, "", "too early", headers: ["Date": "Tue, 24 Nov 2026 00:00:00 GMT"]), code: .clock,
      words: "by 4320 minutes"),
    Refusal(
      response: FakeS3.error(507, ""), code: .full,
      words: "make room there, and the next run goes on"),
    Refusal(response: FakeS3.error(403, "QuotaExceeded"), code: .full, words: "make room"),
    Refusal(
      response: ServerResponse(503), code: .unavailable, words: "status 503; the next run goes on"),
    Refusal(
      response: .text("<html>gateway</html>", type: "text/html", status: 502), code: .unavailable,
      words: "status 502"),
    Refusal(response: FakeS3.error(400, "BadDigest"), code: .file, words: "changed"),
    Refusal(response: FakeS3.error(400, "InvalidRequest", "odd"), code: .refused, words: "odd"),
    Refusal(
      response: ServerResponse(200).misbehaving(.closeSilently), code: .unavailable,
      words: "; the next run goes on"),
  ]

  @Test(arguments: refusals)
  func `every refusal is one clear line, and the next run goes on`(refusal: Refusal) async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    stage.before.withLock {
      $0 = { request, _ in request.path.hasSuffix("dates.html") ? refusal.response : nil }
    }
    let error = await #expect(throws: PublishError.self) { try await stage.publish() }
    #expect(error?.code == refusal.code, "\(error?.description ?? "")")
    let line = error?.description ?? ""
    #expect(line.contains(refusal.words) && line.hasPrefix("s3://bucket/site: "), "\(line)")
    #expect(!line.contains("\n") && !line.contains("never shown"))
    #expect(stage.published()["index.html"] == nil && stage.brokenLinks() == [])
    stage.before.withLock { $0 = nil }
    try await stage.publish()
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `a conflict is waited out`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    let left = Mutex(3)
    stage.before.withLock {
      $0 = { request, _ in
        let isInTheWay = left.withLock { left in
          guard request.path.hasSuffix("dates.html"), left > 0 else { return false }
          left -= 1
          return true
        }
        return isInTheWay ? FakeS3.error(409, "OperationAborted") : nil
      }
    }
    #expect(try await stage.publish().put == 9)
  }

  @Test func `a completion that fails behind the status 200 is a failure`() async throws {
    let stage = try S3Stage()
    let response = HTTPResponse(
      head: HTTPResponseHead(
        status: 200, headers: [:], url: try #require(WebURL("http://127.0.0.1:9000/"))),
      body: Array("<Error><Code>InternalError</Code></Error>".utf8))
    let location = try stage.target().client.location
    #expect(S3Failure(inSuccess: response, location, now: Date()) != nil)
    let good = HTTPResponse(
      head: response.head,
      body: Array("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>".utf8))
    #expect(S3Failure(inSuccess: good, location, now: Date()) == nil)
  }

  @Test func `a full bucket keeps what it has and is filled when there is room`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    try stage.writeSecond()
    let size = stage.bucket.objects.values.reduce(600) { $0 + $1.bytes.count }
    stage.bucket.behaviour.capacity = size
    let error = await #expect(throws: PublishError.self) { try await stage.publish() }
    #expect(error?.code == .full && stage.brokenLinks() == [])
    stage.bucket.behaviour.capacity = nil
    try await stage.publish()
    try await stage.publish()
    #expect(try stage.published() == stage.wanted() && stage.brokenLinks() == [])
  }
}
