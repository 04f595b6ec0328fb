import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverCLI

@Suite struct SandboxTests {
  private func state(_ words: [String], _ file: String) async throws -> String {
    let desk = try Desk()
    try desk.configure(file)
    let result = await desk.type("status", "-v")
    #expect(result.code == .success)
    return result.output
  }

  @Test func `status says whether runs go into the sandbox`() async throws {
    let plain = "{ sources: { example: { url: 'https://a.example', token: 'env:T' } } }"
    let text = try await state([], plain)
    if let version = Sandbox.version {
      #expect(text.contains("Sandbox: on (Landlock \(version)): these change files only"))
      #expect(
        text.contains(
          ": run, watch, source, search, export, restore, site, portal, render, verify"),
        "\(text)")
    } else {
      #expect(text.contains("Sandbox: off: this system has no usable Landlock"))
    }
  }

  @Test(
    .enabled(if: Sandbox.version != nil, "this kernel has no Landlock: the sandbox is not tested"))
  func `runs that start programs of the user stay outside and say why`() async throws {
    let command = "{ sources: { example: { url: 'https://a.example', token: 'command:echo x' } } }"
    #expect(
      try await state([], command).contains(
        "Sandbox: off for commands that contact a source: a secret of example comes from a command; on for "
          + "search, export, restore, site, portal, repair, retry, cleanup, pin, unpin\n"))
    let header =
      "{ sources: { example: { url: 'https://a.example', token: 'x', headers: { K: 'command:a' } } } }"
    #expect(try await state([], header).contains("a secret of example comes from a command"))
  }

  /// Commands that read no untrusted content except names and dates of the catalog, that start
  /// programs of the system or the desktop, or that copy files without reading them.
  private static let outside: Set<String> = [
    "sources", "login", "list", "open", "status", "schedule", "doctor", "completions", "schema",
    "man", "help", "publish",
  ]

  @Test func `every command enters the sandbox or has a reason not to`() {
    let root = CommandTable.root(kinds: [])
    for command in root.subcommands {
      #expect(
        (command.confinement == nil) == Self.outside.contains(command.name), "\(command.name)")
      #expect(
        command.options.count { $0.name == Option.noSandbox.name }
          == (command.confinement == nil ? 0 : 1), "\(command.name)")
    }
  }

  @Test(
    arguments: [
      ["list"], ["search", "x"], ["open"], ["export", "x", "--epub", "x"], ["pin"], ["site"],
      ["cleanup", "--keep", "1"], ["retry"], ["repair", "--catalog"], ["verify"],
      ["sources", "--names"],
    ])
  func `commands that contact no source start no program`(words: [String]) async throws {
    let desk = try Desk()
    // The program validates its settings, one of which has the name of a rule.
    try desk.configure("{ sources: { toys: { kind: 'toy', path: '/x', keep: 'them' } } }")
    let asked = Mutex(0)
    var services = desk.services()
    services.programs = { _ in
      asked.withLock { $0 += 1 }
      return []
    }
    services.namedPrograms = { _ in
      let properties = AdapterProperties(title: "toy", summary: "toys", settings: [])
      return [
        SourceKind(name: "toy", properties: properties, program: "/x", problem: "not asked") { _ in
          throw AdapterError(.unavailable, "")
        }
      ]
    }
    services.confine = { _ in }
    let error = MemoryOutput()
    let tool = CommandLineTool(
      environment: desk.environment(words, error: error), services: services)
    _ = await tool.run()
    #expect(asked.withLock { $0 } == 0)
    #expect(!error.text.contains("config.json5"), "\(error.text)")
  }

  @Test func `programs that are sources are asked once for the sandbox and the run`() async throws {
    let desk = try Desk()
    try desk.configure("{ sources: { example: { url: 'https://a.example', token: 'env:T' } } }")
    let asked = Mutex(0)
    var services = desk.services()
    services.programs = { _ in
      asked.withLock { $0 += 1 }
      return []
    }
    services.confine = { _ in }
    let result = await desk.type("run", variables: ["T": "secret"], services: services)
    #expect(result.code == .success, "\(result.error)")
    #expect(asked.withLock { $0 } == 1)
    // A run of `watch` detects libraries installed since the previous one.
    let root = CommandTable.root(kinds: services.kinds)
    let run = try #require(root.subcommands.first { $0.name == "run" })
    let inside = Sandbox.enter(
      Invocation(
        path: ["archiver", "run"], command: run, arguments: ParsedArguments(),
        environment: desk.environment(), services: services, root: root))
    for count in [2, 3, 4] {
      _ = inside.services.programs(inside.environment)
      #expect(asked.withLock { $0 } == count)
    }
  }

  #if os(Linux)
    @Test(
      .enabled(
        if: Sandbox.version != nil, "this kernel has no Landlock: the sandbox is not tested"))
    func `inside, files change only where they may`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        var template = Array("/tmp/sandbox-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { _exit(10) }
        let folder = String(
          decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in ["in", "out"] { mkdir("\(folder)/\(name)", 0o700) }
        for name in ["log", "in/old", "out/old"] { close(creat("\(folder)/\(name)", 0o600)) }
        let places = Sandbox.Places(folders: [folder + "/in"], files: [folder + "/log"])
        guard Sandbox.bind(places) else { _exit(11) }
        // Inside, everything works, including moves between its folders.
        mkdir("\(folder)/in/a", 0o700)
        guard creat("\(folder)/in/a/new", 0o600) >= 0 else { _exit(12) }
        guard rename("\(folder)/in/a/new", "\(folder)/in/moved") == 0 else { _exit(13) }
        guard link("\(folder)/in/moved", "\(folder)/in/a/linked") == 0 else { _exit(14) }
        guard open("\(folder)/log", O_WRONLY | O_APPEND) >= 0 else { _exit(15) }
        // Outside, nothing changes and everything is readable.
        guard creat("\(folder)/out/new", 0o600) < 0, errno == EACCES else { _exit(20) }
        guard open("\(folder)/out/old", O_WRONLY) < 0 else { _exit(21) }
        guard truncate("\(folder)/out/old", 0) != 0 || (Sandbox.version ?? 0) < 3 else { _exit(22) }
        guard unlink("\(folder)/out/old") != 0, unlink("\(folder)/log") != 0 else { _exit(23) }
        guard rename("\(folder)/in/moved", "\(folder)/out/moved") != 0 else { _exit(24) }
        guard open("\(folder)/out/old", O_RDONLY) >= 0 else { _exit(25) }
        guard open("/etc/hosts", O_RDONLY) >= 0 else { _exit(26) }
        _exit(0)
      }
    }
  #endif
}
