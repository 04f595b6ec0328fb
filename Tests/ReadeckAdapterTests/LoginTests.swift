import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ReadeckAdapter

struct LoginTests {
  /// The result of a login, its waiting time and its prompts.
  private struct Attempt {
    var token: Secret?
    var error: AdapterError?
    var prompts: [LoginPrompt] = []
    var waits: [Duration] = []
  }

  /// Logs in; the user decides at the third wait.
  private func attempt(
    _ decision: FakeReadeck.LoginDecision, _ server: FakeReadeck = FakeReadeck(),
    _ address: String = "http://reads.test/"
  ) async throws -> Attempt {
    let base = try #require(WebURL(address))
    let client = HandlerHTTPClient(handlers: [base.origin: server.handle])
    let waits = Mutex<[Duration]>([])
    let prompts = Mutex<[LoginPrompt]>([])
    let clock = ArchiverClock(
      now: {
        let waited = waits.withLock { $0.reduce(.zero, +) }
        return Date(timeIntervalSince1970: Double(waited.components.seconds))
      },
      sleep: { duration in
        try Task.checkCancellation()
        let count = waits.withLock {
          $0.append(duration)
          return $0.count
        }
        if count == 3 { server.decideLogin(decision) }
      })
    var attempt = Attempt()
    do throws(AdapterError) {
      attempt.token = try await ReadeckAdapter.logIn(
        baseURL: base, context: AdapterContext(name: "readeck", http: client, clock: clock)
      ) { prompt in prompts.withLock { $0.append(prompt) } }
    } catch {
      attempt.error = error
    }
    attempt.prompts = prompts.withLock { $0 }
    attempt.waits = waits.withLock { $0 }
    return attempt
  }

  @Test func `logs in at a server that cannot resolve names`() async throws {
    let server = FakeReadeck()
    server.behaviour.resolvesNames = false
    let attempt = try await attempt(.agree, server)
    #expect(attempt.token == Secret("fake-readeck-token"), "\(String(describing: attempt.error))")
  }

  @Test func `gets a token and slows down when told to`() async throws {
    let attempt = try await attempt(.agree)
    #expect(attempt.token == Secret("fake-readeck-token"))
    #expect(attempt.waits == [.seconds(5), .seconds(5), .seconds(10)])
    let url = try #require(WebURL("http://reads.test/device?user_code=JNCWXPKK"))
    #expect(
      attempt.prompts == [LoginPrompt(url: url, code: "JNCWXPKK", expiresIn: .seconds(300))])
  }

  @Test func `shows the page at the configured address`() async throws {
    let server = FakeReadeck()
    server.behaviour.prefix = "/read"
    server.behaviour.claimedAddress = "http://internal:8000"
    let attempt = try await attempt(.agree, server, "https://reads.test/read/api")
    #expect(
      attempt.prompts.first?.url.absoluteString
        == "https://reads.test/read/device?user_code=JNCWXPKK")
    #expect(attempt.token != nil)
  }

  @Test func `says so when the user refuses, waits too long or does nothing`() async throws {
    let refused = try await attempt(.refuse).error
    #expect(refused?.code == .unauthorized)
    #expect(refused?.message == "the login was refused in Readeck")
    let expired = try await attempt(.expire).error
    #expect(expired?.code == .unauthorized)
    #expect(expired?.message == "the login was not approved in time; start it again")
    let idle = try await attempt(.none)
    #expect(idle.error?.message == expired?.message)
    #expect(idle.waits.reduce(.zero, +) >= .seconds(300))
  }

  @Test func `sends owners of older servers to the token page`() async throws {
    for version in [(0, 20, 4), (0, 18, 0)] {
      let server = FakeReadeck()
      server.behaviour.version = version
      let attempt = try await attempt(.agree, server)
      #expect(attempt.error?.code == .configuration)
      #expect(attempt.error?.message.contains("set READECK_TOKEN") == true)
      #expect(attempt.prompts.isEmpty)
    }
  }

  @Test func `reports a server that fails during the login`() async throws {
    let server = FakeReadeck()
    server.failNext(.json("{\"error\":\"server_error\"}", status: 500)) {
      $0.path.hasSuffix("/oauth/device")
    }
    let error = try await attempt(.agree, server).error
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("(server_error)") == true)
  }

  @Test func `stops waiting when cancelled`() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await attempt(.none).error
    }
    #expect(try await task.value?.code == .cancelled)
  }
}
