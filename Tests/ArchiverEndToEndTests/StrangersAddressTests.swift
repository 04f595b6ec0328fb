import ArchiverCore
import ArchiverTestKit
import Testing

/// Untrusted URLs in items, with the built program: no source requests one that leads into the
/// private network, neither directly nor by a redirect.
@Suite(
  .serialized,
  .enabled(
    if: SharedFixtures.contents("security/ssrf-vectors.json") != nil,
    "no shared fixtures: set ARCHIVER_FIXTURES or put them beside the project"))
struct StrangersAddressTests {
  /// A URL and whether it may be requested.
  private struct Vector: Decodable {
    let target: String
    let deny: Bool

    /// Permitted only if the configuration names them.
    private static let configurable: Set = ["172.16.0.1", "172.16.1.1", "192.168.1.1"]

    var isDenied: Bool { deny || Vector.configurable.contains(target) }

    /// The address as it is asked for; `way` marks what may be asked for.
    func address(_ way: String) -> String {
      var text = String(target.split(separator: "Location: ").last ?? "")
      if let space = text.firstIndex(of: " ") { text = String(text[..<space]) }
      if text.contains(":") && !text.contains("[")
        && text.allSatisfy({ $0.isHexDigit || ":.".contains($0) })
      {
        text = "[\(text)]"
      }
      if !text.contains(":") || text.hasPrefix("[") { text = "http://\(text)/" }
      return isDenied ? text : text + "?" + way
    }
  }

  /// Without those whose verdict depends on DNS.
  private static func vectors() throws -> [Vector] {
    let data = try #require(SharedFixtures.contents("security/ssrf-vectors.json"))
    return try JSONDecoder().decode([Vector].self, from: data).filter { vector in
      !["nip.io", "rebind.test", "A records"].contains { vector.target.contains($0) }
    }
  }

  /// A proxy that returns an image for every URL, so that nothing leaves this machine.
  private static func withProxy(
    _ body: (LoopbackServer, [String: String]) async throws -> Void
  ) async throws {
    let proxy = try LoopbackServer(handler: { .data(Stage.gif("\($0.target.count)")) })
    defer { proxy.stop() }
    let address = proxy.baseURL.absoluteString
    try await body(
      proxy, ["http_proxy": address, "https_proxy": address, "no_proxy": "127.0.0.1"])
  }

  private static func judge(_ proxy: LoopbackServer, _ vectors: [Vector], _ ways: [String]) {
    let asked = Set(proxy.requests.map(\.target))
    let allowed = Set(
      vectors.filter { !$0.isDenied }.flatMap { vector in
        ways.map { WebURL(vector.address($0))?.absoluteString ?? "" }
      })
    #expect(asked.subtracting(allowed).isEmpty, "\(asked.subtracting(allowed))")
    #expect(allowed.subtracting(asked).isEmpty, "not asked for: \(allowed.subtracting(asked))")
    #expect(allowed.count == 14 * ways.count)
  }

  @Test(arguments: BuiltInSource.allCases)
  func `no source asks for an address of the private network`(kind: BuiltInSource) async throws {
    let vectors = try Self.vectors()
    try await SourceStage.with(kind) { stage in
      try await Self.withProxy { proxy, variables in
        let hops = "http://127.0.0.1:\(stage.files.port)/hop/"
        stage.plant(vectors.map { $0.address("literal") }, vectors.indices.map { "\(hops)\($0)" })
        stage.tamper { request, answer in
          guard request.segments.first == "hop", let index = Int(request.segments.last ?? "") else {
            return answer
          }
          return .redirect(vectors[index].address("hop"))
        }
        let result = try await stage.run(variables: variables)
        #expect([0, 1].contains(result.code), "\(result.code) \(result.error.prefix(2_000))")
        let hopped = stage.files.requests.filter { $0.segments.first == "hop" }
        #expect(Set(hopped.map(\.path)).count == vectors.count)
        Self.judge(proxy, vectors, ["literal", "hop"])
        #expect(try await stage.damage() == [])
      }
    }
  }

  @Test func `a program of the user's cannot have them requested either`() async throws {
    let vectors = try Self.vectors()
    let hops = try LoopbackServer(handler: { request in
      .redirect(vectors[Int(request.segments.last ?? "") ?? 0].address("hop"))
    })
    defer { hops.stop() }
    try await ProgramHome.with([]) { home in
      try await Self.withProxy { proxy, variables in
        let pictures =
          vectors.map { $0.address("literal") }
          + vectors.indices.map { "\(hops.baseURL.absoluteString)hop/\($0)" }
        let html = pictures.map { "<img src=\"\($0.escapedForMarkup)\">" }.joined(separator: "\n")
        let item: JSONValue = [
          "type": "item", "metadata": ["title": "One"],
          "html": .string("<p>words</p>" + html), "baseURL": "https://example.org/",
        ]
        let line = String(decoding: try JSONEncoder().encode(item), as: UTF8.self)
        try Data((line + "\n").utf8).write(to: URL(filePath: home.folder + "/item.json"))
        try home.install("one", ProgramHome.program("one", item: "cat '\(home.folder)/item.json'"))
        home.environment.merge(variables) { $1 }
        home.environment["ARCHIVER_ALLOW_HOST"] = "127.0.0.1:\(hops.port)"
        let result = try await home.archiver("run", "--source", "one", "--quiet")
        #expect(result.code == 0, "\(result.error)")
        #expect(hops.requests.count == vectors.count)
        Self.judge(proxy, vectors, ["literal", "hop"])
      }
    }
  }
}

extension SourceStage {
  /// Adds items with pictures, covers or files at these addresses.
  fileprivate func plant(_ literals: [String], _ hops: [String]) {
    switch kind {
    case .readeck:
      let pictures = (literals + hops).map { "<img src=\"\($0.escapedForMarkup)\">" }
      readeck.add(
        FakeReadeck.Bookmark(
          url: "https://example.org/planted", title: "Planted",
          html: "<p>words</p>" + pictures.joined(separator: "\n")))
    case .notion:
      let blocks = (literals + hops).map { address in
        FakeBlock("image", ["type": "external", "external": ["url": .string(address)]])
      }
      notion.addPage("Planted", blocks: blocks)
    case .books:
      planted.set(literals, hops)
      catalog.books += literals.indices.map { FakeCatalog.Book(1_000 + $0, pdf: [0x25]) }
    }
  }
}
