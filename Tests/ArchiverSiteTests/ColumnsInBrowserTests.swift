import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// A library with columns gives the lists of one without.
  @Suite(.serialized) struct ColumnsTests {
    private static let views = [
      "sort=saved", "view=list", "sort=archived", "sort=published", "sort=title", "sort=long",
      "sort=short", "label=sea", "label=to+re-read&sort=title", "source=notion", "type=video",
      "site=Slow+Kitchen", "site=A+Site", "site=a+site", "site=machine.example", "site=machine",
      "year=2026",
      "year=1949",
      "author=Ada+Quill", "lang=de&sort=published", "length=short", "length=medium&sort=short",
      "state=unread", "state=done", "state=favourite", "state=highlighted", "state=gone",
      "state=withheld", "state=outdated", "state=failed", "state=favourite&label=sea&sort=long",
      "q=label:none", "q=-label:history", "q=is:begun+-is:favourite", "q=is:unlabelled+is:read",
      "q=site:tide", "q=-site:tide+source:notion", "q=before:1950+OR+type:video",
      "q=after:2026-06+before:2026-09&sort=published", "q=is:failed", "q=harbour",
      "q=harbour+label:sea", "q=harbour+-type:article&sort=title", "q=harbour&sort=published",
      "q=harbour&state=favourite&sort=short", "q=rare+label:sea", "q=rare&sort=long",
      "q=label:sea,history+site:example", "q=-label:none+site:tide",
      "q=label:%22to+re-read,none%22",
      "q=-site:%22slow+kitchen%22+-label:sea,craft", "q=site:com", "q=-label:absent&sort=title",
      "q=harbour+OR+label:sea", "q=is:favourite+OR+label:sea&sort=archived",
    ]

    private static func build(_ root: String, _ sizes: DataSizes) throws {
      let items = ColumnDataTests.items(500)
      let catalog = MemoryCatalog(items)
      catalog.change { state in
        for number in stride(from: 5, to: 500, by: 40) {
          state.states[items[number].key] = QueueState(reason: .changed)
        }
      }
      let text = SearchText { row in row.title.hasSuffix("7") ? "rare harbour" : "harbour" }
      _ = try LibraryBuilder(root: root, catalog: catalog, text: text, data: sizes)
        .update(isChanged: true)
    }

    /// Opens a view of the page that is open; returns its titles in order, then the number of items.
    private func list(_ view: String, _ browser: LibraryBrowser) async throws -> [String] {
      try await browser.run(
        """
        document.querySelector(".total").textContent = "";
        location.hash = "#\(view)";
        """)
      let total = "document.querySelector('.total').textContent"
      #expect(try await browser.becomes("\(total) !== ''"), "\(view)")
      return try await browser.titles()
        + [try await browser.run("return \(total);").string ?? ""]
    }

    private func open(_ root: String, _ browser: LibraryBrowser) async throws {
      try await browser.open("file://\(root)/library/labels.html")
      try await browser.open("file://\(root)/index.html")
      #expect(try await browser.becomes("document.querySelector('.total')"))
    }

    @Test(arguments: LibraryBrowser.Name.allCases)
    func `filters and orders give the same lists with columns and without`(
      name: LibraryBrowser.Name
    ) async throws {
      guard let browser = try await LibraryBrowser.start(name) else { return }
      try await TemporaryFolder.with("library") { root in
        var lists: [[[String]]] = []
        for (number, sizes) in [DataSizes(), ColumnDataTests.sizes].enumerated() {
          let folder = "\(root)/\(number)"
          try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
          try Self.build(folder, sizes)
          try await open(folder, browser)
          var found: [[String]] = []
          for view in Self.views { found.append(try await list(view, browser)) }
          lists.append(found)
        }
        for (view, both) in zip(Self.views, zip(lists[0], lists[1])) {
          #expect(both.0 == both.1, "\(view)")
          let empty = ["site=a+site", "site=machine", "q=site:com"]
          let isEmpty = view.contains("failed") || empty.contains(view)
          #expect((both.0.count == 1) == isEmpty, "\(view)")
        }
        try await loadsFewFiles("\(root)/1", browser)
        try await losesLittle("\(root)/1", browser)
        try await losesNames("\(root)/1", browser)
      }
      await browser.quit()
    }

    /// Columns are loaded for what a view needs, and the data of items for what it shows.
    private func loadsFewFiles(_ root: String, _ browser: LibraryBrowser) async throws {
      let sea = Self.list(.labels, ["sea"])
      let tide = Self.list(.sites, ["The Tide Table", "tides.example"])
      for (view, kinds, lists, items) in [
        ("sort=saved", ["order"], [], 30), ("sort=archived", [], [], 4),
        ("sort=published", ["saved", "published"], [], 30),
        ("length=medium", ["order", "minutes"], [], 30),
        ("sort=long", ["order", "minutes"], [], 30),
        ("year=2026", ["saved"], [], 30), ("sort=title", [], [], 30),
        ("label=sea", ["order"], [sea], 30),
        ("site=The+Tide+Table&sort=title", [], [tide, "sites.js"], 30),
        ("q=-label:sea+is:unread&sort=title", ["states"], [sea], 30),
        ("q=label:sea,none", ["order", "unlabelled"], [sea], 30),
        ("q=site:%22the+tide%22+is:unlabelled", ["unlabelled"], [tide, "sites.js"], 30),
        ("q=rare&sort=short", [], [], 32),
        // So few items that they are loaded themselves.
        ("state=outdated", ["states"], [], 13),
      ] as [(String, [String], [String], Int)] {
        try await open(root, browser)
        // Scripts are removed once they are loaded.
        try await browser.run(
          """
          window.loaded = [];
          new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
            addedNodes.forEach(({ src }) => { if (src) window.loaded.push(src); })))
            .observe(document.head, { childList: true });
          """)
        _ = try await list(view, browser)
        let loaded = try await browser.run("return window.loaded;").array?.compactMap(\.string)
        let names = (loaded ?? []).filter { $0.contains("/library/data/") }
          .compactMap { $0.split(separator: "/").last.map(String.init) }
        let columns = names.filter { name in
          (ColumnData.Kind.allCases.map(\.rawValue) + ["order"]).contains {
            name.hasPrefix($0 + "-")
          }
        }
        #expect(
          Set(columns) == Set(kinds.flatMap { kind in (0..<4).map { "\(kind)-\($0).js" } }),
          "\(view)")
        let listFiles = names.filter { $0.hasPrefix("labels-") || $0.hasPrefix("sites") }
        #expect(Set(listFiles) == Set(lists), "\(view)")
        let itemFiles = names.count { $0.hasPrefix("items-") }
        #expect((1...items).contains(itemFiles), "\(view): \(itemFiles)")
      }
    }

    /// A missing file of a column costs its items in the lists that need it.
    private func losesLittle(_ root: String, _ browser: LibraryBrowser) async throws {
      try FileManager.default.removeItem(atPath: "\(root)/\(ColumnData.path(.minutes, 1))")
      try await open(root, browser)
      let rows = ColumnDataTests.items(500).map { LibraryRow($0, words: .english) }
      let rest = rows.enumerated().filter {
        (5..<15).contains($1.minutes) && !(128..<256).contains($0)
      }
      let shown = try await list("length=medium&sort=archived&view=list", browser)
      #expect(shown.dropLast() == rest.reversed().prefix(48).map(\.element.title)[...])
      #expect(shown.last == "\(rest.count) items")
      #expect(try await isPartial(browser))
      // What is not known of them has no place in an order.
      #expect(try await list("sort=short", browser).last == "\(rows.count - 128) items")
      #expect(try await list("sort=saved", browser).last == "500 items")
      #expect(try await !isPartial(browser))
    }

    /// Whether the page says that data is missing.
    private func isPartial(_ browser: LibraryBrowser) async throws -> Bool {
      let alert = "document.querySelector('#results [role=alert]')?.textContent"
      let text = try await browser.run("return \(alert) ?? '';").string
      return text?.contains("Some of the library's data could not be loaded") == true
    }

    private static func list(_ kind: NameLists.Kind, _ names: [String]) -> String {
      let path = NameLists.path(kind, NameLists.Place(names[0], of: 4).number, of: 4)
      return path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// A missing file of labels or sites costs these, and so does one that does not have a new name yet.
    private func losesNames(_ root: String, _ browser: LibraryBrowser) async throws {
      let (sea, food) = (Self.list(.labels, ["sea"]), Self.list(.labels, ["food"]))
      #expect(sea != food)
      let full = try await list("label=food", browser)
      let data = "\(root)/library/data"
      try FileManager.default.removeItem(atPath: "\(data)/\(sea)")
      try FileManager.default.removeItem(atPath: "\(data)/sites.js")
      try await open(root, browser)
      #expect(try await list("label=sea", browser) == ["Nothing found"])
      #expect(try await isPartial(browser))
      #expect(try await list("label=food", browser) == full)
      #expect(try await !isPartial(browser))
      #expect(try await list("q=label:sea,food", browser) == full)
      #expect(try await isPartial(browser))
      #expect(try await list("q=-site:tide", browser).last == "500 items")
      #expect(try await isPartial(browser))
      var other = NameLists(.labels, count: 4)
      other.add("another", [1])
      let number = NameLists.Place("food", of: 4).number
      try other.forEach { _, bytes in
        let text = String(decoding: bytes, as: UTF8.self)
          .replacing(/"labels",\d/, with: "\"labels\",\(number)")
        try Data(text.utf8).write(to: URL(filePath: "\(data)/\(food)"))
      }
      try await open(root, browser)
      #expect(try await list("label=food", browser) == ["Nothing found"])
      #expect(try await isPartial(browser))
    }
  }
}
