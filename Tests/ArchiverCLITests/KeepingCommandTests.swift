import ArchiverCore
import ArchiverPipeline
import Testing

@testable import ArchiverCLI

@Suite struct KeepingCommandTests {
  @Test(arguments: [
    ("90d", 90), ("8w", 56), ("18mo", 540), ("2y", 730), ("0d", 0), ("2", nil), ("y", nil),
    ("-1d", nil), ("99999d", nil), ("2 y", 730), ("2Y", 730), ("48h", 2), ("1M", nil), ("", nil),
  ])
  func `an age is a number of hours, days, weeks, months or years`(text: String, days: Int?) {
    #expect(Quantity.age(text) == days.map { .seconds($0 * 86_400) })
  }

  private func options(_ words: String...) throws -> RunOptions {
    let root = CommandTable.root(kinds: [])
    let run = try #require(root.subcommand(named: "run"))
    #expect(run.option(named: "on-deleted") != nil)
    #expect(run.option(named: "on-conflict") != nil)
    var arguments = ParsedArguments()
    for word in words {
      let parts = word.split(separator: "=").map(String.init)
      let option = try #require(run.option(named: parts[0]))
      arguments.add(.text(parts[1]), to: option, from: .commandLine)
    }
    return RunOptions().keeping(arguments, nil)
  }

  @Test func `deleted items are marked and the source wins by default`() throws {
    let usual = try options()
    #expect(usual.onDeleted == .mark)
    #expect(usual.onConflict == .server)
    let told = try options("on-deleted=remove", "on-conflict=both")
    #expect(told.onDeleted == .remove)
    #expect(told.onConflict == .both)
  }

  @Test func `the configuration says it for every run, and the command line more`() async throws {
    let desk = try Desk()
    try desk.configure("{ onDeleted: 'remove', onConflict: 'both' }")
    #expect(await desk.type("run", variables: Desk.configured).code == .success)
    var options = try desk.request().options
    #expect(options.onDeleted == .remove)
    #expect(options.onConflict == .both)
    #expect(
      await desk.type("run", "--on-deleted", "keep", variables: Desk.configured).code == .success)
    options = try desk.request().options
    #expect(options.onDeleted == .keep)
    #expect(options.onConflict == .both)
    try desk.configure("{ onDeleted: 'burn' }")
    let refused = await desk.type("run", variables: Desk.configured)
    #expect(refused.code == .usage)
    #expect(refused.error.contains("onDeleted takes one of keep, mark, remove"), "\(refused.error)")
  }
}
