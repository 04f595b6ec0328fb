import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import CommandAdapter

@Suite struct ProtocolTests {
  static let reference = ItemReference(id: "a \"b\"/c", revision: "1", title: "T", payload: "p")

  @Test func `pages, progress and checkpoints come through`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      list: """
        case $line in *'"checkpoint":"c/1"'*) say '{"type":"done"}' ;; *)
          say '{"type":"progress","count":1,"total":2}'
          say '{"type":"log","level":"warning","message":"slow today"}'
          say '{"type":"news-from-the-future"}'
          say '{"type":"page","references":[{"id":"1","revision":"r","date":"2026-11-21"}],"total":2}'
          say '{"type":"page","references":[{"id":"2","revision":"r","title":"Two","date":"2026-11-21T10:00:00.5+01:00"}],"deleted":["0"],"checkpoint":"c/1","complete":true}'
          say '{"type":"done"}' ;; esac
        """)
    let source = try workshop.source(program)
    let found = try await pages(source)
    #expect(found.flatMap(\.references).map(\.id) == ["1", "2"])
    #expect(found[0].references[0].date == Date(timeIntervalSince1970: 1_795_219_200))
    #expect(found[1].references[0].date == Date(timeIntervalSince1970: 1_795_251_600.5))
    #expect(found[1].deleted == ["0"] && found[1].isCompleteEnumeration)
    #expect(found[1].checkpoint == Checkpoint("c/1"))
    #expect(try await pages(source, since: "c/1").isEmpty)
    #expect(workshop.logs.withLock { $0 } == ["slow today"])
  }

  @Test func `what could not be listed or read comes through`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      list: """
        say '{"type":"page","references":[],"gaps":[{"message":"a shelf answers 500"},{"message":"no names","essential":false}]}'
        say '{"type":"done"}'
        """,
      item: """
        say '{"type":"item","html":"<p>a</p>","metadata":{"title":"T"},"missing":[{"reason":"500"},{"kind":"comments","reason":"403","permanent":true,"essential":false}]}'
        """)
    let source = try workshop.source(program)
    let gaps = try await pages(source).flatMap(\.gaps)
    #expect(gaps.map(\.message) == ["a shelf answers 500", "no names"])
    #expect(gaps.map(\.isEssential) == [true, false])
    let missing = try await source.item(Self.reference).missing
    #expect(missing.map(\.kind) == [.text, .comments])
    #expect(missing.map(\.isEssential) == [true, false])
    #expect(missing.map(\.isPermanent) == [false, true])
  }

  @Test func `an invalid reference hides no other, and is told on every night`() async throws {
    let bad = [
      #"{"revision":"1"}"#, #"{"id":5,"revision":"1"}"#, #"{"id":"b"}"#,
      #"{"id":"","revision":"1"}"#,
      #"{"id":"b","revision":"1","date":"soon"}"#, #"{"id":"b","revision":1.5}"#, "null", "7", "[]",
      #"{"id":"\#(String(repeating: "x", count: 1_025))","revision":"1"}"#,
    ]
    for reference in bad {
      let workshop = try Workshop()
      let program = try workshop.program(
        list: """
          say '{"type":"page","references":[{"id":"a","revision":"1"},\(reference),{"id":"c","revision":"1"}],"deleted":["d",1,"e"],"checkpoint":"x"}'
          say '{"type":"done"}'
          """)
      let source = try workshop.source(program)
      for _ in 0..<3 {
        let listed = try await pages(source)
        #expect(listed.flatMap(\.references).map(\.id) == ["a", "c"], "\(reference)")
        #expect(listed.flatMap(\.deleted) == ["d", "e"])
        let gaps = listed.flatMap(\.gaps)
        #expect(gaps.count == 2 && gaps.allSatisfy(\.isEssential), "\(reference)")
        #expect(gaps.first?.message.contains("a reference was left out: ") == true)
        #expect(listed.compactMap(\.checkpoint).isEmpty)
      }
    }
  }

  @Test func `an invalid total, checkpoint or end hides no reference`() async throws {
    for member in [#""total":"many""#, #""total":1.5"#, #""checkpoint":{}"#, #""complete":"yes""#] {
      let workshop = try Workshop()
      let program = try workshop.program(
        list: """
          say '{"type":"page","references":[{"id":"a","revision":"1"}],\(member)}'
          say '{"type":"done"}'
          """)
      let listed = try await pages(try workshop.source(program))
      #expect(listed.flatMap(\.references).map(\.id) == ["a"], "\(member)")
      #expect(listed.flatMap(\.gaps).map(\.isEssential) == [false], "\(member)")
      #expect(listed.filter(\.isCompleteEnumeration).isEmpty, "\(member)")
    }
  }

  @Test func `an invalid gap, log or progress message ends no listing`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      list: """
        say '{"type":"log","level":"warning"}'
        say '{"type":"progress","count":"many"}'
        say '{"type":"page","references":[{"id":"a","revision":"1"}],"gaps":[{"message":"a shelf"},7]}'
        say '{"type":"page","references":"none","deleted":{},"gaps":"x"}'
        say '{"type":"page","references":[{"id":"b","revision":"1"}]}'
        say '{"type":"done"}'
        """)
    let listed = try await pages(try workshop.source(program))
    #expect(listed.flatMap(\.references).map(\.id) == ["a", "b"])
    #expect(
      listed.flatMap(\.gaps).map(\.message) == [
        "a shelf", "a gap was left out: gaps.1 is not an object",
        "a gap was left out: gaps is not an array",
        "a reference was left out: references is not an array",
        "the id of a deleted item was left out: deleted is not an array",
      ])
    #expect(listed.flatMap(\.gaps).allSatisfy { $0.isEssential })
    #expect(
      workshop.logs.withLock { $0 } == [
        "an invalid log message: message is missing",
        "an invalid progress message: count is not a whole number",
      ])
  }

  @Test(arguments: [
    (#""kind":"article""#, "", ["the text"]),
    (#""kind":"podcast""#, #","html":"<p>a</p>""#, ["the kind"]),
    (#""title":"t""#, #","reason":"a locked page""#, []),
    (#""title":"t""#, #","attachments":[{"url":"https://a.test/b.pdf"}]"#, []),
    (#""title":"t""#, #","missing":[{"reason":"500","name":"the page"}]"#, ["the page"]),
  ])
  func `an item without anything, or of an unknown kind, is not complete`(
    metadata: String, members: String, missing: [String]
  ) async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: "say '{\"type\":\"item\",\"metadata\":{\(metadata)}\(members)}'")
    let item = try await workshop.source(program).item(Self.reference)
    #expect(item.missing.map(\.name) == missing)
    #expect(item.missing.map(\.isEssential) == missing.map { $0 != "the kind" })
  }

  @Test func `an item with an invalid member does not restart the program`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: """
        case $line in
          *'"id":"bad"'*) say "{\\"type\\":\\"item\\",\\"metadata\\":{\\"labels\\":7}}" ;;
          *) say "{\\"type\\":\\"item\\",\\"metadata\\":{\\"title\\":\\"$$\\"}}" ;;
        esac
        """)
    let source = try workshop.source(program)
    let process = try await process(of: source)
    let bad = await failure { _ = try await source.item(ItemReference(id: "bad", revision: "1")) }
    #expect(bad?.code == .malformed)
    #expect(bad?.message == "toy printed an invalid line: metadata.labels is not an array")
    #expect(try await self.process(of: source) == process)
  }

  /// Returns the process id of a program that prints it as the title of its items.
  private func process(of source: some Source) async throws -> String {
    try await source.item(ItemReference(id: "1", revision: "1")).metadata.title
  }

  @Test func `no checkpoint of a program moves past what it could not list`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      list: """
        say '{"type":"page","references":[],"checkpoint":"one","gaps":[{"message":"no names","essential":false}]}'
        say '{"type":"page","references":[],"checkpoint":"two","gaps":[{"message":"a shelf answers 500"}]}'
        say '{"type":"page","references":[],"checkpoint":"three"}'
        say '{"type":"done"}'
        """)
    let listed = try await pages(try workshop.source(program))
    #expect(listed.map { $0.checkpoint?.value } == ["one", nil, nil])
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808"])
  func `a count that no list has is skipped`(count: String) async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      list: """
        say '{"type":"page","references":[{"id":"1","revision":"r"}]}'
        say '{"type":"progress","count":\(count),"total":\(count)}'
        say '{"type":"done"}'
        """)
    let source = try workshop.source(program)
    #expect(try await pages(source).flatMap(\.references).map(\.id) == ["1"])
  }

  @Test func `an item comes with text, facts and files`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: """
        printf picture >"$ARCHIVER_FOLDER/p.png"; printf '<p>text</p>' >"$ARCHIVER_FOLDER/t.html"
          say '{"type":"item","revision":"2","htmlFile":"t.html","baseURL":"https://example.org/a","metadata":{"title":"T","kind":"book","url":"https://example.org/a","authors":["A"],"published":"2026-11-21","readProgress":900},"attachments":[{"role":"cover","file":"p.png"},{"url":"https://example.org/f.pdf"}],"annotations":[{"id":"h","text":"marked","start":{"selector":"p[1]","offset":3}}],"record":{"a":1},"notes":["n"]}'
        """)
    let item = try await workshop.source(program).item(Self.reference)
    #expect(item.reference.id == Self.reference.id && item.reference.revision == "2")
    #expect(item.metadata.kind == .book && item.metadata.site == "example.org")
    #expect(item.metadata.readProgress == 100)
    guard case .html(let bytes, let base) = item.body else { throw AdapterError(.malformed, "") }
    #expect(String(decoding: bytes, as: UTF8.self) == "<p>text</p>")
    #expect(base == WebURL("https://example.org/a"))
    #expect(item.attachments.map(\.role) == [.cover, .file])
    guard case .inline(let picture) = item.attachments[0].location else {
      throw AdapterError(.malformed, "")
    }
    #expect(String(decoding: picture, as: UTF8.self) == "picture")
    #expect(item.annotations.map(\.text) == ["marked"])
    #expect(item.annotations.first?.start == Annotation.Position(selector: "p[1]", offset: 3))
    #expect(item.record.map { String(decoding: $0, as: UTF8.self) }?.contains("\"a\" : 1") == true)
  }

  @Test func `settings reach it, secrets and others' variables not by the environment`()
    async throws
  {
    let workshop = try Workshop()
    let program = try workshop.program(
      open: """
        opened=$line; say '{"type":"ready"}'
        """,
      item: """
        printf '%s|' "$opened" "$ARCHIVER_SETTING_PATH" "$ARCHIVER_SETTING_MAX_AGE" "$ARCHIVER_SETTING_TOKEN" "$READECK_TOKEN" >"$ARCHIVER_FOLDER/x"
        say '{"type":"item","metadata":{},"htmlFile":"x"}'
        """)
    let source = try workshop.source(
      program, settings: #"{"path":"/a b","maxAge":7,"token":"sesame"}"#)
    guard case .html(let bytes, _) = try await source.item(Self.reference).body else {
      throw AdapterError(.malformed, "")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSuffix("|/a b|7|||"))
    #expect(text.contains(#""settings":{"maxAge":7,"path":"/a b","token":"sesame"}"#))
    #expect(text.contains(#""name":"mine""#))
  }

  @Test func `an error is reported with code and delay, and the process continues`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: """
        case $line in
          *'"id":"late"'*) say '{"type":"error","code":"rateLimited","message":"later","retryAfter":30}' ;;
          *'"id":"odd"'*) say '{"type":"error","code":"no such code","message":"odd"}' ;;
          *) say "{\\"type\\":\\"item\\",\\"metadata\\":{\\"title\\":\\"$$\\"}}" ;;
        esac
        """)
    let source = try workshop.source(program)
    let process = try await process(of: source)
    let late = await failure { _ = try await source.item(ItemReference(id: "late", revision: "")) }
    #expect(late?.code == .rateLimited && late?.retryAfter == .seconds(30))
    #expect(late?.message == "later")
    let odd = await failure { _ = try await source.item(ItemReference(id: "odd", revision: "")) }
    #expect(odd?.code == .malformed)
    #expect(try await self.process(of: source) == process)
  }

  /// A fault of a program in place of an item, its error code, and part of the message.
  static let faults: [(String, AdapterError.Code, String)] = [
    ("echo oops >&2; exit 3", .unavailable, "status 3 before it responded: oops"),
    ("kill -9 $$", .unavailable, "signal 9"),
    ("exit 0", .unavailable, "ended before it responded"),
    ("say nonsense", .malformed, "not a JSON object: 'nonsense'"),
    (#"printf '\033[1m\377%0100d\n' 0"#, .malformed, "object: ' [1m\u{FFFD}00"),
    (#"say '{"type":"item"}'"#, .malformed, "metadata is missing"),
    (#"say '{"type":"item","metadata":{"published":"soon"}}'"#, .malformed, "metadata.published"),
    (
      #"say '{"type":"item","metadata":{"readProgress":0.5}}'"#, .malformed,
      "a number is not whole, or is too large"
    ),
    (
      #"say '{"type":"item","metadata":{"labels":"x"}}'"#, .malformed,
      "metadata.labels is not an array"
    ),
    (
      #"say '{"type":"item","metadata":{"title":1}}'"#, .malformed, "metadata.title is not a string"
    ),
    (
      #"say '{"type":"item","metadata":{},"attachments":[{"url":"https://a.test/","role":"picture"}]}'"#,
      .malformed, "attachments.0.role: 'picture' is none of cover, icon, image, file"
    ),
    (#"say '[1]'"#, .malformed, "the reply is not an object"),
    (#"say '{"type":"ready"}'"#, .malformed, "something other than an item"),
    ("sleep 60", .unavailable, "printed nothing for too long"),
    ("head -c 3000000 /dev/zero | tr '\\0' x", .tooLarge, "line that is too long ("),
    (
      #"say '{"type":"item","metadata":{},"htmlFile":"../x"}'"#, .malformed,
      "not the name of a file"
    ),
    (
      #"ln -s /etc/passwd "$ARCHIVER_FOLDER/x"; say '{"type":"item","metadata":{},"htmlFile":"x"}'"#,
      .malformed, "cannot be read"
    ),
    (
      #"mkdir "$ARCHIVER_FOLDER/x"; say '{"type":"item","metadata":{},"htmlFile":"x"}'"#,
      .malformed, "not a regular file"
    ),
    (
      #"head -c 2000000 /dev/zero >"$ARCHIVER_FOLDER/x"; say '{"type":"item","metadata":{},"htmlFile":"x"}'"#,
      .tooLarge, "is too large ("
    ),
  ]

  @Test(arguments: faults)
  func `a program that misbehaves fails its item, and the next one is served`(
    action: String, code: AdapterError.Code, words: String
  ) async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: """
        case $line in *'"id":"bad"'*) \(action) ;; *) say '{"type":"item","metadata":{}}' ;; esac
        """)
    let source = try workshop.source(program)
    let error = await failure {
      _ = try await source.item(ItemReference(id: "bad", revision: "1"))
    }
    #expect(error?.code == code, "\(error?.message ?? "none")")
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "none")")
    _ = try await source.item(ItemReference(id: "good", revision: "1"))
  }

  @Test func `a second reply to one request is not taken for the next item`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: """
        id=${line#*'"id":"'}; id=${id%%'"'*}
        printf '%s\\n%s\\n' '{"type":"error","code":"notFound","message":"gone"}' \
          "{\\"type\\":\\"item\\",\\"metadata\\":{\\"title\\":\\"$id\\"}}"
        """)
    let source = try workshop.source(program)
    func code(_ id: String) async -> AdapterError.Code? {
      do throws(AdapterError) {
        _ = try await source.item(ItemReference(id: id, revision: "1"))
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await code("1") == .notFound)
    #expect(await code("2") == .malformed)
    #expect(await code("3") == .notFound)
  }
}
