import ArchiverCore
import ArchiverStorage
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What an account has beside items is archived by runs.
@Suite struct AccountRecordTests {
  @Test func `the record of an account is stored, and stays when the source fails to tell it`()
    async throws
  {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      func stored() throws -> JSONValue? {
        try bench.archive.account(of: "scripted")?.account
      }
      #expect(try await bench.run().archived == 1)
      #expect(try stored() == nil)
      bench.source.state.withLock { $0.accountRecord = .success(["collections": ["a"]]) }
      bench.source.set(ScriptedSource.article(5))
      _ = try await bench.run()
      #expect(try stored() == ["collections": ["a"]])
      let codes: [AdapterError.Code] = [.unavailable, .unauthorized, .malformed]
      for (number, code) in codes.enumerated() {
        bench.source.state.withLock { $0.accountRecord = .failure(AdapterError(code, "no")) }
        bench.source.set(ScriptedSource.article(7 + number))
        // The items of the source do not depend on it.
        #expect(try await bench.run().archived == 1)
        #expect(try stored() == ["collections": ["a"]])
      }
      bench.source.state.withLock { $0.accountRecord = .success(["collections": []]) }
      bench.source.set(ScriptedSource.article(6))
      _ = try await bench.run()
      #expect(try stored() == ["collections": []])
    }
  }

  @Test func `an account is asked for what it has when something changed, and once a week`()
    async throws
  {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      bench.source.state.withLock { $0.isIncremental = true }
      _ = try await bench.run()
      func stored(_ record: JSONValue) async throws -> Bool {
        bench.source.state.withLock { $0.accountRecord = .success(record) }
        _ = try await bench.run()
        return try bench.archive.account(of: "scripted")?.account == record
      }
      bench.advance(hours: 24)
      #expect(try await !stored(["collections": [1]]))
      bench.source.state.withLock { $0.isIncremental = false }
      bench.source.set(ScriptedSource.article(7))
      #expect(try await stored(["collections": [2]]))
      bench.source.state.withLock { $0.isIncremental = true }
      bench.advance(hours: 24 * 7)
      #expect(try await stored(["collections": [3]]))
    }
  }
}
