import ArchiverCore
import ArchiverFuzzing
import Testing

/// The short form of `Scripts/fuzz`: what was found before, and some seconds of the seeded generator.
@Suite(.serialized) struct FuzzTests {
  static let names = [
    "sanitizer", "images", "svg", "readeck", "notion", "opds", "opds2", "program", "graph",
    "library",
    "book", "epub", "fb2", "comic", "pdf",
  ]

  @Test(arguments: names)
  func `keeps its promises for made-up input`(name: String) async throws {
    let target = try #require(try await FuzzTarget.named(name))
    let clock = ContinuousClock()
    let end = clock.now + .seconds(1)
    // Other tests take processor time of the same process.
    let run = FuzzRun(target, seed: 20_261_121, slowest: .seconds(20))
    let corpus = try corpus(name)
    let least = target.seeds.count + corpus.count + 20
    let result = await run.run(
      corpus: corpus, while: { $0 < least || $0 < 4_000 && clock.now < end })
    #expect(result.inputs >= least)
    for finding in result.findings {
      let input = String(decoding: finding.input.prefix(2_000), as: UTF8.self)
      Issue.record("\(finding.problems.prefix(3)) for \(input)" as Comment)
    }
  }

  /// The short form of `Scripts/fuzz --costly`: what grows with the square of its length takes minutes
  /// in unoptimised code, at a fifth of the size too.
  @Test(arguments: names)
  func `a megabyte that is made to cost time is read soon`(name: String) async throws {
    let target = try #require(try await FuzzTarget.named(name))
    let run = FuzzRun(target, seed: 20_261_121, slowest: .seconds(20))
    let result = await run.run(Inflation(size: 200_000), most: 12)
    #expect(result.inputs >= 4)
    for finding in result.findings {
      let input = String(decoding: finding.input.prefix(500), as: UTF8.self)
      Issue.record("\(finding.problems.prefix(3)) for \(input)" as Comment)
    }
  }

  @Test func `a quadratic parser is found`() async {
    let target = FuzzTarget(name: "x", dictionary: [], seeds: [Array("{\"a\":[1]}".utf8)]) {
      input in
      input.count(where: { $0 == 0x31 }) > 5_000 ? ["many"] : []
    }
    let result = await FuzzRun(target, seed: 7).run(Inflation(size: 50_000))
    #expect(result.findings.count == 2)
    #expect(result.inputs > result.findings.count)
    let text = FuzzTarget(name: "x", dictionary: [], seeds: [Array("<a><b c=\"d\">e</b></a>".utf8)])
    {
      input in
      let text = String(decoding: input, as: UTF8.self)
      return ["<b c=\"d\">e</b><b c", "<b c=\"d\"><b c", "c=\"((", ">((", "<a><a>"]
        .filter { text.contains($0) }
    }
    let found = await FuzzRun(text, seed: 7).run(Inflation(size: 1_000)).findings
    #expect(Set(found.flatMap(\.problems)).count == 5)
  }

  @Test func `every target is tried here`() async throws {
    #expect(try await FuzzTarget.all().map(\.name) == FuzzTests.names)
  }

  @Test func `a broken promise is found again with the same seed`() async throws {
    let target = FuzzTarget(name: "x", dictionary: ["<b>"], seeds: [Array("abc".utf8)]) { input in
      input.contains(0x3C) ? ["an angle"] : []
    }
    let first = await FuzzRun(target, seed: 7).run(while: { $0 < 200 })
    let second = await FuzzRun(target, seed: 7).run(while: { $0 < 200 })
    let other = await FuzzRun(target, seed: 8).run(while: { $0 < 200 })
    #expect(!first.findings.isEmpty)
    #expect(first.findings.map(\.input) == second.findings.map(\.input))
    #expect(first.findings.map(\.input) != other.findings.map(\.input))
    #expect(first.findings.allSatisfy { $0.problems == ["an angle"] })
  }

  @Test func `an input that takes too long is a finding`() async throws {
    let target = FuzzTarget(name: "x", dictionary: [], seeds: [[1]]) { _ in
      let end = ContinuousClock.now + .milliseconds(300)
      while ContinuousClock.now < end {}
      return []
    }
    let result = await FuzzRun(target, seed: 7, slowest: .milliseconds(10)).run(while: { $0 < 1 })
    #expect(result.findings.count == 1)
  }

  private func corpus(_ name: String) throws -> [[UInt8]] {
    let folder =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Corpus/" + name
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
    }
  }
}
