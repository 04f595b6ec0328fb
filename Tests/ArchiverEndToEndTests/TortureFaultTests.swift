import ArchiverCore
import ArchiverTestKit
import Testing

/// A source with every known fault; the archive must be intact after each.
@Suite(.serialized) struct TortureFaultTests {
  private struct Row: Sendable {
    let fault: TortureFault
    let code: Int32
    let bundles: Int
    let time: Duration
    let trouble: [String]
  }

  @Test func `every fault ends in whole bundles, the right exit code and a full recovery`()
    async throws
  {
    // The slowest faults decide how long a source takes, so that all take hardly longer than one.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for kind in Torture.sources { group.addTask { try await self.tryAll(of: kind) } }
      try await group.waitForAll()
    }
  }

  private func tryAll(of kind: BuiltInSource) async throws {
    let bomb = try await gzipBomb()
    let faults = TortureFault.matrix(of: kind, bomb: bomb)
    // Most of the time is spent waiting.
    let rows = try await withThrowingTaskGroup(of: (Int, Row).self) { group in
      var rows: [(Int, Row)] = []
      for (index, fault) in faults.enumerated() {
        if index >= 10, let row = try await group.next() { rows.append(row) }
        group.addTask { (index, try await self.run(fault, of: kind)) }
      }
      for try await row in group { rows.append(row) }
      return rows.sorted { $0.0 < $1.0 }.map(\.1)
    }
    for row in rows {
      #expect(row.trouble.isEmpty, "\(row.fault.place) \(row.fault.name): \(row.trouble)")
    }
    Torture.table(
      "Faults of \(kind.rawValue): \(rows.count) tried, \(rows.count { !$0.trouble.isEmpty }) with trouble",
      [["place", "fault", "exit", "bundles", "time", "afterwards"]]
        + rows.map {
          [
            $0.fault.place.rawValue, $0.fault.name, "\($0.code)",
            "\($0.bundles)/\(SourceStage.count)", Torture.seconds($0.time),
            $0.trouble.isEmpty ? "whole, recovered" : $0.trouble.joined(separator: "; "),
          ]
        })
  }

  private func run(_ fault: TortureFault, of kind: BuiltInSource) async throws -> Row {
    var row: Row?
    try await SourceStage.with(kind) { stage in
      stage.tamper(fault.tampering(of: kind))
      let start = ContinuousClock.now
      let result = try await stage.run()
      let time = ContinuousClock.now - start
      let bundles = stage.bundles().count
      var trouble: [String] = []
      let codes = fault.codes(of: kind)
      if !codes.contains(result.code) {
        trouble.append("exit \(result.code), not \(codes.sorted()): \(result.error)")
      }
      if !fault.bundles(of: kind).contains(bundles) { trouble.append("\(bundles) bundles") }
      if result.code != 0, result.error.isEmpty { trouble.append("no word of it") }
      trouble += try await self.damage(stage, "after the fault")
      stage.tamper(nil)
      trouble += try await self.recovery(stage)
      row = Row(fault: fault, code: result.code, bundles: bundles, time: time, trouble: trouble)
    }
    return try #require(row)
  }

  /// Removes the fault and expects everything to be archived in one run.
  private func recovery(_ stage: SourceStage) async throws -> [String] {
    var trouble: [String] = []
    let retry = try await stage.archiver("retry", "--failed")
    if retry.code != 0 { trouble.append("retry: \(retry.error)") }
    let last = try await stage.run()
    if last.code != 0 { trouble.append("recovery: exit \(last.code): \(last.error)") }
    let count = stage.bundles().count
    if count != SourceStage.count { trouble.append("recovered only \(count) bundles") }
    return trouble + (try await damage(stage, "after the recovery"))
  }

  private func damage(_ stage: SourceStage, _ when: String) async throws -> [String] {
    try await stage.damage().map { "\(when): \($0)" }
  }

  /// Half a gigabyte of zeros, compressed.
  private func gzipBomb() async throws -> [UInt8] {
    try await TemporaryFolder.with("bomb") { folder in
      let made = try await Program.tool(
        "sh", ["-c", "head -c 500000000 /dev/zero | gzip -1 > \(folder)/bomb"])
      try #require(made.code == 0, "\(made.output)")
      return [UInt8](try Data(contentsOf: URL(filePath: folder + "/bomb")))
    }
  }

  @Test func `a server that is not there, has no name or speaks no TLS ends with 3`()
    async throws
  {
    // Each is mostly idle.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for address in ["http://127.0.0.1:1/", "http://no-such-host.invalid/", "https://127.0.0.1:"] {
        group.addTask {
          try await Stage.with(articles: 1) { stage in
            let whole = address.hasSuffix(":") ? "\(address)\(stage.server.port)/" : address
            let result = try await stage.archiver(
              "run", "--source", "readeck", "--quiet", variables: ["READECK_URL": whole])
            #expect(result.code == 3, "\(whole): \(result.error)")
            #expect(!result.error.isEmpty)
            #expect(stage.bundlesIfAny().isEmpty)
            #expect(try await stage.run().code == 0)
            #expect(try await stage.verify().code == 0)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
