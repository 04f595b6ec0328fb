import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Testing

@Suite struct LinkVerificationTests {
  private static func source() -> ScriptedSource {
    let source = ScriptedSource()
    for number in 0..<2 {
      var item = ScriptedSource.article(number, pictures: 1)
      item.id = "n\(number)"
      source.set(item)
    }
    return source
  }

  @Test func `an archive as it was written has no link that is broken`() async throws {
    try await Bench.with(Self.source()) { bench in
      let report = try await bench.run()
      #expect(report.archived == 2)
      #expect(try LinkVerification(bench.archive).run() == [])
    }
  }

  @Test func `links to lost files and to bundles that are gone are found`() async throws {
    try await Bench.with(Self.source()) { bench in
      _ = try await bench.run()
      let folder = try bench.item("n0").folder
      let page = "\(bench.archive.path)/\(folder)/index.html"
      let other = try #require(try bench.item("n1").folder.split(separator: "/").last)
      var links =
        "<a href=\"../\(other)/index.html#part\">there</a><a href=\"..//%67one?x\">gone</a>"
      links += "<a href=\"/etc/hosts\">outside</a><a href=\"../../../x\">above</a>"
      links += "<a href=\"#nowhere\">here</a><a href=\"//e.org/\">e</a><a href=\"mailto:a@b\">m</a>"
      let html = try bench.page("n0").replacing("</body>", with: links + "</body>")
      try Data(html.utf8).write(to: URL(filePath: page))
      let picture = try #require(
        try FileManager.default.contentsOfDirectory(
          atPath: "\(bench.archive.path)/\(folder)/assets"
        ).first)
      try FileManager.default.removeItem(
        atPath: "\(bench.archive.path)/\(folder)/assets/\(picture)")
      let found = try LinkVerification(bench.archive).run()
      #expect(found.allSatisfy { $0.page == "\(folder)/index.html" })
      #expect(
        Set(found.map(\.address)) == [
          "..//%67one?x", "../../../x", "/etc/hosts", "assets/\(picture)",
        ])
      try FileManager.default.removeItem(
        atPath: "\(bench.archive.path)/\(try bench.item("n1").folder)")
      #expect(
        try LinkVerification(bench.archive).run().map(\.address).contains(
          "../\(other)/index.html#part"))
    }
  }
}
