import ArchiverAdapters
import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

@Suite struct ConfigCommandTests {
  @Test func `init writes a valid file that only its owner reads`() async throws {
    let desk = try Desk()
    let result = await desk.type("config", "init")
    #expect(result.code == .success)
    #expect(result.output.contains("~/.config/archiver/config.json5"))
    let path = desk.folder + "/config.json5"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o777 } == 0o600)
    #expect(await desk.type("sources").code == .success)
    #expect(await desk.type("config", "init").code == .usage)
    #expect(await desk.type("config", "init", "--overwrite").code == .success)
  }

  @Test func `a link to the file elsewhere stays a link`() async throws {
    let desk = try Desk()
    let target = try desk.write("dotfiles/archiver.json5", "{}")
    try desk.configure("{}")
    let path = desk.folder + "/config.json5"
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(await desk.type("config", "init", "--overwrite").code == .success)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    let data = try Data(contentsOf: URL(filePath: target))
    #expect(String(decoding: data, as: UTF8.self).contains("sources"))
  }

  @Test func `every setting of the file is in the template, the reference and show`()
    async throws
  {
    let desk = try Desk()
    let kinds = desk.services().kinds
    let template = ConfigurationTemplate.text(kinds: kinds)
    let reference = ConfigurationReference.text(root: CommandTable.root(kinds: kinds), kinds: kinds)
    let shown = await desk.type("config", "show").output.split(separator: "\n")
    for key in ConfigurationFile.keys {
      #expect(template.contains("  // \(key): ") || template.contains("  \(key): {"), "\(key)")
      #expect(reference.contains("| `\(key)"), "\(key)")
      #expect(shown.contains { $0.hasPrefix(key + " ") }, "\(key)")
    }
  }

  @Test func `every example in the file is a value that is taken`() async throws {
    let desk = try Desk()
    let text = ConfigurationTemplate.text(kinds: desk.services().kinds)
    // Uncomments lines that are not prose: a key and a value, or a brace.
    let lines = text.split(separator: "\n").map { line -> String in
      var rest = line.drop { $0 == " " }
      while rest.hasPrefix("//") {
        rest = rest.dropFirst(2).drop { $0 == " " }
        let isSetting = rest.hasPrefix("}") || rest.prefix { $0 != " " }.hasSuffix(":")
        if isSetting, !rest.hasPrefix("Example:"), !rest.hasPrefix("Folder:"),
          !rest.hasPrefix("archiver:")
        {
          return String(rest)
        }
      }
      return rest.hasPrefix("{") || rest.hasPrefix("}") || rest.hasPrefix("sources")
        ? String(rest) : ""
    }
    try desk.configure(lines.joined(separator: "\n"))
    let result = await desk.type("sources", "--json")
    #expect(result.code == .success, "\(result.error)\n\(lines.joined(separator: "\n"))")
    #expect(result.output.contains("\"configured\":true"))
  }

  @Test func `an uncommented block sets only required settings`() async throws {
    let desk = try Desk()
    let text = ConfigurationTemplate.text(kinds: sourceKinds.map { SourceKind($0) })
    let bare = text.split(separator: "\n").map { line in
      line.hasPrefix("    //") ? line.dropFirst(6) : line
    }
    let titles = bare.map { $0.first == " " && $0.dropFirst().first?.isUppercase == true ? "" : $0 }
    let lines = titles.filter { !$0.isEmpty }
    try desk.configure(lines.joined(separator: "\n"))
    let file = try Data(contentsOf: URL(filePath: desk.folder + "/config.json5"))
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let sources = try decoder.decode(JSONValue.self, from: file)["sources"]?.object
    #expect(sources?["readeck"]?.object?.keys.sorted() == ["token", "url"])
    #expect(sources?["notion"]?.object?.keys.sorted() == ["token"])
    #expect(sources?["books"]?.object?.keys.sorted() == ["url"])
  }

  @Test func `check contacts each source and prints the result`() async throws {
    let desk = try Desk()
    let good = await desk.type("config", "check", variables: Desk.configured)
    #expect(good.code == .success && good.output == "● example: reached; 25 items\n")
    var variables = Desk.configured
    variables["EXAMPLE_TOKEN"] = "unknown-key"
    let refused = await desk.type("config", "check", variables: variables)
    #expect(refused.code == .source && refused.output.contains("The server refused the token"))
    let none = await desk.type("config", "check")
    #expect(none.code == .usage)
  }

  @Test func `show prints the settings in effect, without secrets`() async throws {
    let desk = try Desk()
    try desk.configure(
      "{ max: 7, sources: { example: { url: 'https://a.example', token: 's3cret-token' } } }")
    let result = await desk.type("config", "show", "--json")
    let object = try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
    #expect(object["max"]?.integer == 7)
    #expect(object["archive"]?.string == desk.home + "/archived")
    #expect(object["sources"] == ["example"])
    #expect(!result.output.contains("s3cret"))
    #expect(await desk.type("config", "path").output == desk.folder + "/config.json5\n")
  }

  @Test func `doctor has a remedy for each finding that needs one`() async throws {
    let desk = try Desk()
    let kinds = [
      SourceKind(
        name: "broken", properties: AdapterProperties(title: "b", summary: "b", settings: []),
        program: "/x/archiver-source-broken", problem: "it exited with status 3"
      ) { _ in throw AdapterError(.unavailable, "") }
    ]
    var services = desk.services()
    services.programs = { _ in kinds }
    services.runCommand = { _, _ in "" }
    let result = await desk.type("doctor", "--json", services: services)
    #expect(result.code == .someFailed)
    var subjects: [String] = []
    for line in result.output.split(separator: "\n") {
      let finding = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
      subjects.append(finding["subject"]?.string ?? "")
      if finding["state"]?.string == "bad" {
        #expect(finding["remedy"]?.string?.isEmpty == false, "\(line)")
      }
    }
    #expect(
      Set(subjects) == [
        "program", "libraries", "PDF", "MOBI", "DjVu", "configuration", "broken", "archive",
        "browser",
        "schedule",
      ])
  }

  @Test func `doctor finds a clock that is wrong and a server that is down`() async throws {
    let desk = try Desk()
    let findings = try await Self.findings(desk) { request throws(HTTPError) in
      HTTPResponse(
        head: HTTPResponseHead(
          status: 401, headers: ["Date": "Sat, 21 Nov 2026 01:00:00 GMT"], url: request.url))
    }
    #expect(findings.contains("this machine is 1 h behind the server"))
    let down = try await Self.findings(desk) { request throws(HTTPError) in
      throw HTTPError(.connect, "no connection")
    }
    #expect(down.contains("no connection") && down.contains("curl -I https://read.example.org"))
  }

  private struct Answer: HTTPClient {
    let answer: @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      try answer(request)
    }
  }

  private static func findings(
    _ desk: Desk, _ answer: @escaping @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse
  ) async throws -> String {
    var services = desk.services()
    services.client = { _ in Answer(answer: answer) }
    services.runCommand = { _, _ in "" }
    return await desk.type("doctor", variables: Desk.configured, services: services).output
  }

  @Test(arguments: [
    ("https://me:geheim@read.example.org", "https://read.example.org/ (env"),
    ("https://read.example.org:8443/?key=geheim", "https://read.example.org:8443/… (env"),
    ("https://read.example.org/a/b/geheim", "https://read.example.org/a/b/… (env"),
  ])
  func `the secret part of a URL is not shown`(address: String, shown: String) async throws {
    let desk = try Desk()
    let variables = Desk.configured.merging(
      ["EXAMPLE_URL": address, "EXAMPLE_LABELS": "one,https://me:geheim@other.example/x"]
    ) { $1 }
    for words in [[], ["--json"]] {
      let output = MemoryOutput()
      _ = await CommandLineTool(
        environment: desk.environment(["sources"] + words, variables, output: output),
        services: desk.services()
      ).run()
      #expect(!output.text.contains("geheim"), "\(output.text)")
      if words.isEmpty {
        #expect(output.text.contains(shown), "\(output.text)")
        #expect(output.text.contains("one, https://other.example/x (env"), "\(output.text)")
      }
    }
  }

  @Test func `a program shadowed by a built-in kind causes a warning`() async throws {
    let desk = try Desk()
    var services = desk.services()
    services.shadowed = { _ in ["example": "/opt/archiver-source-example"] }
    let sources = await desk.type("sources", variables: Desk.configured, services: services)
    #expect(
      sources.error.contains(
        "/opt/archiver-source-example is ignored: the built-in example takes precedence; "
          + "rename the program\n"))
    #expect(await desk.type("sources", "--names", services: services).error.isEmpty)
    let doctor = await desk.type("doctor", services: services)
    #expect(doctor.output.contains("archiver-source-example is ignored"))
    #expect(doctor.output.contains("Rename the program"))
    let json = await desk.type(
      "sources", "--json", variables: Desk.configured, services: services)
    let records = try json.output.split(separator: "\n").map {
      try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
    }
    #expect(records.count == 3 && records[0]["shadowed"] == nil && json.error.isEmpty)
    #expect(records[2]["shadowed"]?.bool == true)
    #expect(records[2]["program"]?.string == "/opt/archiver-source-example")
  }

  @Test func `the path of a program that is broken is reported once`() async throws {
    let desk = try Desk()
    let path = "/opt/archiver-source-broken"
    var services = desk.services()
    services.programs = { _ in
      [
        SourceKind(
          name: "broken", properties: AdapterProperties(title: "b", summary: "b", settings: []),
          program: path, problem: "\(path) cannot be started: no such file"
        ) { _ in throw AdapterError(.unavailable, "") }
      ]
    }
    let result = await desk.type("sources", services: services)
    #expect(result.output.split(separator: "\n").filter { $0.contains(path) }.count == 1)
  }

  @Test(arguments: [(0o600, false), (0o640, true), (0o602, true)])
  func `doctor finds a stored login that others read`(mode: Int, isBad: Bool) async throws {
    let desk = try Desk()
    let login = #"{"url":"https://read.example.org","token":"s3cret"}"#
    let path = try desk.write(".config/archiver/logins/example.json", login, mode: mode)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: desk.folder + "/logins")
    let result = await desk.type("doctor")
    #expect(
      result.output.contains("logins/example.json can be read or changed by others") == isBad)
    #expect(result.output.contains("chmod 600") == isBad, "\(path)")
    #expect(!result.output.contains("s3cret"))
  }

  @Test(arguments: [false, true])
  func `doctor finds a folder that the archive's owner cannot write to`(isForeign: Bool)
    async throws
  {
    let desk = try Desk()
    let archive = desk.home + "/archived"
    let folder = archive + "/.archiver/objects/42"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if isForeign {
      #expect(geteuid() == 0 ? chown(folder, 1234, 1234) == 0 : chmod(folder, 0o555) == 0)
    }
    let result = await desk.type("doctor")
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("sudo chown -R \(geteuid()) '\(archive)'") == isForeign, "\(words)")
    #expect(!isForeign || result.code == .someFailed)
  }

  @Test func `doctor checks an archive also where the free space is unknown`() async throws {
    let desk = try Desk()
    let archive = desk.home + "/archived"
    try FileManager.default.createDirectory(atPath: archive, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: archive)
    var services = desk.services()
    services.freeBytes = { _ in nil }
    let result = await desk.type("doctor", services: services)
    #expect(result.output.contains("~/archived is world-writable"), "\(result.output)")
  }

  @Test(arguments: [(0o755, false), (0o775, false), (0o777, true)])
  func `doctor finds an archive that everybody can change`(mode: Int, isOpen: Bool) async throws {
    let desk = try Desk()
    let archive = desk.home + "/archived"
    try FileManager.default.createDirectory(atPath: archive, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: archive)
    let result = await desk.type("doctor")
    #expect(result.output.contains("~/archived is world-writable") == isOpen)
    // Where a line is broken depends on the length of the path.
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("chmod o-w '\(archive)'") == isOpen, "\(result.output)")
  }

  @Test func `doctor names every library and has a remedy for what is wrong`() async throws {
    let libraries = Services.libraries.joined(separator: " ")
    for name in [
      "libcurl/", "SQLite/", "libxml2/", "PCRE2/", "libzip/", "libarchive/", "libcrypto/",
    ] {
      let version = libraries.split(separator: " ").first { $0.hasPrefix(name) }?.dropFirst(
        name.count)
      #expect(version?.first?.isNumber == true, "\(name) in \(libraries)")
    }
    let desk = try Desk()
    let result = await desk.type("doctor", "--json", variables: ["PATH": "/nowhere"])
    let findings = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
    }
    let subjects = Set(findings.compactMap { $0["subject"]?.string })
    #expect(subjects.isSuperset(of: ["program", "libraries", "archive", "browser", "schedule"]))
    for finding in findings where finding["state"]?.string != "good" {
      #expect(finding["remedy"]?.string?.isEmpty == false, "\(finding)")
    }
    #expect(findings.contains { $0["state"]?.string == "bad" })
  }
}
