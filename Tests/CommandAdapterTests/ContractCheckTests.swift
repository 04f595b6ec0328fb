import ArchiverCore
import ArchiverTestKit
import Testing

@testable import CommandAdapter

/// The checks of `archiver source test` find a fault once, where it is.
@Suite(.serialized) struct ContractCheckTests {
  /// Returns the violations of a program that lists `references` and of which `cases` of a shell's
  /// `case` give items; others are read or, if they are not listed, not found.
  private static func violations(
    _ references: String, cases: String = "", members: String = ""
  ) async throws -> [String] {
    let workshop = try Workshop()
    let program = try workshop.program(
      list: """
        say '{"type":"page","references":[\(references)]\(members)}'
          say '{"type":"done"}'
        """,
      item: """
        case $line in
          \(cases)
          *'"id":"no such item"'*) say '{"type":"error","code":"notFound","message":"gone"}' ;;
          *) say '{"type":"item","html":"x","metadata":{"title":"T"}}' ;;
        esac
        """)
    return try await conformance(of: program).violations()
  }

  private static let good = #"{"id":"a","revision":"1"},{"id":"b","revision":"1"}"#

  @Test func `an item that always fails is reported once, and breaks no rule of order`()
    async throws
  {
    let found = try await Self.violations(
      Self.good + #",{"id":"bad","revision":"1"}"#,
      cases: """
        *'"id":"bad"'*) say '{"type":"error","code":"malformed","message":"a broken date"}' ;;
        """)
    #expect(
      found == ["items: 1 item failed:", "items: bad gave .malformed (a broken date)"])
  }

  @Test func `a listed item that is not found is a fault`() async throws {
    let found = try await Self.violations(
      Self.good + #",{"id":"lost","revision":"1"}"#,
      cases: """
        *'"id":"lost"'*) say '{"type":"error","code":"notFound","message":"no file"}' ;;
        """)
    #expect(
      found == [
        "items: 1 item failed:", "items: lost gave .notFound (no file), although it is listed",
      ])
  }

  @Test func `an item that fails only in another order breaks the rule`() async throws {
    let found = try await Self.violations(
      Self.good,
      // A file, as concurrent requests may have a process each.
      cases: """
        *'"id":"b"'*) if rm "$0.last" 2>/dev/null; then say '{"type":"item","html":"x","metadata":{"title":"T"}}'
          else say '{"type":"error","code":"malformed","message":"a comes first"}'; fi ;;
        *'"id":"a"'*) : >"$0.last"; say '{"type":"item","html":"x","metadata":{"title":"T"}}' ;;
        """)
    #expect(found.contains { $0.hasPrefix("3: b is another item, or none") }, "\(found)")
  }

  @Test func `what a listing leaves out or names twice is a fault`() async throws {
    let found = try await Self.violations(
      Self.good + #",{"id":"c"},{"id":"a","revision":"1"},{"id":"b","revision":"2"}"#)
    #expect(
      found == [
        "listing: a reference was left out: references.2.revision is missing",
        "listing: a is listed 2 times, with one revision",
        "listing: b is listed 2 times, with several revisions",
      ])
  }

  @Test func `a kind may have digits`() async throws {
    let workshop = try Workshop()
    let description = Workshop.description.replacing("\"toy\"", with: "\"toy2\"")
    let program = try workshop.program("toy2", description: "say '\(description)'")
    #expect(try conformance(of: program).properties() == [])
  }

  @Test func `what a listing means for other items is said`() async throws {
    for (members, words) in [
      ("", "does not name stay."), (#","complete":true"#, "count as deleted."),
    ] {
      let workshop = try Workshop()
      let program = try workshop.program(
        list: """
          say '{"type":"page","references":[\(Self.good)]\(members)}'
            say '{"type":"done"}'
          """)
      let extent = try await conformance(of: program).extent()
      #expect(extent?.hasPrefix("The listing names 2 items and ") == true)
      #expect(extent?.hasSuffix(words) == true, "\(extent ?? "")")
    }
  }
}
