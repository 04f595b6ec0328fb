import ArchiverCore
import ArchiverTestKit
import Testing

/// A thousand records with extreme values in every member, with the built program: none of them
/// ends the run, and each is archived or fails alone.
@Suite struct ExtremeRecordTests {
  private static let count = 1_000

  /// The members of each record that a program prints for an item.
  private static let item: [(name: String, value: String)] = [
    ("type", "\"item\""), ("html", "\"<p>a</p>\""), ("htmlFile", "null"), ("reason", "null"),
    ("baseURL", "\"https://example.org/\""), ("attachments", "[]"), ("annotations", "[]"),
    ("links", "[]"), ("addresses", "[]"), ("record", "{}"), ("notes", "[]"), ("missing", "[]"),
    ("revision", "\"1\""),
  ]
  private static let metadata: [(name: String, value: String)] = [
    ("kind", "\"article\""), ("title", "\"T\""), ("url", "\"https://example.org/\""),
    ("site", "\"example.org\""), ("siteName", "\"Example\""), ("authors", "[\"A\"]"),
    ("summary", "\"S\""), ("language", "\"en\""), ("direction", "\"ltr\""),
    ("published", "\"2026-01-01\""), ("added", "\"2026-01-01\""), ("modified", "\"2026-01-01\""),
    ("labels", "[\"l\"]"), ("favourite", "true"), ("pinned", "false"), ("archived", "false"),
    ("readProgress", "5"), ("readingTime", "5"), ("series", "{\"name\":\"S\",\"position\":1}"),
    ("properties", "[{\"name\":\"p\",\"value\":\"v\"}]"),
  ]
  private static let reference: [(name: String, value: String)] = [
    ("revision", "\"1\""), ("title", "\"T\""), ("date", "\"2026-01-01\""), ("payload", "\"p\""),
  ]

  /// Returns the page of a listing with a healthy reference and a hundred others.
  private static func page(_ start: Int, _ values: inout ExtremeValues) -> String {
    var references = ["{\"id\":\"ok\(start)\",\"revision\":\"1\",\"title\":\"Good \(start)\"}"]
    for number in start..<start + 100 {
      let members = [("id", "\"i\(number)\"")] + reference
      references.append(
        number % 2 == 0
          ? "{\"id\":\"i\(number)\",\"revision\":\"1\"}" : values.altered(members))
    }
    return "{\"type\":\"page\",\"references\":[\(references.joined(separator: ","))],"
      + "\"total\":\(values.value()),\"gaps\":\(values.value()),\"complete\":\(values.value())}"
  }

  /// Returns the reply to a request for an item.
  private static func reply(_ values: inout ExtremeValues) -> String {
    var members = item
    members.append(
      ("metadata", values.next(2) == 0 ? values.altered(metadata) : "{\"title\":\"T\"}"))
    // The type stays: a reply of another type is tried by other tests.
    let text = values.next(2) == 0 ? values.altered(Array(members.dropFirst())) : nil
    guard let text else {
      return "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }
    return "{\"type\":\"item\"," + text.dropFirst()
  }

  @Test func `a program's records cost only themselves, on two nights`() async throws {
    try await ProgramHome.with([]) { home in
      var values = ExtremeValues(seed: 7)
      let pages = stride(from: 0, to: Self.count, by: 100).map { Self.page($0, &values) }
      let replies = (0..<Self.count).map { _ in Self.reply(&values) }
      for (name, lines) in ["pages": pages, "replies": replies] {
        try Data(lines.joined(separator: "\n").utf8).write(
          to: URL(filePath: "\(home.folder)/\(name)"))
      }
      try home.install(
        "wild",
        """
        #!/bin/sh
        while IFS= read -r line; do
          case $line in
            *'"describe"'*) echo '{"type":"description","protocol":1,"kind":"wild","summary":"x"}' ;;
            *'"open"'*) echo '{"type":"ready"}' ;;
            *'"request":"list"'*) cat '\(home.folder)/pages'; echo; echo '{"type":"done"}' ;;
            *'"id":"ok'*)
              echo '{"type":"item","metadata":{"kind":"article","title":"Good"},"html":"<p>fine</p>"}' ;;
            *'"id":"i'*)
              number=${line#*'"id":"i'}
              sed -n "$((${number%%'"'*} + 1))p" '\(home.folder)/replies' ;;
            *) echo '{"type":"error","code":"notFound","message":"no such item"}' ;;
          esac
        done
        """)
      let first = try await home.run("wild")
      #expect(first.code == 1, "\(first)")
      #expect(first.summary["archived"]?.integer ?? 0 > 150, "\(first.summary)")
      try await check(home, "wild", good: 10)
      let second = try await home.run("wild")
      #expect(second.code == 1, "\(second)")
      #expect(second.summary["archived"]?.integer ?? -1 == 0, "\(second.summary)")
      try await check(home, "wild", good: 10)
    }
  }

  private func check(_ home: ProgramHome, _ source: String, good: Int) async throws {
    let list = try await home.archiver("list", "--json").output
    #expect(list.components(separatedBy: "\"Good\"").count == good + 1)
    let verify = try await home.archiver("verify", "--json")
    #expect(Program.damage(verify).isEmpty, "\(Program.damage(verify).prefix(5))")
    #expect(try home.text("index.html").contains("</html>"))
    #expect(try await home.archiver("search", "fine").output.contains("Good"))
  }

  @Test func `Readeck's records cost only themselves, on two nights`() async throws {
    try await Stage.with(articles: 0) { stage in
      for number in 0..<Self.count {
        var bookmark = FakeReadeck.Bookmark(
          url: "https://example.org/\(number)", title: "Article \(number)",
          html: "<section><p>Text number \(number).</p></section>")
        bookmark.wordCount = 3
        bookmark.labels = ["one", "two"]
        stage.readeck.add(bookmark)
      }
      let ids = stage.readeck.ids
      let extreme = Set(ids.enumerated().filter { $0.offset % 10 != 0 }.map(\.element))
      stage.readeck.behaviour.makeExtreme(extreme)
      let first = try await stage.run()
      #expect(first.code == 1, "\(first)")
      #expect(first.summary["archived"]?.integer ?? 0 > 700, "\(first.summary)")
      #expect(try await stage.damage().isEmpty)
      let list = try await Program.run(
        ["list", "--json"], home: stage.home, environment: stage.environment)
      for number in stride(from: 0, to: Self.count, by: 10) {
        #expect(list.output.contains("\"Article \(number)\""), "Article \(number)")
      }
      // An edit of a healthy bookmark is taken on the second night.
      stage.readeck.update(ids[0]) { $0.title = "Edited" }
      let second = try await stage.run()
      #expect(second.code == 1, "\(second)")
      #expect(
        try stage.bundles().contains { folder in
          let page = try Data(contentsOf: URL(filePath: folder + "/index.html"))
          return String(decoding: page, as: UTF8.self).contains("<title>Edited")
        })
    }
  }
}
