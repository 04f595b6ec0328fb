import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// Choosing one of many labels by typing, from disk and from a server.
  @Suite(.serialized) struct ChooserTests {
    private static let labels =
      ["Économie", "Übersee", "overseas", "C++", "خرائط", "数学", "to read"]
      + (10..<50).map { "shelf \($0)" }

    private func archive(_ root: String) throws {
      var sample = SampleArchive()
      let items = Self.labels.indices.map { number in
        var item = sample.item(number)
        item.metadata.title = "Piece \(number)"
        item.metadata.labels = [Self.labels[number]]
        item.metadata.authors = []
        return item
      }
      let text = SearchText { _ in "A harbour." }
      _ = try LibraryBuilder(root: root, catalog: MemoryCatalog(items), text: text)
        .update(isChanged: true)
    }

    private func inEach(
      _ check: (LibraryBrowser, _ base: String) async throws -> Void
    ) async throws {
      try await TemporaryFolder.with("chooser") { root in
        try archive(root)
        let server = try FileServer.start(root)
        defer { server.stop() }
        for name in LibraryBrowser.Name.allCases {
          guard let browser = try await LibraryBrowser.start(name) else { continue }
          for base in ["file://\(root)/", server.baseURL.absoluteString] {
            try await browser.open("about:blank")
            try await browser.open("\(base)index.html")
            #expect(try await browser.becomes("document.getElementById('by-label')"))
            try await check(browser, base)
          }
          await browser.quit()
        }
      }
    }

    /// Opens the list and types into its field.
    private func typing(_ text: String, _ browser: LibraryBrowser) async throws -> [String] {
      if try await browser.run("return document.getElementById('narrow') === null;").bool == true {
        try await browser.run("document.getElementById('by-label').focus();")
        try await browser.type(Key.enter)
        #expect(try await browser.becomes("document.activeElement.id === 'narrow'"))
      }
      try await browser.run("document.getElementById('narrow').select();")
      try await browser.type(text.isEmpty ? Key.backspace : text)
      return try await browser.run(
        "return [...document.querySelectorAll('#choices li > :first-child')].map(a => a.textContent);"
      ).array?.compactMap(\.string) ?? []
    }

    private enum Key {
      static let (backspace, enter, escape) = ("\u{E003}", "\u{E007}", "\u{E00C}")
      static let (up, down) = ("\u{E013}", "\u{E015}")
    }

    @Test func `typing narrows the labels; case and accents are ignored`() async throws {
      try await inEach { browser, base in
        for (text, found) in [
          ("econ", ["Économie"]), ("ÜBERS", ["Übersee"]), ("uberse", ["Übersee"]),
          ("خرا", ["خرائط"]), ("数", ["数学"]), ("c+", ["C++"]), ("49 sh", ["shelf 49"]),
          // Labels with a word that begins with the text come first.
          ("o", ["overseas", "Économie", "to read"]),
        ] {
          let shown = try await typing(text, browser)
          #expect(shown == found, "\(text) \(base)")
        }
        let all = try await typing("", browser)
        #expect(all.count == Self.labels.count + 1)
      }
    }

    @Test func `a label is chosen by arrows and Enter, and the focus returns`() async throws {
      try await inEach { browser, base in
        _ = try await typing("shelf 1", browser)
        try await browser.type(Key.down + Key.down + Key.up + Key.enter)
        #expect(try await browser.becomes("location.hash === '#label=shelf+11'"), "\(base)")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 1"))
        #expect(
          try await browser.becomes(
            """
            document.activeElement.id === 'by-label' && !document.getElementById('chooser')
              && document.activeElement.getAttribute('aria-label') === 'Label: shelf 11'
            """))
        // The chosen label is where the list opens; the first entry is all labels again.
        _ = try await typing("", browser)
        #expect(
          try await browser.becomes(
            "document.querySelector('#choices [aria-selected=true]').classList.contains('active')"))
        try await browser.run("document.querySelector('#choices li').click();")
        #expect(try await browser.becomes("!location.hash.includes('label')"))
      }
    }

    @Test func `a text without a match says so, and Escape leaves everything as it was`()
      async throws
    {
      try await inEach { browser, base in
        let none = try await typing("zeppelin", browser)
        #expect(none == [])
        let said = "document.querySelector('#chooser [role=status]').textContent"
        #expect(
          try await browser.becomes("\(said) === 'Nothing in this list matches “zeppelin”.'"),
          "\(base)")
        try await browser.type(Key.enter)
        #expect(try await browser.run("return location.hash;").string == "")
        try await browser.type(Key.escape)
        #expect(
          try await browser.becomes(
            "!document.querySelector('dialog') && document.activeElement.id === 'by-label'"))
        #expect(try await browser.run("return location.hash;").string == "")
      }
    }

    /// Opens the archive on a phone in Chromium, with its list of labels open.
    private func onPhone(
      _ check: (LibraryBrowser, WebDriver) async throws -> Void
    ) async throws {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      guard case .chromium(let driver) = browser else { return }
      try await TemporaryFolder.with("phone") { root in
        try archive(root)
        try await driver.devTools(
          "Emulation.setDeviceMetricsOverride",
          ["width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true])
        try await driver.devTools("Emulation.setTouchEmulationEnabled", ["enabled": true])
        try await browser.open("file://\(root)/index.html")
        #expect(
          try await browser.becomes(
            "document.getElementById('by-label') && document.querySelector('.item')"))
        try await browser.run("document.getElementById('by-label').click();")
        #expect(try await browser.becomes("document.activeElement.id === 'narrow'"))
        try await check(browser, driver)
      }
      await browser.quit()
    }

    @Test func `a tap beside the list closes it and opens nothing below`() async throws {
      try await onPhone { browser, driver in
        // Records what is clicked, and keeps the page.
        let point = try await browser.run(
          """
          addEventListener("click", (event) => {
            globalThis.clicked = event.target.localName;
            event.preventDefault();
          }, true);
          const below = document.getElementById("chooser").getBoundingClientRect().bottom + 10;
          const box = [...document.querySelectorAll(".item")].map((item) => item.getBoundingClientRect())
            .find((box) => box.top > below && box.bottom < innerHeight);
          return [Math.round(box.left + 20), Math.round((box.top + box.bottom) / 2)];
          """)
        let place: JSONValue = ["x": point[0] ?? .null, "y": point[1] ?? .null]
        for (kind, points) in [("touchStart", [place]), ("touchEnd", [])] {
          try await driver.devTools(
            "Input.dispatchTouchEvent", ["type": .string(kind), "touchPoints": .array(points)])
        }
        #expect(
          try await browser.becomes("globalThis.clicked && !document.getElementById('chooser')"))
        #expect(try await browser.run("return clicked;").string == "dialog")
      }
    }

    @Test func `Tab leads from the field to the button, past the list`() async throws {
      try await onPhone { browser, _ in
        try await browser.type("\u{E004}")
        let focused = try await browser.run("return document.activeElement.textContent;")
        #expect(focused.string == "Close")
      }
    }

    @Test func `few labels stay in the browser's own list`() async throws {
      try await LibraryBrowser.inOne(.chromium) { browser, base in
        try await browser.open("\(base)index.html")
        #expect(
          try await browser.becomes("document.getElementById('by-label')?.localName === 'select'"))
      }
    }
  }
}
