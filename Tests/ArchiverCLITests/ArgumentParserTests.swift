import ArchiverCore
import Testing

@testable import ArchiverCLI

@Suite struct ArgumentParserTests {
  static let root = CommandTable.root(
    kinds: [SourceKind(ExampleAdapter.self), SourceKind(FolderAdapter.self)])

  private func parse(_ line: String, _ variables: [String: String] = [:]) throws -> ParsedArguments
  {
    let words = line.split(separator: " ").map(String.init)
    let outcome = try ArgumentParser.parse(words, root: Self.root, variables: variables)
    guard case .run(_, _, let arguments) = outcome else {
      throw UsageError("not a command to run")
    }
    return arguments
  }

  private func failure(_ line: String, _ variables: [String: String] = [:]) -> String? {
    do {
      _ = try parse(line, variables)
      return nil
    } catch {
      return (error as? UsageError)?.description
    }
  }

  @Test(arguments: [
    "run --max 20", "run --max=20", "run -n 20", "run -n20", "run -n=20", "run -qn20",
  ])
  func `takes a value in every usual form`(line: String) throws {
    #expect(try parse(line).integer(.max) == 20)
  }

  @Test func `counts bundled and repeated flags`() throws {
    let arguments = try parse("run -vvq -v --verbose")
    #expect(arguments.count(.verbose) == 4)
    #expect(arguments.has(.quiet))
    #expect(!arguments.has(.json))
  }

  @Test func `collects repeatable options and keeps the last of others`() throws {
    let arguments = try parse("run -s one --source=two --source three --max 1 --max 2")
    #expect(arguments.texts(.source) == ["one", "two", "three"])
    #expect(arguments.integer(.max) == 2)
  }

  @Test func `takes words after two dashes as arguments`() throws {
    #expect(try parse("login -- --odd").operands == ["--odd"])
  }

  @Test func `takes an empty value only where one may be empty`() {
    #expect(failure("run --archive=")?.contains("not empty") == true)
  }

  static let mistakes: [(String, String)] = [
    ("rnu", "'rnu' is not a command; did you mean 'run'? (see 'archiver --help')"),
    ("stats", "'stats' is not a command; did you mean 'status'? (see 'archiver --help')"),
    ("zebra", "'zebra' is not a command (see 'archiver --help')"),
    ("run --mxa 3", "unknown option '--mxa'; did you mean '--max'? (see 'archiver run --help')"),
    (
      "run --keep-version 3",
      "unknown option '--keep-version'; did you mean '--keep-versions'? (see 'archiver run --help')"
    ),
    ("run -x", "unknown option '-x' (see 'archiver run --help')"),
    ("run -xy", "unknown option '-x' (see 'archiver run --help')"),
    (
      "search -maps",
      "unknown option '-m'; put an argument that begins with '-' after '--' "
        + "(see 'archiver search --help')"
    ),
    ("run --max", "--max needs a value: --max=N (see 'archiver run --help')"),
    ("run --source --max 3", "--source needs a value: --source=NAME (see 'archiver run --help')"),
    (
      "run --max many",
      "--max takes a whole number of at least 1, not 'many' (see 'archiver run --help')"
    ),
    (
      "run --jobs -5",
      "--jobs takes a whole number from 1 to 256, not '-5' (see 'archiver run --help')"
    ),
    ("run --json=yes", "--json takes no value (see 'archiver run --help')"),
    (
      "run --state unraed",
      "--state takes one of all, unread, not 'unraed'; did you mean 'unread'? "
        + "(see 'archiver run --help')"
    ),
    ("run extra", "unexpected argument 'extra' (see 'archiver run --help')"),
    ("login", "archiver login needs SOURCE (see 'archiver login --help')"),
    (
      "completions",
      "archiver completions needs SHELL: bash, zsh, fish (see 'archiver completions --help')"
    ),
    (
      "completions bahs",
      "SHELL is one of bash, zsh, fish, not 'bahs'; did you mean 'bash'? "
        + "(see 'archiver completions --help')"
    ),
    ("--max 3", "--max must follow its command: archiver run --max (see 'archiver --help')"),
    ("run --\u{1B}[2J", "unknown option '--[2J' (see 'archiver run --help')"),
  ]

  @Test(arguments: mistakes)
  func `explains a mistake and names what was meant`(line: String, message: String) {
    #expect(failure(line) == message)
  }

  @Test func `the environment sets options that are not given`() throws {
    let variables = ["ARCHIVER_MAX": "7", "ARCHIVER_SOURCE": "one, two,", "ARCHIVER_ARCHIVE": ""]
    let arguments = try parse("run", variables)
    #expect(arguments.integer(.max) == 7)
    #expect(arguments.texts(.source) == ["one", "two"])
    #expect(!arguments.has(.archive))
    #expect(arguments.origins["max"] == .environment("ARCHIVER_MAX"))
    #expect(try parse("run --max 9 --source three", variables).integer(.max) == 9)
    #expect(try parse("run --source three", variables).texts(.source) == ["three"])
    #expect(
      failure("run", ["ARCHIVER_JOBS": "0"])
        == "ARCHIVER_JOBS takes a whole number from 1 to 256, not '0' (see 'archiver run --help')")
  }

  @Test(arguments: ["run --help", "run -h", "run -qh --nonsense", "help --help"])
  func `help takes precedence over later arguments`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    guard case .help = try ArgumentParser.parse(words, root: Self.root) else {
      Issue.record("\(line) is not answered with help")
      return
    }
  }

  static let distances: [(String, String, Int)] = [
    ("", "", 0), ("run", "run", 0), ("rnu", "run", 1), ("", "abc", 3), ("kitten", "sitting", 3),
    ("ab", "ba", 1), ("max", "mxa", 1), ("abc", "", 3),
  ]

  @Test(arguments: distances)
  func `counts insertions, deletions, replacements and swaps`(
    one: String, other: String, distance: Int
  ) {
    #expect(EditDistance.of(Array(one), Array(other)) == distance)
    #expect(EditDistance.of(Array(other), Array(one)) == distance)
  }

  @Test func `names nothing when nothing is near`() {
    #expect(NearestName.of("xyz", among: ["run", "list"]) == nil)
    #expect(NearestName.of("comp", among: ["run", "completions"]) == "completions")
  }
}
