import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverExport

/// Requests that are repeated.
@Suite struct S3RepeatTests {
  private func stage() throws -> S3Stage {
    let stage = try S3Stage()
    stage.patience.withLock { $0 = .seconds(120) }
    try stage.writeFirst()
    return stage
  }

  private static func failure(_ isConnectionLost: Bool) -> ServerResponse {
    isConnectionLost
      ? ServerResponse(200).misbehaving(.closeSilently) : FakeS3.error(503, "SlowDown")
  }

  @Test(arguments: [true, false])
  func `a storage that fails for a minute does not end a first publication`(
    isConnectionLost: Bool
  ) async throws {
    let stage = try stage()
    let start = Mutex<Date?>(nil)
    stage.before.withLock {
      $0 = { [clock = stage.clock] _, number in
        guard number >= 8 else { return nil }
        let begun = start.withLock { start in
          if start == nil { start = clock.now() }
          return start ?? clock.now()
        }
        let isDown = clock.now().timeIntervalSince(begun) < 60
        return isDown ? S3RepeatTests.failure(isConnectionLost) : nil
      }
    }
    #expect(try await stage.publish().put == 9)
    #expect(try stage.published() == stage.wanted())
  }

  @Test(arguments: [true, false])
  func `a storage that fails for longer ends the publication after two minutes`(
    isConnectionLost: Bool
  ) async throws {
    let stage = try stage()
    let lock = try stage.target().lock
    _ = try await lock.acquire()
    stage.before.withLock { $0 = { _, _ in S3RepeatTests.failure(isConnectionLost) } }
    let start = stage.clock.now()
    stage.pass(400)
    let failure = await #expect(throws: (any Error).self) { try await lock.renew() }
    let line = (failure as? S3Failure)?.description ?? "\(failure.map { "\($0)" } ?? "")"
    #expect(line.hasSuffix("the next run goes on"), "\(line)")
    let spent = stage.clock.now().timeIntervalSince(start) - 400
    #expect(spent >= 60 && spent <= 120, "\(spent)")
  }

  @Test func `a storage that never answered is not waited for`() async throws {
    let stage = try stage()
    stage.before.withLock { $0 = { _, _ in S3RepeatTests.failure(true) } }
    let failure = await #expect(throws: PublishError.self) { try await stage.publish() }
    #expect(failure?.code == .unavailable && stage.requests() == 1)
  }

  @Test func `a request that was refused for its Expect field is sent without it`() async throws {
    let stage = try stage()
    stage.before.withLock {
      $0 = { request, _ in
        request.method == "PUT" && request.headers["Expect"] == nil ? ServerResponse(417) : nil
      }
    }
    #expect(try await stage.publish().put == 9)
    #expect(try stage.published() == stage.wanted())
  }
}
