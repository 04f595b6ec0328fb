import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import CommandAdapter

/// What a program prints that has no effect is named.
@Suite(.serialized) struct IgnoredKeyTests {
  /// A key of a setting besides the known ones, and part of the message.
  static let settings: [(String, String)] = [
    (#""secret":true"#, #"the unknown key 'secret'; a secret is written "type": "secret""#),
    (#""placeholder":"x""#, "the unknown key 'placeholder' (known are key, type, help, required"),
  ]

  @Test(arguments: settings)
  func `a setting with an unknown key is refused by its name`(member: String, words: String) throws
  {
    let workshop = try Workshop()
    let line =
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","settings":[{"key":"a","help":"h",\#(member)}]}"#
    let program = try workshop.program(description: "say '\(line)'")
    let error = #expect(throws: AdapterError.self) {
      try ProgramKinds.kind(of: program, variables: Workshop.variables)
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func `a setting named like a secret is one, unless its type says otherwise`() throws {
    let workshop = try Workshop()
    let keys = [
      #"{"key":"token","help":"h"}"#, #"{"key":"apiKey","help":"h"}"#,
      #"{"key":"userPassword","help":"h"}"#, #"{"key":"tokens","help":"h"}"#,
      #"{"key":"clientToken","type":"text","help":"h"}"#,
    ]
    let line =
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","settings":["#
      + keys.joined(separator: ",") + "]}"
    let program = try workshop.program(description: "say '\(line)'")
    let kind = try ProgramKinds.kind(of: program, variables: Workshop.variables)
    #expect(
      kind.properties.settings.map { $0.value == .secret } == [true, true, true, false, false])
  }

  @Test func `a key without effect is named once, with the key that was meant`() async throws {
    let workshop = try Workshop()
    let description =
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","process":2}"#
    let program = try workshop.program(
      description: "say '\(description)'",
      list: """
        say '{"type":"page","references":[{"id":"a","revision":"1","tags":["x"]},{"id":"b","revision":"1","tags":[]}]}'
        say '{"type":"done"}'
        """,
      item: """
        say '{"type":"item","html":"x","attachment":[],"highlights":[],"metadata":{"isFavourite":true,"author":"A","series":{"nmae":"x","name":"y"}},"attachments":[{"url":"https://a.test/x","size":3}],"record":{"anything":{"goes":1}}}'
        """)
    let source = try workshop.source(program)
    _ = try await pages(source)
    for id in ["a", "b"] { _ = try await source.item(ItemReference(id: id, revision: "1")) }
    let logs = workshop.logs.withLock { $0 }
    let expected = [
      "the key 'process' is unknown and ignored; did you mean 'processes'?",
      "the key 'references.tags' is unknown and ignored (known are date, id, payload, revision, title)",
      "the key 'attachment' is unknown and ignored; did you mean 'attachments'?",
      "the key 'attachments.size' is unknown and ignored (known are caption",
      "the key 'highlights' is unknown and ignored (known are addresses, annotations",
      "the key 'metadata.author' is unknown and ignored; did you mean 'authors'?",
      "the key 'metadata.isFavourite' is unknown and ignored; did you mean 'favourite'?",
      "the key 'metadata.series.nmae' is unknown and ignored; did you mean 'name'?",
    ]
    #expect(logs.count == expected.count, "\(logs)")
    for (log, words) in zip(logs, expected) { #expect(log.hasPrefix(words), "\(log)") }
  }

  @Test func `a value without effect is named`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: """
        printf x >"$ARCHIVER_FOLDER/f"
          say '{"type":"item","html":"x","htmlFile":"y","baseURL":"x","metadata":{"kind":"podcast","url":"example.org","readProgress":900},"attachments":[{"file":"f","url":"cid:1"}]}'
        """)
    _ = try await workshop.source(program).item(ItemReference(id: "a", revision: "1"))
    let logs = workshop.logs.withLock { $0 }
    for words in [
      "metadata.kind 'podcast' is unknown and taken for article (known are article, photo",
      "metadata.readProgress 900 is not from 0 to 100", "metadata.url is not an http or https",
      "baseURL is not an http", "attachments.url is not an http", "htmlFile is ignored beside html",
    ] {
      #expect(logs.contains { $0.contains(words) }, "\(words): \(logs)")
    }
  }

  @Test func `a page without references is a gap, so that no item counts as deleted`() async throws
  {
    let pages: [(String, String?)] = [
      (
        #""items":[{"id":"a","revision":"1"}],"complete":true,"checkpoint":"x""#,
        "a page has no references but items"
      ),
      (#""shelf":1"#, "a page has no references but shelf"), ("", "a page has no references"),
      (#""references":[],"complete":true,"shelf":1"#, nil), (#""deleted":["a"]"#, nil),
      (#""checkpoint":"x""#, nil),
    ]
    for (members, gap) in pages {
      let workshop = try Workshop()
      let comma = members.isEmpty ? "" : ","
      let program = try workshop.program(
        list: """
          say '{"type":"page"\(comma)\(members)}'
          say '{"type":"done"}'
          """)
      let listed = try await CommandAdapterTests.pages(workshop.source(program))
      #expect(listed.flatMap(\.gaps).map(\.message) == (gap.map { [$0] } ?? []), "\(members)")
      #expect(listed.flatMap(\.gaps).allSatisfy { $0.isEssential })
      if gap != nil { #expect(listed.compactMap(\.checkpoint).isEmpty) }
    }
  }

  /// A word besides the known ones, and part of the message.
  static let words: [(String, String)] = [
    (
      #""links":[{"kind":"child","target":"x"}]"#,
      "links.0.kind: 'child' is none of parent, link, mention, relation"
    ),
    (
      #""missing":[{"kind":"image","reason":"x"}]"#,
      "missing.0.kind: 'image' is none of text, mainFile, file, picture"
    ),
    (
      #""attachments":[{"role":"photo","url":"https://a.test/"}]"#,
      "'photo' is none of cover, icon, image, file"
    ),
  ]

  @Test(arguments: words)
  func `an error about a word lists the known ones`(member: String, words: String) async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: #"say '{"type":"item","html":"x","metadata":{},\#(member)}'"#)
    let source = try workshop.source(program)
    let error = await failure { _ = try await source.item(ItemReference(id: "a", revision: "1")) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "none")")
  }

  @Test func `the last line of standard error is part of a failure, others are no warnings`()
    async throws
  {
    let workshop = try Workshop()
    let program = try workshop.program(item: "echo waiting for a lock >&2; sleep 60")
    let kind = try ProgramKinds.kind(
      of: program, variables: Workshop.variables, limits: Workshop.limits)
    let warnings = Mutex<[String]>([])
    let source = try kind.open(settings: Data("{}".utf8)).make(
      AdapterContext(
        name: "mine", http: Workshop.Nobody(),
        events: WarningSink { line in
          warnings.withLock { $0.append(line) }
        }))
    let error = await failure { _ = try await source.item(ItemReference(id: "a", revision: "1")) }
    #expect(error?.message == "toy printed nothing for too long: waiting for a lock")
    #expect(warnings.withLock { $0 } == [])
  }
}

/// Passes on warnings and errors.
private struct WarningSink: EventSink {
  let take: @Sendable (String) -> Void

  func send(_ event: Event) {
    if case .log(.warning..., _, let message) = event { take(message) }
  }
}
