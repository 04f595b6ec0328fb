import ArchiverCore
import ArchiverTestKit
import Testing

/// Untrusted text that a user reads in a terminal, a log, a mail or a spreadsheet.
@Suite(.serialized) struct HostileTerminalTests {
  /// Clears the screen, sets the window title, injects input, forges a line, reverses text.
  private static let tricks =
    "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{90}q\u{1B}P+q\u{8}\u{7F}\r\nfake: line\u{85}\u{2028}next\u{2029}"
    + "\u{202E}gpj.exe\u{202C}\u{2066}a\u{2069}\u{200E}\u{200F}\u{61C}\u{FEFF}\u{E0041}"
  private static let shell =
    "$(touch \"$HOME/owned\")`touch \"$HOME/owned\"`;touch \"$HOME/owned\"&'\"\\"

  /// Characters that a terminal obeys or that change the order of others; line feeds are ours.
  private static func commands(in text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
      case 0x200E, 0x200F, 0x61C, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
      default: false
      }
    }.map { "U+" + String($0.value, radix: 16) }
  }

  private static func stage(_ stage: Stage) {
    stage.readeck.add(Stage.article(0))
    for (number, words) in [tricks + "first", "second " + shell, "=cmd|'/c calc'!A1 " + tricks]
      .enumerated()
    {
      var bookmark = Stage.article(number + 1)
      bookmark.title = words
      bookmark.labels = [words]
      bookmark.authors = [words]
      bookmark.siteName = words
      bookmark.description = words
      bookmark.highlights = [.init("word3", color: words, note: words)]
      stage.readeck.add(bookmark)
    }
    // The last fails, and its server says why in its own way.
    var lost = Stage.article(9)
    lost.title = tricks + "lost"
    lost.html = "<p>never seen</p>"
    let id = stage.readeck.add(lost)
    stage.tamper { request, answer in
      let isAbout =
        request.path.contains(id) || String(decoding: request.body, as: UTF8.self).contains(id)
      guard isAbout else { return answer }
      return .text("{\"message\": \"\(tricks)\"}", type: "application/json", status: 500)
    }
  }

  @Test func `no command obeys or passes on what a title says`() async throws {
    try await Stage.with(articles: 0) { stage in
      HostileTerminalTests.stage(stage)
      var environment = stage.environment
      environment["HOME"] = stage.home
      let told = stage.home + "/told"
      let notify =
        "{ cat; printf '%s' \"$ARCHIVER_SUMMARY\"; } > '\(told)'"
      let log = stage.home + "/log"
      let metrics = stage.home + "/metrics"
      let archived = stage.home + "/archived.epub"
      let page = stage.home + "/page.html"
      let lines: [[String]] = [
        [
          "run", "--source", "readeck", "--notify", notify, "--log-file", log, "--metrics", metrics,
        ],
        ["run", "--source", "readeck", "-vv", "--retry", "0"],
        ["run", "--source", "readeck", "--json", "--refresh"],
        ["list"], ["list", "--failed"], ["list", "--json"], ["list", "--failed", "--json"],
        ["status"], ["status", "-v"], ["status", "--json"],
        ["search", "word3"], ["search", "fake"], ["search", "--json", "word3"],
        ["open", "fake"], ["pin", "fake"], ["pin", HostileTerminalTests.tricks],
        ["export", "fake", "--epub", archived], ["export", "second", "--single-file", page],
        ["verify"], ["verify", "--json"], ["doctor"], ["sources"],
        ["cleanup", "--older-than", "0d", "--dry-run"], ["retry", "--failed"],
        ["repair", "--catalog"], ["site"], ["no-such\(HostileTerminalTests.tricks)"],
        ["run", "--source", HostileTerminalTests.tricks],
      ]
      var outputs = 0
      for line in lines {
        let result = try await Program.run(line, home: stage.home, environment: environment)
        for text in [result.output, result.error] {
          #expect(
            HostileTerminalTests.commands(in: text).isEmpty,
            "\(line.prefix(2)): \(text.debugDescription.suffix(1_500))")
          #expect(!text.split(separator: "\n").contains { $0.hasPrefix("fake: line") }, "\(line)")
          outputs += text.isEmpty ? 0 : 1
        }
        if line == ["list", "--failed"] { #expect(result.output.contains("status 500")) }
      }
      #expect(outputs > lines.count / 2)
      for path in [told, log, metrics] {
        let data = try #require(FileManager.default.contents(atPath: path), "\(path)")
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.isEmpty)
        #expect(
          HostileTerminalTests.commands(in: text).isEmpty, "\(path): \(text.debugDescription)")
      }
      #expect(
        !FileManager.default.fileExists(atPath: stage.home + "/owned"), "a shell obeyed a title")
    }
  }
}
