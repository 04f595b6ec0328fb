import ArchiverCore
import ArchiverTestKit
import Testing

/// The program in the guide for authors of source programs, and what it promises.
@Suite struct ProgramGuideTests {
  /// Returns the guide's program.
  private static func program() throws -> String {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = root + "/Sources/ArchiverCore/ArchiverCore.docc/SourcePrograms.md"
    let guide = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let start = try #require(guide.firstRange(of: "```sh\n"))
    let rest = guide[start.upperBound...]
    return String(rest[..<(try #require(rest.firstRange(of: "```"))).lowerBound])
  }

  @Test func `the guide's program keeps the contract; its files and highlights are on the pages`()
    async throws
  {
    try await ProgramHome.with([]) { home in
      try home.install("mails", Self.program())
      let check = try await home.archiver("source", "test", "mails")
      #expect(check.code == 0, "\(check.output)\(check.error)")
      #expect(check.error == "", "\(check.error)")
      #expect(check.output.contains("names 2 items and is complete"), "\(check.output)")

      let run = try await home.run("mails")
      #expect(run.code == 0 && run.summary["archived"]?.integer == 2, "\(run.summary)")
      #expect(run.summary["imagesMissing"]?.integer ?? 0 == 0)
      func checkPages() throws {
        let greetings = try home.page(of: "mails", containing: "Greetings")
        #expect(greetings.contains("src=\"assets/") && !greetings.contains("mails.invalid/stamp"))
        #expect(greetings.contains("data-hl=\"h1\""))
        let list = try home.page(of: "mails", containing: "Shopping")
        #expect(list.contains("<a href=\"assets/") && !list.contains("mails.invalid/list"))
        for bundle in try home.bundles("mails") {
          let record = try home.text("mails/\(bundle)/item.json")
          #expect(!record.contains("isUnmarked"), "\(record)")
        }
      }
      try checkPages()
      let again = try await home.archiver("render")
      #expect(again.code == 0, "\(again.output)\(again.error)")
      try checkPages()
      let second = try await home.run("mails")
      #expect(second.code == 0 && second.summary["archived"]?.integer == 0)
    }
  }

  @Test func `an image that came with its item is not requested, whatever its address`()
    async throws
  {
    let server = try LoopbackServer { _ in ServerResponse(404) }
    defer { server.stop() }
    let address = server.baseURL.absoluteString + "/pic.gif"
    try await ProgramHome.with([]) { home in
      let picture = Data(Stage.gif("handed")).base64EncodedString()
      try home.install(
        "sample",
        ProgramHome.program(
          "sample",
          item: "printf '%s' '\(picture)' | base64 -d >\"$ARCHIVER_FOLDER/p.gif\"; "
            + "echo '{\"type\":\"item\",\"metadata\":{\"title\":\"Trip\"},\"html\":\"<p>a <img src=\(address)></p>\","
            + "\"attachments\":[{\"role\":\"image\",\"file\":\"p.gif\",\"url\":\"\(address)\"}]}'"))
      let run = try await home.run("sample")
      #expect(run.code == 0 && run.summary["imagesMissing"]?.integer ?? 0 == 0, "\(run.summary)")
      let page = try home.page(of: "sample", containing: "Trip")
      #expect(page.contains("src=\"assets/"), "\(page)")
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `standard error of a program that works does not disturb a quiet night`() async throws
  {
    try await ProgramHome.with([]) { home in
      try home.install(
        "sample",
        ProgramHome.program(
          "sample",
          item: "echo just saying >&2; "
            + #"echo '{"type":"item","metadata":{"title":"T"},"html":"<p>a</p>"}'"#))
      let quiet = try await home.archiver("run", "--source", "sample", "--quiet")
      #expect(quiet.code == 0 && quiet.error == "" && quiet.output == "", "\(quiet.error)")
      let loud = try await home.archiver("run", "--source", "sample", "-v", "--force")
      #expect(loud.error.contains("sample: just saying"), "\(loud.error)")
      let test = try await home.archiver("source", "test", "sample")
      #expect(test.error.components(separatedBy: "just saying").count == 2, "\(test.error)")
    }
  }

  @Test func `a source whose program is not installed fails alone`() async throws {
    try await ProgramHome.with(["markdown"]) { home in
      let notes = home.folder + "/notes"
      try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
      try Data("# Good\n".utf8).write(to: URL(filePath: notes + "/good.md"))
      try home.configure("sources: { markdown: { path: '\(notes)' }, nosuch: { folder: '/x' } }")
      let one = try await home.archiver("run", "--source", "markdown", "--quiet")
      #expect(one.code == 0 && one.error == "", "\(one.error)")
      #expect(try home.bundles("markdown").count == 1)
      try Data("# New\n".utf8).write(to: URL(filePath: notes + "/new.md"))
      let all = try await home.archiver("run")
      #expect(all.code == 2 && all.error.contains("nosuch: there is no program"), "\(all.error)")
      #expect(try home.bundles("markdown").count == 2)
      let test = try await home.archiver("source", "test", "nosuch")
      #expect(test.error.contains("no program archiver-source-nosuch"), "\(test.error)")
    }
  }
}
