import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

@Suite struct FindingCommandTests {
  private func item(_ id: String, _ title: String, _ folder: String) -> CatalogItem {
    CatalogItem(
      key: ItemKey(source: "readeck", id: id), revision: "1", folder: folder,
      metadata: ItemMetadata(kind: .article, title: title), firstArchived: Desk.now,
      lastArchived: Desk.now, contentHash: "h")
  }

  private var finder: ItemFinder {
    ItemFinder(
      catalog: ListedCatalog(items: [
        item("one", "Paper maps", "readeck/paper-maps-11111111"),
        item("two", "Paper boats", "readeck/paper-boats-22222222"),
        item("three", "Paper", "readeck/paper-33333333"),
        item("Paper boats", "Éclairs", "readeck/eclairs-44444444"),
      ]), sources: [])
  }

  @Test(arguments: [
    ("one", "one"), ("readeck/two", "two"), ("readeck/paper-maps-11111111", "one"),
    ("paper-boats-22222222", "two"), ("33333333", "three"), ("paper MAPS", "one"),
    ("paper", "three"), ("boats", "two"), ("eclairs", "Paper boats"),
    ("Paper boats", "Paper boats"),
  ])
  func `an item is found by id, folder, short id, title or part of a title`(
    text: String, id: String
  ) throws {
    #expect(try finder.key(text, helpPath: []).id == id)
  }

  @Test func `several candidates are listed, none is an error`() throws {
    let many = #expect(throws: UsageError.self) { try finder.key("pape", helpPath: []) }
    let message = try #require(many).description
    for folder in ["paper-maps-11111111", "paper-boats-22222222", "paper-33333333"] {
      #expect(message.contains(folder))
    }
    #expect(throws: UsageError.self) { try finder.key("nowhere", helpPath: []) }
    #expect(throws: UsageError.self) { try finder.key("", helpPath: []) }
  }

  @Test func `an empty name is not that of an item without a title`() throws {
    let untitled = ItemFinder(
      catalog: ListedCatalog(items: [item("four", "", "readeck/untitled-55555555")]), sources: [])
    let error = #expect(throws: UsageError.self) { try untitled.key("", helpPath: []) }
    #expect(try #require(error).description.hasPrefix("no item has the id, folder or title ''"))
    #expect(try untitled.key("four", helpPath: []).id == "four")
  }

  private func browser(_ desk: Desk, _ variables: [String: String]) -> Browser {
    Browser(desk.environment([], variables))
  }

  @Test func `the chosen browser takes precedence over the desktop's`() throws {
    let desk = try Desk()
    let bin = desk.home + "/bin"
    for name in ["mine", "xdg-open"] { try desk.write("bin/\(name)", "#!/bin/sh\n", mode: 0o755) }
    let chosen = browser(
      desk, ["PATH": bin, "BROWSER": "absent:mine --at %s -x:mine", "DISPLAY": ":0"])
    let commands = chosen.commands("file:///p")
    #expect(
      commands.prefix(2) == [
        ["\(bin)/mine", "--at", "file:///p", "-x"], ["\(bin)/mine", "file:///p"],
      ])
    #if !os(macOS)
      #expect(commands.last == ["\(bin)/xdg-open", "file:///p"])
      #expect(browser(desk, ["PATH": bin]).commands("file:///p").isEmpty, "without a desktop")
    #endif
  }

  @Test func `a browser is given the address, and its failure is said`() throws {
    let desk = try Desk()
    let path = desk.home + "/bin"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try ProgramFile.write("#!/bin/sh\necho \"$1\" > '\(desk.home)/asked'\n", to: path + "/mine")
    try ProgramFile.write("#!/bin/sh\nexit 3\n", to: path + "/bad")
    #expect(browser(desk, ["PATH": path, "BROWSER": "bad:mine"]).open("file:///p") == nil)
    let asked = try String(contentsOf: URL(filePath: desk.home + "/asked"), encoding: .utf8)
    #expect(asked == "file:///p\n")
    let failure = browser(desk, ["PATH": path, "BROWSER": "bad"]).open("file:///p")
    #expect(failure?.contains("bad could not open") == true)
    #expect(browser(desk, ["PATH": "/nowhere"]).open("x") != nil)
  }

  @Test func `a wrong command line exits with 2`() async throws {
    let desk = try Desk()
    for words in [
      ["export", "x"], ["export", "x", "--epub", "a", "--single-file", "b"], ["search", "-"],
      ["search"],
    ] {
      let tool = CommandLineTool(environment: desk.environment(words), services: desk.services())
      #expect(await tool.run() == .usage, "\(words)")
    }
  }
}
