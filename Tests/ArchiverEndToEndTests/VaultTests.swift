import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

/// Markdown of complete archives, parsed by an independent program: cmark-gfm.
@Suite struct VaultTests {
  private static let extensions = ["table", "strikethrough", "autolink", "tasklist"]

  @Test func `another reader finds every word, link and image of a Notion workspace`()
    async throws
  {
    guard ChildProcess.find("cmark-gfm") != nil else {
      print("skipped: cmark-gfm is not installed")
      return
    }
    try await NotionWorkspace.archived { workspace in
      let vault = workspace.home + "/vault"
      let environment = ["ARCHIVER_ARCHIVE": workspace.home + "/archive"]
      let export = try await Program.run(
        ["export", "--markdown", vault], home: workspace.home, environment: environment)
      #expect(export.code == 0, "\(export.error)")
      try await VaultTests.compare(vault, with: workspace.home + "/archive")
      let again = try await Program.run(
        ["export", "--markdown", vault, "--json"], home: workspace.home, environment: environment)
      #expect(again.output.contains("\"written\":[],"), "\(again.output)")
    }
  }

  @Test func `another reader finds every word, link and image of articles`() async throws {
    guard ChildProcess.find("cmark-gfm") != nil else {
      print("skipped: cmark-gfm is not installed")
      return
    }
    try await TemporaryFolder.with("vault") { home in
      let (server, url) = try await Program.startDemo()
      defer { server.end() }
      let environment = [
        "READECK_URL": url, "READECK_TOKEN": "demo", "ARCHIVER_ARCHIVE": home + "/archive",
      ]
      let run = try await Program.run(
        ["run", "--source", "readeck", "--quiet"], home: home, environment: environment)
      #expect(run.code == 0, "\(run.error)")
      let export = try await Program.run(
        ["export", "--markdown", home + "/a/b/vault", "--name", "{source}/{title}"], home: home,
        environment: environment)
      #expect(export.code == 0, "\(export.error)")
      try await VaultTests.compare(home + "/a/b/vault", with: home + "/archive")
    }
  }

  /// Compares every file with its page.
  private static func compare(_ vault: String, with archive: String) async throws {
    struct Index: Decodable {
      struct Item: Decodable { let file: String }
      let items: [String: Item]
    }
    let index = try JSONDecoder().decode(
      Index.self, from: try Data(contentsOf: URL(filePath: vault + "/.archiver-vault.json")))
    var folders: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: archive)
    where name.hasSuffix("/item.json") && !name.contains("/versions/") {
      struct Key: Decodable { let source: String, id: String }
      let key = try JSONDecoder().decode(
        Key.self, from: try Data(contentsOf: URL(filePath: "\(archive)/\(name)")))
      folders["\(key.source)/\(key.id)"] = "\(archive)/\(name.dropLast(10))"
    }
    #expect(!folders.isEmpty && Set(folders.keys) == Set(index.items.keys))
    var words = 0
    var lost: [String] = []
    for (key, item) in index.items.sorted(by: { $0.key < $1.key }) {
      let folder = try #require(folders[key])
      let note = try Data(contentsOf: URL(filePath: "\(vault)/\(item.file)"))
      let html = try await rendered(String(decoding: note, as: UTF8.self))
      let page = try Data(contentsOf: URL(filePath: folder + "/index.html"))
      let wanted = Reading(try body(String(decoding: page, as: UTF8.self)), hasMarks: false)
      let found = Reading(html, hasMarks: true)
      words += wanted.words.count
      var left = Dictionary(found.words.map { ($0, 1) }, uniquingKeysWith: +)
      for word in wanted.words {
        if let count = left[word], count > 0 { left[word] = count - 1 } else { lost.append(word) }
      }
      let dead = found.links.filter { !leads($0, from: item.file, in: vault, found.ids) }
      #expect(dead.isEmpty, "\(item.file)")
    }
    #expect(
      words > 500 && lost.count * 1_000 <= words, "\(lost.count) of \(words): \(lost.prefix(30))")
  }

  private static func rendered(_ note: String) async throws -> ContentElement {
    var text = note.replacing("\\$", with: Reading.dollar)
    if text.hasPrefix("---\n"), let end = text.firstRange(of: "\n---\n") {
      text = String(text[end.upperBound...])
    }
    return try await TemporaryFolder.with("note") { folder in
      let path = folder + "/note.md"
      try Data(text.utf8).write(to: URL(filePath: path))
      let words = ["--unsafe"] + extensions.flatMap { ["-e", $0] } + [path]
      let result = try await Program.tool("cmark-gfm", words)
      #expect(result.code == 0)
      return try ContentTree.parse(Array(result.output.utf8))
    }
  }

  private static func body(_ page: String) throws -> ContentElement {
    guard let start = page.firstRange(of: "<!--body-->"),
      let end = page.firstRange(of: "<!--/body-->")
    else { return try ContentTree.parse([]) }
    return try ContentTree.parse(Array(page[start.upperBound..<end.lowerBound].utf8))
  }

  private static func leads(
    _ address: String, from file: String, in vault: String, _ ids: Set<String>
  ) -> Bool {
    if address.hasPrefix("#") {
      return ids.contains(PercentEncoding.decoded(String(address.dropFirst())))
    }
    if address.contains(":") { return true }
    let path = PercentEncoding.decoded(String(address.prefix { $0 != "#" }))
    let folder = file.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    return FileManager.default.fileExists(atPath: "\(vault)/\(folder)\(path)")
  }

  /// Words, links and ids of a page; formulas are left out, whose notation differs.
  private struct Reading {
    /// A placeholder of a dollar sign that begins no formula.
    static let dollar = "\u{E000}"

    private(set) var words: [String] = []
    private(set) var links: [String] = []
    private(set) var ids: Set<String> = []
    private var text = ""

    init(_ root: ContentElement, hasMarks: Bool) {
      take(root, inCode: false)
      // Task list boxes are controls there.
      for mark in ["☑", "☐", "\u{200B}"] { text = text.replacing(mark, with: "") }
      if hasMarks { text = Reading.withoutFormulas(text) }
      words = text.replacing(Reading.dollar, with: "$").split(whereSeparator: \.isWhitespace)
        .map(String.init)
    }

    private static let inline: Set<String> = [
      "a", "abbr", "b", "bdi", "bdo", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "rt",
      "ruby", "s", "small", "span", "strong", "sub", "sup", "time", "u", "wbr", "cite", "dfn",
      "var",
      "samp", "rp",
    ]

    private mutating func take(_ element: ContentElement, inCode: Bool) {
      if let id = element["id"] { ids.insert(id) }
      for name in ["href", "src"] { if let address = element[name] { links.append(address) } }
      if element.name == "math" || element.classes.contains("n-latex") { return }
      let isBlock = !Reading.inline.contains(element.name)
      if isBlock { text += " " }
      let inCode = inCode || element.name == "code" || element.name == "pre"
      for child in element.children {
        switch child {
        case .text(let words): text += inCode ? words.replacing("$", with: Reading.dollar) : words
        case .element(let element): take(element, inCode: inCode)
        }
      }
      if isBlock { text += " " }
    }

    private static func withoutFormulas(_ text: String) -> String {
      let parts = text.replacing("$$", with: "$").split(
        separator: "$", omittingEmptySubsequences: false)
      return parts.enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }
        .joined(separator: " ")
    }
  }
}
