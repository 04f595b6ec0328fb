import ArchiverAdapters
import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

/// Runs completion in the real shells; a function replaces the tool, which the scripts call for the
/// names of sources.
@Suite struct CompletionTests {
  static let root = CommandTable.root(kinds: sourceKinds.map { SourceKind($0) })

  private func answer(
    _ shell: CompletionShell, _ program: (_ script: String) -> String
  ) async throws -> [String] {
    try await TemporaryFolder.with("completion") { folder in
      let script = folder + "/script"
      try Data(shell.script(root: Self.root).utf8).write(to: URL(filePath: script))
      let process = try ChildProcess(
        try #require(ChildProcess.find(shell.rawValue)), ["-c", program(script)],
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"])
      _ = try await process.wait()
      #expect(process.errorOutput == "")
      return process.output.split(separator: "\n").map(String.init)
    }
  }

  private func bash(_ line: String) async throws -> [String] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    return try await answer(.bash) { script in
      """
      archiver() { echo readeck; echo work-notes; }
      source \(script)
      COMP_WORDS=(\(words.map { String($0).shellQuoted }.joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      _archiver 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    }
  }

  private func fish(_ line: String) async throws -> [String] {
    try await answer(.fish) {
      "function archiver; echo readeck; echo work-notes; end; source \($0); complete -C \(line.shellQuoted)"
    }.map {
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
  ]

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
    let text = try await answer(.zsh) { script in
      """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "archiver() { echo readeck; echo work-notes }"
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
