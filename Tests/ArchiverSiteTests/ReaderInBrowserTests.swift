import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// User interaction: leaving a field, showing more, going back, printing.
  @Suite(.serialized) struct ReaderInBrowserTests {
    private static let (enter, escape, pageDown, end) = (
      "\u{E007}", "\u{E00C}", "\u{E00F}", "\u{E010}"
    )
    /// Waits for the filters, then returns whether the start page has no button to clear a view.
    private static let isCleared =
      "(document.getElementById('by-label') && !document.querySelector('#as-list + button'))"

    @Test func `Escape leaves the search field and what it found`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)index.html")
        #expect(try await browser.becomes("document.getElementById('by-label')"))
        try await browser.type("/")
        try await browser.type("harbour")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 3"))
        try await browser.type(Self.escape)
        #expect(try await browser.becomes("document.activeElement === document.body"))
        #expect(try await browser.run("return document.getElementById('q').value;") == "harbour")
        #expect(try await browser.run("return location.hash;") == "#q=harbour")
        // Keys sent by a driver do not trigger all of the browser's default actions.
        let isLeftToBrowser = try await browser.run(
          """
          const field = document.getElementById('q');
          field.focus();
          const options = { key: 'Escape', bubbles: true, cancelable: true };
          return field.dispatchEvent(new KeyboardEvent('keydown', options));
          """)
        #expect(isLeftToBrowser.bool == false)
      }
    }

    @Test func `more results take the focus, and are there again after one was read`() async throws
    {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)index.html#q=workspace")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 10"))
        try await browser.run("document.querySelector('.turn button').focus();")
        try await browser.type(Self.enter)
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 20"))
        let first = "[...document.querySelectorAll('.item h2 a')].indexOf(document.activeElement)"
        #expect(try await browser.becomes("\(first) === 10"))
        let place = try await browser.run("return scrollY;").integer ?? 0
        #expect(place > 0)
        try await browser.type("o")
        // A page that is still loading ignores commands; from a server, the page is in the reader.
        #expect(
          try await browser.becomes(
            "document.readyState === 'complete' && document.querySelector('article, iframe#page')"))
        try await browser.goBack()
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 20"))
        #expect(try await browser.becomes("Math.abs(scrollY - \(place)) < 5"))
        // A new search starts with the default number.
        try await browser.run("location.hash = '#q=page';")
        #expect(try await browser.becomes("location.hash === '#q=page'"))
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 10"))
      }
    }

    @Test func `the chosen text size holds for every page in the reader`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/read.html#at=readeck/item-0&source=readeck")
        #expect(
          try await browser.becomes(
            "document.title === 'Piece 0' && document.querySelector('#next:enabled')"))
        // The page inside has the size of the space outside, divided by the factor.
        let scale = """
          (() => {
            const [sheet, frame] = [".reader-sheet", "#page"].map(one => document.querySelector(one));
            const box = frame.getBoundingClientRect();
            const fills = Math.abs(box.width - sheet.clientWidth) < 2 && Math.abs(box.height - sheet.clientHeight) < 2;
            return fills ? Math.round(100 * box.width / frame.clientWidth) : 0;
          })()
          """
        #expect(try await browser.becomes("\(scale) === 100"))
        for key in ["+", "+"] { try await browser.type(key) }
        #expect(try await browser.becomes("\(scale) === 130"))
        try await browser.type("j")
        #expect(try await browser.becomes("document.title === 'Piece 1' && \(scale) === 130"))
        try await browser.open("\(base)library/read.html#at=readeck/item-2")
        #expect(try await browser.becomes("document.title === 'Piece 2' && \(scale) === 130"))
        try await browser.type("-")
        #expect(try await browser.becomes("\(scale) === 115"))
        try await browser.run("document.getElementById('look').click();")
        try await browser.run("document.getElementById('larger').click();")
        #expect(
          try await browser.becomes(
            "\(scale) === 130 && document.querySelector('.look output').textContent === '130 %'"))
        try await browser.type(Self.escape)
        #expect(try await browser.becomes("!document.querySelector('.look').open"))
        #expect(try await browser.becomes("document.activeElement.id === 'look'"))
        try await browser.type("0")
        #expect(try await browser.becomes("\(scale) === 100"))
        try await browser.run(
          "localStorage.setItem('archiver.look', '{\"size\":1e9,\"face\":\"toString\"}');")
        try await browser.open("\(base)library/read.html#at=readeck/item-1")
        #expect(try await browser.becomes("document.title === 'Piece 1' && \(scale) === 100"))
      }
    }

    @Test func `typeface and line length are chosen where browsers allow it`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/read.html#at=readeck/item-0")
        #expect(
          try await browser.becomes(
            "document.title === 'Piece 0' && document.getElementById('look')"))
        try await browser.run("document.getElementById('look').click();")
        guard base.hasPrefix("http") else {
          #expect(try await browser.becomes("document.querySelector('.look .why')"))
          let lists = try await browser.run(
            "return document.querySelectorAll('.look select').length;")
          #expect(lists == 0)
          return
        }
        let inside = "document.getElementById('page').contentWindow"
        let face =
          "\(inside).getComputedStyle(\(inside).document.querySelector('.body p')).fontFamily"
        let width = "\(inside).getComputedStyle(\(inside).document.querySelector('.page')).maxWidth"
        #expect(
          try await browser.becomes("!\(face).startsWith('system-ui') && \(width) === '704px'"))
        try await browser.run(
          """
          for (const [id, value] of [["typeface", "sans"], ["lineLength", "narrow"]]) {
            const list = document.getElementById(id);
            list.value = value;
            list.dispatchEvent(new Event("change"));
          }
          """)
        #expect(
          try await browser.becomes("\(face).startsWith('system-ui') && \(width) === '544px'"))
        try await browser.open("\(base)library/read.html#at=readeck/item-1")
        #expect(
          try await browser.becomes(
            "document.title === 'Piece 1' && \(inside).document.readyState === 'complete'"))
        #expect(
          try await browser.becomes("\(face).startsWith('system-ui') && \(width) === '544px'"))
        try await browser.run("localStorage.removeItem('archiver.look');")
        let errors = try await browser.errors()
        #expect(errors == [])
      }
    }

    @Test func `sepia holds for the library and tints the page in the reader`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)index.html")
        try await browser.run(
          """
          const select = document.getElementById('theme');
          select.value = 'sepia';
          select.dispatchEvent(new Event('change'));
          """)
        try await browser.open("\(base)library/read.html#at=readeck/item-0")
        #expect(try await browser.becomes("document.title === 'Piece 0'"))
        let colors = try await browser.run(
          """
          const style = (one) => getComputedStyle(document.querySelector(one));
          return [style("html").backgroundColor, style("#page").mixBlendMode, style("#page").colorScheme];
          """)
        #expect(colors.array == ["rgb(244, 234, 213)", "multiply", "light"])
        try await browser.run("localStorage.removeItem('archiver.theme');")
      }
    }

    @Test func `the focus stays on what turns pages, and is never lost with a button`() async throws
    {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/read.html#at=readeck/item-0&source=readeck")
        #expect(try await browser.becomes("document.querySelector('#next:enabled')"))
        try await browser.run(
          """
          document.getElementById("next").focus();
          document.querySelector("[role=status]").dataset.first = "yes";
          """)
        for title in ["Piece 1", "Piece 2"] {
          try await browser.type(Self.enter)
          #expect(try await browser.becomes("document.title === '\(title)'"))
          #expect(try await browser.becomes("document.activeElement.id === 'next'"))
          // Screen readers announce changed text only in existing elements.
          let status = "document.querySelector('[role=status][data-first]')"
          #expect(try await browser.becomes("\(status)?.textContent.endsWith(': \(title)')"))
        }
        // The first of a list has no previous item.
        try await browser.run("document.getElementById('previous').focus();")
        for title in ["Piece 1", "Piece 0"] {
          try await browser.type(Self.enter)
          #expect(try await browser.becomes("document.title === '\(title)'"))
        }
        #expect(try await browser.becomes("document.activeElement.id === 'next'"))

        try await browser.open("\(base)index.html#label=land")
        #expect(try await browser.becomes(Self.isCleared + " === false"))
        try await browser.run("document.querySelector('#as-list + button').focus();")
        try await browser.type(Self.enter)
        #expect(try await browser.becomes(Self.isCleared))
        #expect(try await browser.becomes("document.activeElement.id === 'as-list'"))
      }
    }

    @Test func `keys that come quickly turn as many pages`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/read.html#at=readeck/item-0&source=readeck")
        #expect(try await browser.becomes("document.querySelector('#next:enabled')"))
        // In one script, as a driver waits between keys.
        try await browser.run(
          """
          for (const key of ["j", "j", "j"]) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          }
          """)
        #expect(try await browser.becomes("document.title === 'Piece 3'"))
      }
    }

    @Test func `the list behind a search speaks the language that was chosen meanwhile`()
      async throws
    {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)index.html#label=land")
        #expect(try await browser.becomes(Self.isCleared + " === false"))
        try await browser.run(
          """
          const language = document.getElementById("language");
          language.value = "de";
          language.dispatchEvent(new Event("change"));
          """)
        let total = "document.querySelector('.total').textContent"
        #expect(try await browser.becomes("\(total) === '5 Einträge'"))
        try await browser.run("document.querySelector('#as-list + button').click();")
        #expect(try await browser.becomes("document.querySelector('p.total[data-n]')"))
        #expect(
          try await browser.becomes(
            "document.querySelector('p.total[data-n]').textContent.endsWith('Einträge')"))
        let star = "document.querySelector('.star').getAttribute('aria-label')"
        #expect(try await browser.becomes("\(star) === 'Favorit'"))
      }
    }

    @Test(arguments: [
      (["CA$1,234.50", "CA$900", "", "-CA$5"], ["-CA$5", "CA$900", "CA$1,234.50", ""]),
      (["Яков 3", "Анна 10", "Анна 9"], ["Анна 9", "Анна 10", "Яков 3"]),
      (["A10 B1", "A-5", "A1 B20"], ["A-5", "A1 B20", "A10 B1"]),
      (["中国 1990", "日本 1980"], ["中国 1990", "日本 1980"]),
      (["7", "−5", "€ 20", "3 %"], ["−5", "3 %", "7", "€ 20"]),
      (["12 kg", "1.5e3 kg", "900 kg"], ["12 kg", "900 kg", "1.5e3 kg"]),
    ])
    func `a table is sorted by its numbers, and by names that have numbers`(
      cells: [String], sorted: [String]
    ) async throws {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      var sample = SampleArchive()
      var item = sample.item(0)
      item.metadata.kind = .database
      let rows = cells.map { "<tr><th scope=\"row\">x</th><td>\($0)</td></tr>" }.joined()
      let table =
        "<table><thead><tr><th scope=\"col\">A</th><th scope=\"col\">B</th></tr></thead>"
        + "<tbody>\(rows)</tbody></table>"
      try await TemporaryFolder.with("table") { root in
        let page = ReadingPage.render(
          ReadingPageContent(item: item, body: .html(Array(table.utf8))))
        try Data(page).write(to: URL(fileURLWithPath: "\(root)/index.html"))
        try await browser.open("file://\(root)/index.html")
        try await browser.run("document.querySelectorAll('thead th')[1].click();")
        let shown = try await browser.run(
          "return [...document.querySelectorAll('td')].map((cell) => cell.textContent);")
        #expect(shown.array?.compactMap(\.string) == sorted)
      }
      await browser.quit()
    }

    @Test func `one link leads to the library, and one to the list`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        // From disk, the page in the frame shows its own link.
        let isFromDisk = base.hasPrefix("file:")
        for (view, shown) in [
          ("", isFromDisk ? [] : ["← Library"]), ("&q=harbour", ["← Back to list"]),
        ] {
          try await browser.open("about:blank")
          try await browser.open("\(base)library/read.html#at=readeck/item-0\(view)")
          #expect(try await browser.becomes("document.title === 'Piece 0'"))
          let links = try await browser.run(
            "return [...document.querySelectorAll('.reader .back')].map((link) => link.textContent);"
          ).array?.compactMap(\.string)
          #expect(links == shown, "\(base)\(view)")
        }
      }
    }

    @Test func `keys scroll the page in the frame`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/read.html#at=readeck/item-2&source=readeck")
        #expect(try await browser.becomes("document.title === 'Piece 2'"))
        guard base.hasPrefix("http") else {
          // Pages from disk are not same-origin: the frame handles its own keys then.
          let frame = "document.getElementById('page')"
          let isLoaded = "\(frame).contentDocument?.readyState !== 'loading'"
          #expect(
            try await browser.becomes(
              "\(frame).contentDocument?.URL !== 'about:blank' && \(isLoaded)"))
          try await browser.type(Self.pageDown)
          #expect(
            try await browser.becomes(
              "document.activeElement.id === 'page' || \(frame).contentWindow.scrollY > 100"))
          return
        }
        let page = "document.getElementById('page')"
        #expect(
          try await browser.becomes("\(page).contentDocument?.readyState === 'complete'"))
        try await browser.type(Self.pageDown)
        #expect(try await browser.becomes("\(page).contentWindow.scrollY > 100"))
        try await browser.type(Self.end)
        #expect(
          try await browser.becomes(
            "\(page).contentWindow.scrollY + \(page).contentWindow.innerHeight + 5 > "
              + "\(page).contentDocument.documentElement.scrollHeight"))
      }
    }

    @Test func `the whole page is printed, or said where it is`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/read.html#at=readeck/item-2&source=readeck")
        // The title may still be that of the page from disk.
        let isThere = "location.href.startsWith('\(base)') && document.querySelector('.on-paper a')"
        #expect(try await browser.becomes("\(isThere) && document.title === 'Piece 2'"))
        let shown = "return getComputedStyle(document.querySelector('.on-paper')).display;"
        #expect(try await browser.run(shown) == "none")
        if case .chromium(let driver) = browser {
          try await driver.devTools("Emulation.setEmulatedMedia", ["media": "print"])
          #expect(try await browser.run(shown) == "block")
          let frame = "return document.getElementById('page').checkVisibility();"
          #expect(try await browser.run(frame) == false)
          try await driver.devTools("Emulation.setEmulatedMedia", ["media": ""])
        }
        let address = try await browser.run(
          "return document.querySelector('.on-paper a').textContent;")
        #expect(address == .string("\(base)readeck/item-2/index.html"))
        guard base.hasPrefix("http") else { return }
        #expect(
          try await browser.becomes(
            "document.getElementById('page').contentDocument?.readyState === 'complete'"))
        let isPrinted = try await browser.run(
          """
          let printed = false;
          document.getElementById('page').contentWindow.print = () => { printed = true; };
          const event = new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, bubbles: true, cancelable: true });
          document.body.dispatchEvent(event);
          return printed && event.defaultPrevented;
          """)
        #expect(isPrinted.bool == true)
      }
    }
  }
}
