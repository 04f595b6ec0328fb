import ArchiverCore
import ArchiverTestKit
import Testing

/// Runs the commands whose output the documentation shows, against the demo's Readeck, and compares.
@Suite struct TranscriptTests {
  /// A program `crontab` that keeps the table in the home.
  static let crontab = """
    #!/bin/sh
    case $1 in
      -l) cat "$HOME/.crontab" 2>/dev/null || { echo "no crontab" >&2; exit 1; } ;;
      *) cat > "$HOME/.crontab" ;;
    esac
    """

  private static func page(_ path: String) throws -> String {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
  }

  private static func run(
    _ words: [String], home: String, _ variables: [String: String]
  ) throws -> ChildProcess {
    try ChildProcess(
      "/bin/sh", ["-c", "exec '\(Program.path)' \"$@\" 2>&1", "sh"] + words,
      environment: [
        "HOME": home, "PATH": "\(home)/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      ].merging(variables) { $1 })
  }

  @Test(
    arguments: [
      ("README.md", 1), ("Sources/ArchiverCLI/ArchiverCLI.docc/FirstNight.md", 9),
      ("Sources/ArchiverCLI/ArchiverCLI.docc/Scripting.md", 1),
    ])
  func `the output shown in the documentation is what the program prints`(
    path: String, count: Int
  ) async throws {
    let demo = try await Program.startDemo()
    defer { demo.server.end() }
    try await TemporaryFolder.with("transcript") { home in
      let bin = home + "/bin"
      try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
      try ProgramFile.write(Self.crontab, to: bin + "/crontab")
      // Only a machine with systemd has its output.
      let transcripts = Transcript.all(in: try Self.page(path)) { $0.contains("systemd") }
        .filter { $0.words.first != "login" }
      #expect(transcripts.count == count)
      for transcript in transcripts {
        let process = try Self.run(
          transcript.words, home: home, ["READECK_URL": demo.url, "READECK_TOKEN": "demo"])
        #expect(try await process.wait(limit: .seconds(120)) == 0)
        #expect(
          transcript.matches(process.output),
          "archiver \(transcript.words.joined(separator: " ")): \(process.output)")
      }
    }
  }

  @Test func `the output shown of a login is what the program prints`() async throws {
    let path = "Sources/ArchiverCLI/ArchiverCLI.docc/FirstNight.md"
    let all = Transcript.all(in: try Self.page(path)).filter { $0.words.first == "login" }
    let transcript = try #require(all.first)
    try await Stage.with(articles: 25) { stage in
      let address = String(stage.server.baseURL.absoluteString.dropLast())
      let words = transcript.words.map { $0.hasPrefix("https://") ? address : $0 }
      let login = try Self.run(words, home: stage.home, [:])
      for _ in 0..<500 where !login.output.contains("Waiting") {
        try await Task.sleep(for: .milliseconds(20))
      }
      stage.readeck.decideLogin(.agree)
      #expect(try await login.wait() == 0)
      #expect(transcript.matches(login.output), "\(login.output)")
    }
  }

  /// A program `systemctl` that prints what systemd's prints for the timer.
  private static let systemctl = """
    #!/bin/sh
    case "$*" in
      *enable*) echo "Created symlink $HOME/.config/systemd/user/timers.target.wants/archiver.timer → $HOME/.config/systemd/user/archiver.timer." >&2 ;;
      *list-timers*) cat <<'TABLE'
    NEXT                        LEFT     LAST PASSED UNIT           ACTIVATES
    Sun 2026-11-22 03:31:01 UTC 11h left -    -      archiver.timer archiver.service

    1 timers listed.
    TABLE
      ;;
    esac
    """

  @Test func `the output shown for systemd is what the program prints`() async throws {
    let page = try Self.page("Sources/ArchiverCLI/ArchiverCLI.docc/FirstNight.md")
    let transcripts = Transcript.all(in: page) { !$0.contains("systemd") }
    #expect(
      transcripts.map { $0.words.prefix(2).joined(separator: " ") } == [
        "schedule install", "schedule show",
      ])
    try await TemporaryFolder.with("systemd") { home in
      let bin = home + "/bin"
      try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
      try ProgramFile.write(Self.systemctl, to: bin + "/systemctl")
      for transcript in transcripts {
        let process = try Self.run(
          transcript.words, home: home,
          ["READECK_URL": "http://127.0.0.1:9", "READECK_TOKEN": "t"])
        #expect(try await process.wait(limit: .seconds(60)) == 0, "\(process.output)")
        #expect(transcript.matches(process.output), "\(process.output)")
      }
    }
  }

  @Test func `the output shown of the installation is what the script prints`() async throws {
    let page = try Self.page("Sources/ArchiverCLI/ArchiverCLI.docc/FirstNight.md")
    let transcripts = Transcript.all(in: page, of: "Scripts/install")
    #expect(transcripts.map(\.words) == [[], ["--uninstall"]])
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    try await TemporaryFolder.with("install") { home in
      for transcript in transcripts {
        let process = try ChildProcess(
          "/bin/sh",
          [
            "-c",
            "exec '\(root)/Scripts/install' --prefix \"$HOME/.local\" --binary '\(Program.path)' \"$@\"",
            "sh",
          ] + transcript.words,
          environment: ["HOME": home, "PATH": "\(home)/.local/bin:/usr/bin:/bin"])
        #expect(try await process.wait(limit: .seconds(60)) == 0, "\(process.errorOutput)")
        let printed = process.output.replacing(home, with: "~")
        #expect(transcript.matches(printed), "\(printed)")
      }
      let left = try FileManager.default.subpathsOfDirectory(atPath: home + "/.local")
      #expect(left.filter { $0.contains("archiver.1") || $0 == "bin/archiver" }.isEmpty)
    }
  }

  @Test(arguments: [
    ("a …\nb 3 s", "a x\nb 4.1 s", true), ("a …\nb", "c x\nb", false),
    ("a\n…\nb", "a\nx\ny\nb", true), ("2 items", "3 items", false), ("a", "a\nb", false),
    ("see https://a/x", "see http://b:1/x", true),
  ])
  func `a transcript matches apart from times, sizes and hosts`(
    shown: String, printed: String, isSame: Bool
  ) {
    let lines = shown.split(separator: "\n").map(String.init)
    #expect(Transcript(words: [], output: lines).matches(printed) == isSame)
  }
}
