import ArchiverCore
import Testing

@testable import ArchiverCLI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
      #expect(text.hasSuffix("temporary folder (Landlock \(version))\n"))
    } else {
      #expect(text.contains("Sandbox: off: this system has no Landlock"))
    }
  }

  @Test(
    .enabled(if: Sandbox.version != nil, "this kernel has no Landlock: the sandbox is not tested"))
  func `runs that start programs of the user stay outside and say why`() async throws {
    let command = "{ sources: { example: { url: 'https://a.example', token: 'command:echo x' } } }"
    #expect(
      try await state([], command).hasSuffix(
        "Sandbox: off: a secret of example comes from a command\n"))
    let header =
      "{ sources: { example: { url: 'https://a.example', token: 'x', headers: { K: 'command:a' } } } }"
    #expect(try await state([], header).contains("a secret of example comes from a command"))
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
        // Inside everything works, between its folders too.
        mkdir("\(folder)/in/a", 0o700)
        guard creat("\(folder)/in/a/new", 0o600) >= 0 else { _exit(12) }
        guard rename("\(folder)/in/a/new", "\(folder)/in/moved") == 0 else { _exit(13) }
        guard link("\(folder)/in/moved", "\(folder)/in/a/linked") == 0 else { _exit(14) }
        guard open("\(folder)/log", O_WRONLY | O_APPEND) >= 0 else { _exit(15) }
        // Outside nothing changes and everything is read.
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
