import ArchiverAdapters
import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

/// Asks for candidates, and runs completion in the real shells. There a script replaces the tool: it
/// prints the candidates if the shell passes the words of the line.
@Suite struct CompletionTests {
  static let root = CommandTable.root(kinds: sourceKinds.map { SourceKind($0) })

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ", omittingEmptySubsequences: false).dropFirst().map(String.init)
  }

  private static func candidates(_ line: String) -> String {
    Completion(root: root) { ["readeck", "work-notes"] }.text(words(line))
  }

  /// The candidates that begin with the last word, without their descriptions.
  private static func offered(_ line: String) -> [String] {
    candidates(line).split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      .filter { $0.hasPrefix(words(line).last ?? "") }
  }

  private func answer(
    _ shell: CompletionShell, _ line: String, _ program: (_ script: String) -> String
  ) async throws -> [String] {
    try await TemporaryFolder.with("completion") { folder in
      let script = folder + "/script"
      try Data(shell.script.utf8).write(to: URL(filePath: script))
      try Data(Self.candidates(line).utf8).write(to: URL(filePath: folder + "/candidates"))
      let asked = ([Completion.request] + Self.words(line)).joined(separator: " ")
      let tool = """
        #!/bin/sh
        [ "$*" = \(asked.shellQuoted) ] && cat \(folder)/candidates

        """
      try ProgramFile.write(tool, to: folder + "/archiver")
      let process = try ChildProcess(
        try #require(ChildProcess.find(shell.rawValue)), ["-c", program(script)],
        environment: ["PATH": "\(folder):/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"])
      _ = try await process.wait()
      #expect(process.errorOutput == "")
      return process.output.split(separator: "\n").map(String.init)
    }
  }

  private func bash(_ line: String) async throws -> [String] {
    let words = ["archiver"] + Self.words(line)
    return try await answer(.bash, line) { script in
      """
      source \(script)
      COMP_WORDS=(\(words.map(\.shellQuoted).joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      _archiver 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    }
  }

  private func fish(_ line: String) async throws -> [String] {
    try await answer(.fish, line) { "source \($0); complete -C \(line.shellQuoted)" }.map {
      String($0.prefix { $0 != "\t" })
    }
  }

  static let cases: [(line: String, offered: [String])] = [
    ("archiver ru", ["run"]),
    ("archiver run --keep", ["--keep-versions"]),
    ("archiver run --only-h", ["--only-highlighted"]),
    ("archiver run --state un", ["unread"]),
    ("archiver run --source ", ["readeck", "work-notes"]),
    ("archiver completions ", ["bash", "zsh", "fish"]),
    ("archiver login rea", ["readeck"]),
    ("archiver help ver", ["verify"]),
    ("archiver --ver", ["--version"]),
    ("archiver run --state=un", ["--state=unread"]),
  ]

  static let positions: [(line: String, offered: [String])] = [
    ("archiver export book --epub b", []), ("archiver run -s books --full --full", []),
    ("archiver run -s=rea", ["-s=readeck"]), ("archiver source te", ["test"]),
    ("archiver source test w", ["work-notes"]), ("archiver login readeck rea", []),
    ("archiver help run ver", ["verify"]),
  ]

  @Test(arguments: cases + positions)
  func `the program offers commands, options and values`(line: String, offered: [String]) {
    #expect(Set(Self.offered(line)) == Set(offered))
  }

  @Test(
    arguments: [
      ("archiver run --log-file x", ":files\n"), ("archiver run --log-file=x", ":files\n"),
      ("archiver run --archive x", ":folders\n"), ("archiver run --max ", ""),
    ])
  func `the shell is asked for paths`(line: String, candidates: String) {
    #expect(Self.candidates(line) == candidates)
  }

  @Test func `the tool offers the sources of the configuration`() async throws {
    let desk = try Desk()
    try desk.configure("{ sources: { mine: { kind: 'example' } } }")
    let answer = await desk.type(Completion.request, "login", "")
    #expect(answer.code == .success && answer.error == "")
    #expect(answer.output.split(separator: "\n").contains("mine"), "\(answer.output)")
    try desk.configure("{ broken")
    #expect(await desk.type(Completion.request, "login", "").output == "")
  }

  @Test(.enabled(if: ChildProcess.find("bash") != nil, "bash is not installed"))
  func `bash completes paths`() async throws {
    #expect(try await bash("archiver run --archive /us").contains("/usr"))
    #expect(try await bash("archiver run --log-file /etc/pass").contains("/etc/passwd"))
  }

  @Test(.enabled(if: ChildProcess.find("bash") != nil, "bash is not installed"), arguments: cases)
  func `bash completes commands, options and values`(line: String, offered: [String]) async throws {
    #expect(Set(try await bash(line)) == Set(offered))
  }

  @Test(.enabled(if: ChildProcess.find("fish") != nil, "fish is not installed"), arguments: cases)
  func `fish completes commands, options and values`(line: String, offered: [String]) async throws {
    #expect(Set(try await fish(line)) == Set(offered))
  }

  @Test(.enabled(if: ChildProcess.find("zsh") != nil, "zsh is not installed"), arguments: cases)
  func `zsh completes commands, options and values`(line: String, offered: [String]) async throws {
    let text = try await answer(.zsh, line) { script in
      """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source \(script); echo rea''dy"
      zpty -r -m shell seen '*ready*'
      zpty -w shell "zstyle ':completion:*' list-separator '|'; LISTMAX=0; echo se''t"
      zpty -r -m shell seen '*set*'
      zpty -w shell 'show() { zle -I; print -r -- "<$BUFFER>" }; zle -N show; bindkey "^T" show; echo bou""nd'
      zpty -r -m shell seen '*bound*'
      zpty -w -n shell '\(line)'$'\\t\\t\\x14'
      for try in {1..100}; do
        while zpty -r -t shell seen; do print -r -- "$seen"; all+="$seen"; done
        missing=0
        for word in \(offered.joined(separator: " ")); do [[ $all == *$word* ]] || missing=1; done
        (( missing )) || break
        sleep 0.1
      done
      zpty -d shell
      """
    }.joined(separator: "\n")
    for word in offered { #expect(text.contains(word), "\(line): \(text)") }
  }
}
