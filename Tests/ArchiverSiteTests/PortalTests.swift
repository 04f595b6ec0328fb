import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The start page of several archives.
@Suite struct PortalTests {
  private static let now = SampleArchive.now
  private static let limit = now.addingTimeInterval(-3 * 86_400)
  private static let today = UTCTime.text(now)

  private static func source(
    _ name: String, items: Int = 3, success: String? = today, _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    let run: JSONValue = [
      "started": .string(today), "finished": .string(today), "outcome": "ok", "failure": .null,
    ]
    let fields: [String: JSONValue] = [
      "source": .string(name), "kind": "readeck", "items": .integer(items),
      "bytes": .integer(items * 1_000_000), "waiting": 0, "failing": 0, "incomplete": 0,
      "lastSuccess": success.map { .string($0) } ?? .null, "failingSince": .null, "runs": [run],
    ]
    return .object(fields.merging(more) { $1 })
  }

  static func write(_ text: String, _ path: String) throws {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/" + folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// Writes what the portal reads of an archive.
  static func archive(_ path: String, _ sources: [JSONValue]) throws {
    let script = ScriptData.assignment(
      "var archiverStatus", ["failures": [], "sources": .array(sources), "failureCount": 0])
    try write(String(decoding: script, as: UTF8.self), "\(path)/library/status.js")
    try write("<p>the library</p>", "\(path)/index.html")
    try write("<p>problems</p>", "\(path)/library/problems.html")
  }

  private func page(_ root: String, _ words: Words = .english) throws -> String {
    String(decoding: try Portal(reading: root).page(words: words, limit: Self.limit), as: UTF8.self)
  }

  @Test func `each archive is listed with its numbers, in natural order`() async throws {
    try await TemporaryFolder.with("portal") { root in
      try Self.archive("\(root)/shelf 10", [Self.source("books", items: 1)])
      try Self.archive("\(root)/Bob", [Self.source("notion", items: 1_200)])
      try Self.archive("\(root)/anna", [Self.source("work"), Self.source("Home", items: 4)])
      try Self.archive("\(root)/shelf 9", [])
      let html = try page(root)
      let links = html.split(separator: "<h2>").dropFirst().compactMap { part in
        part.split(separator: "href=\"").dropFirst().first?.prefix { $0 != "\"" }
      }
      #expect(
        links == [
          "anna/index.html", "Bob/index.html", "shelf%209/index.html", "shelf%2010/index.html",
        ])
      #expect(html.contains("4 archives · 1,208 items · 1.2 GB"))
      #expect(html.contains("<p class=\"facts\">7 items · 7 MB · <time"))
      #expect(html.contains(">Updated 21 November 2026</time>"))
      #expect(html.contains("<p class=\"facts\">0 items · 0 B</p>"))
      let home = try #require(html.firstRange(of: ">Home</bdi>"))
      let work = try #require(html.firstRange(of: ">work</bdi>"))
      #expect(home.lowerBound < work.lowerBound)
      #expect(try page(root) == html)
      #expect(!html.contains("<script") && !html.contains("problems.html"))
      #expect(!html.contains("dot warn") && !html.contains("dot bad"))
    }
  }

  @Test(arguments: [
    ("lastSuccess", "2026-11-01T00:00:00Z", "not updated since 1 November 2026", "warn"),
    ("failingSince", "2026-11-20T00:00:00Z", "not updated since 20 November 2026", "bad"),
  ])
  func `a source that was not reached needs attention`(
    key: String, time: String, sentence: String, level: String
  ) async throws {
    try await TemporaryFolder.with("portal") { root in
      try Self.archive("\(root)/anna", [Self.source("a"), Self.source("b", [key: .string(time)])])
      let html = try page(root)
      #expect(html.contains("<span class=\"\(level)\"> · \(sentence)</span>"), "\(html)")
      #expect(html.contains("<h2><span class=\"dot \(level)\""))
      #expect(html.contains("href=\"anna/library/problems.html\""))
      let outcome = try Portal(reading: root).archives[0].level(Self.limit)
      #expect(outcome.rawValue == level)
    }
  }

  private static let runs: [(runs: JSONValue, failing: Int, sentence: String)] = [
    ([], 0, "never synced"),
    ([["started": "2026-11-20T00:00:00Z"]], 0, "never synced"),
    (
      [["started": "2026-11-20T00:00:00Z", "outcome": "died"]], 0,
      "the last run, on 20 November 2026, stopped unexpectedly"
    ),
    (
      [
        ["started": "2026-11-21T00:00:00Z"],
        ["started": "2026-11-20T00:00:00Z", "outcome": "interrupted"],
      ],
      0, "the last run, on 20 November 2026, was interrupted"
    ),
    ([["started": "2026-11-20T00:00:00Z", "outcome": "partial"]], 1_234, "1,234 failing"),
  ]

  @Test(arguments: runs)
  func `a bad last run is named; one in progress is not`(
    runs: JSONValue, failing: Int, sentence: String
  ) async throws {
    try await TemporaryFolder.with("portal") { root in
      try Self.archive(
        "\(root)/anna", [Self.source("a", ["runs": runs, "failing": .integer(failing)])])
      #expect(try page(root).contains("<span class=\"warn\"> · \(sentence)</span>"))
    }
  }

  @Test func `a bad archive or a foreign folder costs only itself`() async throws {
    try await TemporaryFolder.with("portal") { root in
      try Self.archive("\(root)/anna", [Self.source("a")])
      try Self.archive("\(root)/no page", [Self.source("a")])
      try FileManager.default.removeItem(atPath: "\(root)/no page/index.html")
      for (name, text) in [
        ("cut", "var archiverStatus = {\"sources\": ["), ("other", "alert(1);\n"),
        ("types", "var archiverStatus = {\"sources\":[{\"source\":7}]};\n"),
        ("deep", "var archiverStatus = \(String(repeating: "[", count: 1_000_000));\n"),
      ] {
        try Self.archive("\(root)/\(name)", [])
        try Self.write(text, "\(root)/\(name)/library/status.js")
      }
      try Self.archive("\(root)/large", [])
      let padding = String(repeating: " ", count: Portal.sizeLimit)
      try Self.write(
        "var archiverStatus = {\"sources\":[]\(padding)};\n", "\(root)/large/library/status.js")
      try Self.write("", "\(root)/lost/.archiver/catalog.sqlite")
      try Self.write("", "\(root)/photos/library/sea.jpg")
      try Self.write("", "\(root)/.hidden/library/status.js")
      try Self.write("", "\(root)/notes.txt")
      let portal = try Portal(reading: root)
      #expect(portal.archives.map(\.name) == ["anna"])
      let status = Portal.Omission.Reason.damaged(file: "library/status.js")
      let expected: [String: Portal.Omission.Reason] = [
        "no page": .damaged(file: "index.html"), "cut": status, "other": status, "types": status,
        "deep": status, "large": status, "lost": status, "photos": .foreign,
      ]
      #expect(
        Dictionary(uniqueKeysWithValues: portal.omissions.map { ($0.name, $0.reason) }) == expected)
    }
  }

  @Test func `no symbolic link is followed`() async throws {
    try await TemporaryFolder.with("portal") { root in
      let outside = root + "/outside"
      let inside = root + "/inside"
      try Self.archive(outside, [Self.source("private")])
      try Self.archive("\(inside)/anna", [Self.source("a")])
      try Self.archive("\(inside)/bob", [])
      try FileManager.default.removeItem(atPath: "\(inside)/bob/library")
      try Self.archive("\(inside)/carl", [])
      try FileManager.default.removeItem(atPath: "\(inside)/carl/library/status.js")
      for (place, target) in [
        ("linked", outside), ("bob/library", "\(outside)/library"),
        ("carl/library/status.js", "\(outside)/library/status.js"),
        ("file", "\(outside)/index.html"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(inside)/\(place)", withDestinationPath: target)
      }
      let portal = try Portal(reading: inside)
      #expect(portal.archives.map(\.name) == ["anna"])
      #expect(portal.omissions.map(\.name) == ["bob", "carl", "linked"])
      #expect(portal.omissions.last?.reason == .link)
      // The folder itself may be behind one.
      try FileManager.default.createSymbolicLink(
        atPath: "\(root)/alias", withDestinationPath: inside)
      #expect(try Portal(reading: "\(root)/alias").archives.count == 1)
    }
  }

  @Test func `names and numbers of hostile archives are shown as text`() async throws {
    try await TemporaryFolder.with("portal") { root in
      let name = "a\"><img src=x>:%2f?#é"
      try Self.archive(
        "\(root)/\(name)",
        [
          Self.source("<script>", items: 1, ["bytes": .integer(Int.max)]),
          Self.source("b", items: -5, ["bytes": .integer(Int.max), "lastSuccess": "yesterday"]),
        ] + (0..<30).map { Self.source("s\($0)", items: 0) })
      let html = try page(root)
      #expect(!html.contains("<img") && !html.contains("<script"))
      #expect(html.contains("&lt;script&gt;</bdi>"))
      #expect(html.contains("href=\"a%22%3E%3Cimg%20src%3Dx%3E%3A%252f%3F%23%C3%A9/index.html\""))
      #expect(html.contains("1 item · "))
      #expect(html.contains(">and 12 more</li>"))
      #expect(!html.contains("-5"))
    }
  }

  @Test(arguments: [
    ("de", "<h1>Archive</h1>", "1 Archiv · 3 Einträge · 3 MB", "Stand: 21. November 2026"),
    ("es", "<h1>Bibliotecas</h1>", "1 biblioteca · 3 elementos", "Actualizada el 21 de noviembre"),
    ("zh", "<h1>资料库</h1>", "1 个资料库 · 3 个条目", "更新于 2026 年 11 月 21 日"),
  ])
  func `the page speaks four languages`(
    language: String, title: String, total: String, updated: String
  ) async throws {
    try await TemporaryFolder.with("portal") { root in
      try Self.archive("\(root)/anna", [Self.source("a")])
      let html = try page(root, .of(language))
      #expect(html.contains("lang=\"\(language)"))
      for text in [title, total, updated] { #expect(html.contains(text), "\(text)") }
    }
  }

  @Test func `the page needs no other file`() async throws {
    try await TemporaryFolder.with("portal") { root in
      try Self.archive("\(root)/anna", [Self.source("a")])
      let html = try page(root)
      #expect(html.contains(ContentPolicy.portal))
      for part in html.split(separator: "href=\"").dropFirst() {
        #expect(part.hasPrefix("data:") || part.hasPrefix("anna/"), "\(part.prefix(40))")
      }
      #expect(!html.contains("src=") && !html.contains("url("))
      try Self.write(html, "\(root)/index.html")
      #expect(Portal.mayReplacePage(in: root))
      try Self.write("<!doctype html>\n<html>", "\(root)/index.html")
      #expect(!Portal.mayReplacePage(in: root))
    }
  }
}
