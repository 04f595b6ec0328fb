import ArchiverAdapters
import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

@Suite struct HelpTests {
  static let root = CommandTable.root(
    kinds: (sourceKinds + [ExampleAdapter.self]).map { SourceKind($0) })

  private func commands() -> [(path: [String], command: Command)] {
    var commands: [(path: [String], command: Command)] = []
    Self.root.forEach { commands.append(($0, $1)) }
    return commands
  }

  @Test func `help names every option with its variable and default`() {
    for (path, command) in commands() {
      let help = HelpPage.text(path: path, command: command, width: 100)
      let words = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      for option in command.options {
        #expect(words.contains(option.synopsis), "\(path) lacks \(option.flag)")
        #expect(option.environment.map { words.contains($0) } ?? true, "\(path) \(option.flag)")
        #expect(option.defaultText.map { words.contains($0) } ?? true, "\(path) \(option.flag)")
      }
    }
  }

  @Test func `every command that does something has an example and exit codes`() {
    for (path, command) in commands() where command.action != nil {
      #expect(!command.examples.isEmpty, "\(path)")
      #expect(command.exitCodes.contains(.success), "\(path)")
      let help = HelpPage.text(path: path, command: command)
      #expect(help.contains("Exit codes:") && help.contains("The command line"), "\(path)")
    }
    #expect(RunCommand.command(kinds: []).exitCodes == ExitCode.allCases)
  }

  @Test func `names of options are unique within a command and single sentences`() {
    for (path, command) in commands() {
      #expect(Set(command.options.map(\.name)).count == command.options.count, "\(path)")
      let shorts = command.options.compactMap(\.short)
      #expect(Set(shorts).count == shorts.count, "\(path)")
      for option in command.options {
        #expect(!option.help.hasSuffix("."), "\(option.flag)")
        #expect(option.takesValue == (option.valueName != nil), "\(option.flag)")
      }
    }
  }

  @Test func `help of an action is that of its command`() async throws {
    #expect(await (try Desk()).type("help", "source", "test").output.hasPrefix("archiver source: "))
    #expect(
      await (try Desk()).type("help", "restore", "readeck").output.hasPrefix("archiver restore: "))
    #expect(await (try Desk()).type("help", "source", "nothing").code == .usage)
  }

  @Test(arguments: [40, 80])
  func `help keeps to the width`(width: Int) {
    for (path, command) in commands() {
      let text = HelpPage.text(path: path, command: command, width: width)
      let indented = text.split(separator: "\n").filter { $0.hasPrefix("       ") }
      // A single word may be longer than the line.
      for line in indented where line.split(separator: " ").count > 1 {
        #expect(TextWidth.of(line) <= width, "\(path): \(line)")
      }
    }
  }

  @Test func `settings of adapters become options of run, secrets never`() throws {
    let run = try #require(Self.root.subcommand(named: "run"))
    let state = try #require(run.option(named: "state"))
    #expect(state.group == "Readeck options")
    #expect(run.option(named: "page-size")?.group == "Example options")
    #expect(run.option(named: "token") == nil)
    #expect(run.option(named: "headers") == nil)
  }

  @Test func `the manual page names every command, option and variable`() {
    let page = ManualPage.text(root: Self.root, version: "1.2.3")
    for (path, command) in commands() where path.count > 1 {
      #expect(page.contains(ManualPage.escape(path.joined(separator: " "))))
      for option in command.options where option != .help {
        #expect(page.contains("\\fB" + ManualPage.escape(option.flag) + "\\fR"), "\(option.flag)")
        if let variable = option.environment { #expect(page.contains(variable)) }
      }
    }
    for shape in EventRecord.schema { #expect(page.contains(shape.name)) }
    for code in ExitCode.allCases {
      #expect(page.contains("\\fB\(code.rawValue)\\fR\n" + ManualPage.escape(code.meaning)))
    }
    for variable in ManualTopic.allVariables(Self.root) {
      #expect(page.contains("\\fB" + ManualPage.escape(variable.name) + "\\fR\n"))
    }
    for paragraph in ManualTopic.beforeVariables + ManualTopic.afterVariables(Self.root) {
      #expect(page.contains(ManualPage.escape(paragraph)), "\(paragraph)")
    }
  }

  @Test(arguments: [
    ("open", "Nothing matches"), ("doctor", "A check failed."), ("status", "--check found"),
  ])
  func `a command whose exit code 1 has a meaning of its own shows that meaning`(
    word: String, meaning: String
  ) async throws {
    let help = await (try Desk()).type(word, "--help").output
    #expect(help.contains("  1  \(meaning)"), "\(help)")
    #expect(!help.contains("some items failed"))
  }

  @Test(
    .enabled(if: ChildProcess.find("man") != nil, "man is not installed"),
    arguments: [60, 66, 80, 100, 120])
  func `man formats the page without a warning`(width: Int) async throws {
    try await TemporaryFolder.with("man") { folder in
      let path = folder + "/archiver.1"
      let page = ManualPage.text(root: Self.root, version: "1.2.3")
      try Data(page.utf8).write(to: URL(filePath: path))
      let man = try ChildProcess(
        try #require(ChildProcess.find("man")), ["--warnings", "-E", "UTF-8", "-l", path],
        environment: [
          "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "\(width)", "MANPAGER": "cat",
        ])
      #expect(try await man.wait() == 0)
      #expect(man.errorOutput == "")
      #expect(man.output.contains("--keep-versions"))
      #expect(man.output.contains("EXIT STATUS"))
      // Commands for copying are not broken at a hyphen.
      #expect(man.output.contains("~/.local/share"))
    }
  }

  static let escapes: [(String, String)] = [
    ("--max", "\\-\\-max"), ("a\\b", "a\\eb"), (".x", "\\&.x"), ("'x", "\\(aqx"),
    ("~/x", "\\(ti/x"), ("é…", "\\[u00E9]\\[u2026]"),
  ]

  @Test(arguments: escapes)
  func `text in the manual page is escaped`(text: String, roff: String) {
    #expect(ManualPage.escape(text) == roff)
  }

  @Test func `every topic is listed, explained and in the manual page`() async throws {
    let desk = try Desk()
    let list = await desk.type("help", "topics").output
    let root = CommandTable.root(kinds: desk.services().kinds)
    let page = ManualPage.text(root: root, version: "1")
    let names = ManualTopic.help(root).map(\.name)
    #expect(names.contains("environment") && names.contains("exit-codes"))
    for topic in ManualTopic.help(root) {
      #expect(list.contains(topic.name + " "))
      #expect(list.contains(" \(topic.summary)\n"))
      let text = await desk.type("help", topic.name)
      #expect(text.code == .success && text.output.contains(topic.title + "\n"), "\(topic.name)")
      #expect(page.contains(".SH \(topic.title)\n"), "\(topic.title)")
    }
    #expect(await desk.type("help", "exit-codes").output.contains("5: Another run"))
    let typo = await desk.type("help", "exit-code")
    #expect(typo.error.contains("did you mean 'exit-codes'?"))
  }
}
