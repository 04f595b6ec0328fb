import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// Phrases and titles equal to the query, in the command and on the page.
enum ExactTable {
  private static let filler = String(repeating: "what is not the one of it. ", count: 800)

  /// Titles and texts.
  static let texts = [
    ("The Who", "A band from London."),
    ("Who is who", "The who of the who, and who the who is: the who, the who."),
    ("Hamlet", "To be, or not to be: that is the question."),
    ("Being", "Not to be or to be, that question is the one."),
    // The phrases are in the last of a dozen passages, all of which contain their words.
    (
      "A long one",
      String(repeating: filler + "amber bottle whale white. ", count: 9)
        + "The white whale. It is what it is."
    ),
    ("The white", "Whale watching."),
    ("Notes", "Nothing of it."),
    ("读书", "慢慢读书的人。"),
    ("读书的人", "读书,读书,读书。"),
    ("C++", "A language."),
    ("C", "C++ is another language than C. C++, C++!"),
    ("O\u{2019}Reilly", "A name."),
    ("Names", "oreilly oreilly oreilly"),
    ("Quotes", "Über die Straße gehen. Мой дядя самых честных правил. An iPhone 日本 app."),
  ]

  /// A query and the titles that it finds, in order.
  static let queries: [(query: String, titles: [String])] = [
    ("the who", ["The Who", "Who is who"]),
    ("who is who", ["Who is who"]),
    ("\"the who\"", ["The Who", "Who is who"]),
    ("\"the white whale\"", ["A long one"]),
    ("\"whale white\"", ["A long one"]),
    ("\"it is what it is\"", ["A long one"]),
    ("\"is it what\"", []),
    ("\"to be or not to be\"", ["Hamlet"]),
    ("\"not to be or to be\"", ["Being"]),
    ("\"that is the question\" \"to be\"", ["Hamlet"]),
    ("whale -\"the white whale\"", ["The white"]),
    ("\"white whale watching\"", []),
    ("\"jane van austen\"", ["Notes"]),
    ("\"austen jane\"", []),
    ("\"deep sea\"", ["Notes"]),
    ("\"sea deep\"", []),
    ("\"what she wrote\"", ["Notes"]),
    ("\"remember this\" label:\"deep sea\"", ["Notes"]),
    ("nothing -\"remember this\"", []),
    ("读书", ["读书", "读书的人"]),
    ("读书的人", ["读书的人", "读书"]),
    ("\"die strasse gehen\"", ["Quotes"]),
    ("\"дядя самых честных\"", ["Quotes"]),
    ("\"iphone 日本 app\"", ["Quotes"]),
    ("\"iphone app\"", []),
    ("C++", ["C++", "C"]),
    ("oreilly ", ["O\u{2019}Reilly", "Names"]),
  ]

  static func stage(_ root: String) throws -> SearchStage {
    var sample = SampleArchive(seed: 9)
    let items = texts.enumerated().map { number, text in
      var item = sample.item(number)
      item.metadata.title = text.0
      item.metadata.authors = text.0 == "Notes" ? ["Jane van Austen"] : ["Austen"]
      item.metadata.labels = text.0 == "Notes" ? ["Deep Sea"] : []
      if text.0 == "Notes" {
        item.annotations = [Annotation(id: "a", text: "remember this", note: "What she wrote")]
      }
      return item
    }
    let texts = Dictionary(uniqueKeysWithValues: texts)
    let stage = try SearchStage(root) { texts[$0.title] ?? "" }
    try stage.record(items)
    _ = try stage.builder.update(isChanged: true)
    return stage
  }
}

@Suite struct ExactSearchTests {
  @Test func `phrases are exact and titles that equal the query come first`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try ExactTable.stage(root)
      for (query, titles) in ExactTable.queries {
        #expect(try stage.titles(query) == titles, "\(query)")
      }
    }
  }

  @Test func `labels that became others are searched for phrases`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try ExactTable.stage(root)
      var item = try #require(try stage.find("title:x jane").matches.first?.item)
      item.metadata.labels = ["Silver Moon"]
      try stage.record([item])
      _ = try stage.builder.update(isChanged: true)
      let name = LibraryRow(item, words: .english).textName
      let script = try #require(ArchiveFile(SearchIndex.textPath(name, 0), in: root).bytes)
      #expect(PassageFile(script)?.also.contains("Silver Moon\n") == true)
      #expect(PassageFile(script)?.text == "Nothing of it.")
      #expect(try stage.titles("\"silver moon\"") == ["Notes"])
      #expect(try stage.titles("\"deep sea\"") == [])
    }
  }

  @Test func `a passage's file returns the stored values`() throws {
    for file in [
      PassageFile(text: "a \"b\", \\ </script>"), PassageFile(text: "", also: "x\n\"y\","),
      PassageFile(text: "\",\"", also: "\\"),
    ] {
      let script = file.script("name", 3)
      #expect(PassageFile(script) == file)
      let text = String(decoding: script, as: UTF8.self)
      #expect(text.hasPrefix("archiverSearch.text(\"name-3\",\""))
    }
    #expect(PassageFile([UInt8]("archiverSearch.text(\"a\");\n".utf8)) == nil)
  }
}

extension InBrowser.SearchInBrowserTests {
  @Test func `the page finds phrases and titles as the command does`() async throws {
    try await TemporaryFolder.with("search") { root in
      _ = try ExactTable.stage(root)
      try await browsing(root, in: LibraryBrowser.Name.ofTables) { open in
        for (query, titles) in ExactTable.queries {
          let shown = try await open(Self.hash(query)).titles
          #expect(shown == titles, "\(query)")
        }
      }
    }
  }
}
