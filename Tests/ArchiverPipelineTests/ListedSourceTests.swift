import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What a run does with the account, the availability and the broken links of a source's items.
struct ListedSourceTests {
  @Test func `an account that cannot be told stays as it was known`() async throws {
    let source = ScriptedSource(count: 2)
    source.state.withLock { $0.account = SourceAccount(id: "1", name: "alice") }
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 1 }
      source.state.withLock { $0.accountError = AdapterError(.unavailable, "503") }
      let second = try await bench.run { $0.fullListing = true }
      #expect(second.failure == nil && second.archived == 1)
      source.state.withLock {
        $0.accountError = nil
        $0.account = SourceAccount(id: "2", name: "bob")
      }
      let third = try await bench.run { $0.fullListing = true }
      #expect(third.failure?.code == .unauthorized)
      #expect(third.failure?.message.contains("those of alice") == true)
      source.state.withLock { $0.accountError = AdapterError(.unauthorized, "refused") }
      #expect(try await bench.run { $0.fullListing = true }.failure?.message == "refused")
    }
  }

  @Test(arguments: [1, 5, 6])
  func `as many are selected as are kept, and what changed`(keep: Int) async throws {
    let source = ScriptedSource(count: 6)
    try await Bench.with(source) { bench in
      bench.keep(keep)
      let report = try await bench.run()
      #expect(report.plan.selected == keep && report.archived == keep)
      source.change("item5") {
        $0.revision = "2"
        $0.labels = ["new"]
      }
      source.set(ScriptedSource.article(6))
      let next = try await bench.run()
      #expect((next.plan.changed, next.plan.new) == (1, 1))
      #expect(next.plan.selected == 2 && next.archived == 2)
      #expect(next.expired.map(\.message) == ["no longer kept"])
    }
  }

  @Test(
    arguments: [
      ("assets/none.gif", true), ("./none", true), ("x/y:z", true), ("?a=1", false),
      ("#a:b", false), ("", false), ("mailto:a", false), ("none:a/b", false), ("./none:a", true),
      ("../../index.html", false), ("index.html?a#b", false), ("item.json", false),
      ("../../../index.html", true), ("/index.html", true), ("//a.test/b", false),
      ("%69tem.json", false), ("./././item.json", false), ("..", false), ("../none/..", false),
    ])
  func `a relative link is broken if it leads to nothing in the archive`(
    address: String, isBroken: Bool
  ) async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      try FileManager.default.removeItem(atPath: bench.path + "/index.html")
      let page = try bench.page("item0")
      for name in ["href", "src", "poster"] {
        let element = name == "href" ? "a" : name == "src" ? "img" : "video"
        let added = page.replacing("</body>", with: "<\(element) \(name)=\"\(address)\"></body>")
        try bench.write("item0", "index.html", added)
        let found = try LinkVerification(bench.archive).run()
        #expect(found.map(\.address) == (isBroken ? [address] : []), "\(name)")
        #expect(try LinkVerification(bench.archive).run(percent: 0) == [])
      }
    }
  }

  @Test(
    arguments: [
      (nil, nil, true), (561_599, nil, false), (561_600, nil, true), (-300, nil, false),
      (-301, nil, true), (0, -9_000, false), (0, 300, false), (0, 301, true),
    ] as [(Double?, Double?, Bool)])
  func `a source is listed completely every six and a half days, and after the clock went back`(
    age: Double?, previousRun: Double?, isDue: Bool
  ) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let known = Discovery(wholeListed: age.map { now.addingTimeInterval(-$0) })
    let previous = previousRun.map { now.addingTimeInterval($0) }
    #expect(WholeListing.isDue(known, previousRun: previous, now: now) == isDue)
  }

  @Test func `an item that changed and waits is outdated in the library`() async throws {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      func library() throws -> [String: String] {
        try bench.snapshot().filter { $0.key.hasPrefix("library/") }
      }
      _ = try await bench.run()
      let before = try library()
      source.change("item0") { $0.revision = "2" }
      let report = try await bench.run { $0.maxItems = 0 }
      #expect((report.archived, report.plan.changed, report.waiting) == (0, 1, 1))
      #expect(try bench.status("item0") == .outdated)
      #expect(try library() != before)
    }
  }

  @Test func `broken links are told in the order of pages and addresses`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      _ = try await bench.run()
      for id in ["item1", "item0"] {
        let page = try bench.page(id)
        let links = "<a href=\"z\">z</a><a href=\"b\">b</a><a href=\"z\">again</a>"
        try bench.write(id, "index.html", page.replacing("</body>", with: links + "</body>"))
      }
      let found = try LinkVerification(bench.archive).run()
      let folders = try ["item0", "item1"].map { try bench.item($0).folder }.sorted()
      #expect(found.map(\.page) == folders.flatMap { ["\($0)/index.html", "\($0)/index.html"] })
      #expect(found.map(\.address) == ["b", "z", "b", "z"])
    }
  }
}
