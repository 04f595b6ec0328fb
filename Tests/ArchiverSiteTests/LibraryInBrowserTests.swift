import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// The library in real browsers, from disk and from a server.
  @Suite(.serialized) struct LibraryInBrowserTests {
    private func expectQuiet(_ browser: LibraryBrowser, _ base: String) async throws {
      let errors = try await browser.errors().filter { !$0.contains("favicon.ico") }
      #expect(errors == [], "\(browser) \(base)")
    }

    @Test(arguments: LibraryBrowser.Name.allCases)
    func `tests hear of a script that is missing`(name: LibraryBrowser.Name) async throws {
      try await TemporaryFolder.with("browser") { root in
        try Data("<!doctype html><script src=gone.js></script>".utf8).write(
          to: URL(filePath: root + "/a.html"))
        guard let browser = try await LibraryBrowser.start(name) else { return }
        try await browser.open("file://\(root)/a.html#place")
        let errors = try await browser.errors()
        #expect(errors.contains { $0.contains("gone.js") }, "\(errors)")
        await browser.quit()
      }
    }

    @Test func `every page that leads to an item opens it in the reader`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        let label = "library/labels/land-\(LabelName.file("land").suffix(8)).html"
        for (page, link, at) in [
          (label, ".item h2 a", "at=readeck/item-0&label=land"),
          ("library/sources.html", ".index a", ""),
          ("library/highlights.html", ".marked blockquote a", "at=readeck/item-0&mark=hl-h"),
          ("library/highlights.html", ".marked h2 a", "at=readeck/item-0"),
          ("library/graph.html", ".edges a", "at=notion/"),
          ("library/books.html", ".item h2 a", "at=books/volume-1"),
          ("library/books.html", ".button", "at=books/volume-1&to=book/text/0001.html"),
        ] {
          try await browser.open(base + page)
          #expect(try await browser.becomes("document.getElementById('theme')"), "\(page)")
          try await browser.run("setTimeout(() => document.querySelector('\(link)').click());")
          if at.isEmpty || (at.contains("to=") && base.hasPrefix("file:")) {
            #expect(
              try await browser.becomes(
                "!location.pathname.endsWith('\(page)') && !location.hash"), "\(page)")
          } else {
            let read = "location.pathname.endsWith('/library/read.html')"
            #expect(
              try await browser.becomes(
                "\(read) && location.hash.startsWith('#\(at)') && document.querySelector('.count')?.textContent"
              ), "\(page) \(link)")
          }
        }
      }
    }

    @Test func `highlights are found by their words, notes and titles`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/highlights.html")
        #expect(try await browser.becomes("document.getElementById('find')"))
        let shown = "document.querySelectorAll('.marked:not([hidden]) li:not([hidden])').length"
        for (words, count, isTold) in [
          ("QUIÉT note", 1, false), ("quiet loud", 0, true), ("piece", 1, false), ("", 1, false),
        ] {
          try await browser.run(
            """
            const field = document.getElementById("find");
            field.value = "\(words)";
            field.dispatchEvent(new Event("input"));
            """)
          #expect(try await browser.becomes("\(shown) === \(count)"), "\(words)")
          let told = "document.querySelector('[role=status]').textContent !== ''"
          #expect(try await browser.becomes("(\(told)) === \(isTold)"), "\(words)")
        }
        try await expectQuiet(browser, base)
      }
    }

    @Test func `search finds, filters filter, and the address restores the view`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)index.html")
        #expect(try await browser.becomes("document.getElementById('by-label')"))
        try await browser.type("/")
        try await browser.type("harbour")
        #expect(
          try await browser.becomes(
            "location.hash === '#q=harbour' && document.querySelectorAll('.snippet mark').length >= 3"
          ))
        #expect(try await browser.titles() == ["Piece 0", "Piece 4", "Piece 1"])

        try await browser.open("\(base)index.html#label=sea+side")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 1"))
        #expect(try await browser.titles() == ["Piece 4"])
        try await browser.run(
          """
          const select = document.getElementById('by-label');
          select.value = 'land';
          select.dispatchEvent(new Event('change'));
          """)
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 5"))
        #expect(try await browser.becomes("location.hash === '#label=land'"))
        try await browser.goBack()
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 1"))

        try await browser.open("\(base)index.html#state=favourite&source=readeck")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 1"))
        #expect(try await browser.titles() == ["Piece 2"])
        try await expectQuiet(browser, base)
      }
    }

    /// Leaves half of the rows and no titles, as between two files of a publication.
    private func writePartly(to root: String) throws {
      let path = "\(root)/\(RecordData.path(0))"
      let script = try #require(FileManager.default.contents(atPath: path))
      let text = String(decoding: script, as: UTF8.self)
      let json = text.dropFirst("archiverData.records(0,".count).dropLast(");\n".count)
      let rows = try #require(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)).array)
      let half = JSONValue.array(Array(rows.prefix(rows.count / 2)))
      try Data(ScriptData.call("archiverData.records", [.integer(0), half]))
        .write(to: URL(filePath: path))
      try Data(ScriptData.call("archiverData.titles", [.string("")]))
        .write(to: URL(filePath: "\(root)/\(TitleData.path)"))
    }

    @Test(arguments: LibraryBrowser.Name.allCases)
    func `a list shows what is there while its data is partly new`(
      name: LibraryBrowser.Name
    ) async throws {
      guard let browser = try await LibraryBrowser.start(name) else { return }
      try await TemporaryFolder.with("library") { root in
        try BrowsedArchive.write(to: root)
        try writePartly(to: root)
        try await browser.open("file://\(root)/index.html#sort=title")
        let count = "document.querySelectorAll('#results .item').length"
        let all = "Number(document.documentElement.dataset.shown)"
        #expect(try await browser.becomes("\(count) > 0 && \(count) < \(all)"))
        try await expectQuiet(browser, root)
      }
      await browser.quit()
    }

    @Test func `keys move through the list, open the reader and turn its pages`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)index.html#source=readeck")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 6"))
        try await browser.type("?")
        #expect(try await browser.becomes("document.querySelector('dialog[open]')"))
        try await browser.run("document.querySelector('dialog').close();")
        try await browser.type("jj")
        #expect(try await browser.becomes("document.activeElement.textContent === 'Piece 1'"))
        try await browser.type("k")
        #expect(try await browser.becomes("document.activeElement.textContent === 'Piece 0'"))
        try await browser.type("o")
        #expect(try await browser.becomes("document.title === 'Piece 0' && window.frames.length"))
        #expect(try await browser.becomes("!document.getElementById('next').disabled"))
        try await browser.type("j")
        #expect(try await browser.becomes("document.title === 'Piece 1'"))
        try await browser.type("k")
        #expect(try await browser.becomes("document.title === 'Piece 0'"))
        let back = try await browser.run("return document.querySelector('.back').href;").string
        #expect(back == "\(base)index.html#source=readeck")
        let bare = try await browser.run("return document.querySelector('.bare').href;").string
        #expect(bare == "\(base)readeck/item-0/index.html")
        try await expectQuiet(browser, base)
      }
    }

    @Test func `the reader returns to where reading stopped, where a server gives the pages`()
      async throws
    {
      try await LibraryBrowser.inEach { browser, base in
        let reader = "\(base)library/read.html#at=readeck/item-2&source=readeck"
        try await browser.open(reader)
        #expect(try await browser.becomes("document.title === 'Piece 2'"))
        // Pages from disk are not same-origin, so no position is stored for them.
        guard base.hasPrefix("http") else { return }
        // Also while the frame's page is loading.
        let page = "document.getElementById('page').contentWindow"
        #expect(try await browser.becomes("\(page).location.pathname.endsWith('/index.html')"))
        #expect(try await browser.becomes("\(page).performance.timing.loadEventEnd > 0"))
        try await browser.run(
          "const page = document.getElementById('page').contentWindow; page.scrollTo({top: 2500, behavior: 'instant'});"
        )
        try await browser.type("j")
        #expect(try await browser.becomes("document.title === 'Piece 3'"))
        try await browser.type("k")
        #expect(try await browser.becomes("document.title === 'Piece 2'"))
        #expect(
          try await browser.becomes(
            "Math.abs(document.getElementById('page').contentWindow.scrollY - 2500) < 60"))
      }
    }

    @Test func `a chosen theme holds for the library and for the page in the reader`() async throws
    {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)index.html")
        try await browser.run(
          """
          const select = document.getElementById('theme');
          select.value = 'dark';
          select.dispatchEvent(new Event('change'));
          """)
        try await browser.open("\(base)library/read.html#at=readeck/item-0")
        #expect(try await browser.becomes("document.title === 'Piece 0'"))
        let paper = try await browser.run(
          "return getComputedStyle(document.documentElement).backgroundColor;")
        #expect(paper.string == "rgb(25, 24, 22)")
        guard base.hasPrefix("http") else { return }
        #expect(
          try await browser.becomes(
            "document.getElementById('page').contentDocument?.readyState === 'complete'"))
        let inside = try await browser.run(
          """
          const page = document.getElementById('page').contentWindow;
          return page.getComputedStyle(page.document.documentElement).backgroundColor;
          """)
        #expect(inside.string == "rgb(25, 24, 22)")
      }
    }

    @Test func `a script in a bundle or in a title does nothing, alone and in the reader`()
      async throws
    {
      try await LibraryBrowser.inEach { browser, base in
        for page in BrowsedArchive.pages + ["index.html#source=readeck", "index.html#q=plain"] {
          try await browser.open("\(base)\(page)")
          #expect(try await browser.becomes("document.readyState === 'complete'"))
          #expect(try await browser.run("return document.title;").string != "planted", "\(page)")
        }
        // Leaving a page aborts what its scripts load, which is an error for Firefox.
        _ = try await browser.errors()
        try await browser.open("\(base)index.html#source=readeck")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 6"))
        #expect(try await browser.titles().contains(BrowsedArchive.hostile))
        try await expectQuiet(browser, base)

        try await browser.open("\(base)readeck/item-5/index.html")
        #expect(try await browser.run("return document.title;").string == BrowsedArchive.hostile)
        try await browser.open("\(base)library/read.html#at=readeck/item-5&source=readeck")
        let title = BrowsedArchive.hostile.replacing("'", with: "\\'")
        #expect(try await browser.becomes("document.title === '\(title)'"))
        if base.hasPrefix("http") {
          let inside = try await browser.run(
            "return document.getElementById('page').contentDocument.title;")
          #expect(inside.string != "planted")
        }
        // A URL that is not a folder of the archive is not opened.
        try await browser.open("\(base)library/read.html#at=https%3A%2F%2Felsewhere.example%2Fx")
        #expect(try await browser.becomes("location.pathname.endsWith('/index.html')"))
      }
    }

    @Test func `names and dots of the graph can be read and hit where it is small`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        try await browser.open("\(base)library/graph.html")
        #expect(try await browser.becomes("document.querySelector('#graph-tools button')"))
        for width in [320, 620] {
          try await browser.run(
            """
            document.getElementById('graph').style.inlineSize = '\(width)px';
            dispatchEvent(new Event('resize'));
            """)
          #expect(
            try await browser.becomes(
              """
              (() => {
                const svg = document.getElementById('graph');
                const scale = svg.getScreenCTM().a;
                const letter = Number(svg.querySelector('.names').getAttribute('font-size')) * scale;
                const dots = [...svg.querySelectorAll('.nodes circle')];
                return svg.clientWidth === \(width) && letter >= 9 && letter < 16
                  && svg.querySelectorAll('.names text').length > 3
                  && dots.every((dot) => dot.r.baseVal.value * scale > 3.4);
              })()
              """), "\(width)")
        }
      }
    }

    @Test func `no page logs an error, and the graph's buttons work`() async throws {
      try await LibraryBrowser.inEach { browser, base in
        for page in BrowsedArchive.pages {
          try await browser.open("\(base)\(page)")
          #expect(try await browser.becomes("document.getElementById('language')"))
          try await browser.run(
            """
            const select = document.getElementById('language');
            select.value = 'de';
            select.dispatchEvent(new Event('change'));
            """)
          #expect(try await browser.run("return document.documentElement.lang;").string == "de")
          let nav = try await browser.run("return document.querySelector('.sections').textContent;")
          #expect(
            nav.string == "EinträgeSchlagwörterQuellenZeitBücherMarkierungenGraphStatistikProbleme")
          try await expectQuiet(browser, base + page)
        }
        try await browser.open("\(base)library/2026-11.html")
        let month = try await browser.run("return document.querySelector('h1').textContent;")
        #expect(month.string == "November 2026")
        let day = try await browser.run("return document.querySelector('.items time').textContent;")
        #expect(day.string == "21. November 2026")
        try await browser.open("\(base)library/dates.html")
        let title = try await browser.run("return document.title;")
        #expect(title.string == "Zeit")

        try await browser.open("\(base)library/graph.html")
        let before = try await browser.run(
          "return document.getElementById('graph').getAttribute('viewBox');")
        let size = try await browser.run(
          """
          return [document.querySelector('.nodes circle').getAttribute('r'),
            document.querySelector('.names').getAttribute('font-size')].map(Number);
          """)
        let (radius, letter) = (size[0]?.number ?? 0, size[1]?.number ?? 0)
        try await browser.run("document.querySelector('#graph-tools button').click();")
        let after = try await browser.run(
          "return document.getElementById('graph').getAttribute('viewBox');")
        #expect(before != after)
        // Zooming in separates the dots and labels visible ones.
        #expect(
          try await browser.becomes(
            "Number(document.querySelector('.nodes circle').getAttribute('r')) < \(radius)"))
        #expect(
          try await browser.becomes(
            """
            [...document.querySelectorAll('.names text')].length > 3 &&
              parseFloat(document.querySelector('.names').getAttribute('font-size')) < \(letter)
            """))
        try await browser.run(
          "document.querySelector('.nodes a').dispatchEvent(new FocusEvent('focusin', {bubbles: true}));"
        )
        #expect(try await browser.becomes("document.querySelectorAll('.nodes .joined').length > 1"))
        try await expectQuiet(browser, base)
      }
    }

    @Test func `the scripts write numbers as the plain pages do`() async throws {
      try await LibraryBrowser.inOne(.chromium) { browser, base in
        try await browser.open("\(base)library/statistics.html")
        #expect(try await browser.becomes("document.getElementById('language')"))
        for words in Words.all {
          let values = [7, 1_234, 12_345, 1_234_567]
          let sizes = [4_000, 1_460_000, 25_000_000_000]
          let shown = try await browser.run(
            """
            archiverUI.setLanguage('\(words.language)');
            return [\(values)].flat().map(archiverUI.number).concat([\(sizes)].flat().map(archiverUI.bytes));
            """
          ).array?.compactMap(\.string)
          // Some use a no-break space between number and unit.
          let plain = shown?.map {
            $0.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
          }
          #expect(plain == values.map(words.number) + sizes.map(words.bytes), "\(words.language)")
          let counted = try await browser.run(
            "return [1, 2, 1234].map((count) => archiverUI.counted('edgeCount', count));"
          ).array?.compactMap(\.string)
          #expect(counted == [1, 2, 1_234].map { words.counted("edgeCount", $0) })
        }
        try await browser.run("archiverUI.setLanguage('de');")
        let total = try await browser.run(
          "return document.querySelector('.totals dd').textContent;")
        #expect(total.string == "49")
        let label = try await browser.run(
          "return document.querySelector('[data-chart]').getAttribute('aria-label');")
        #expect(label.string?.hasPrefix("Einträge pro Monat: 20") == true)
      }
    }

    @Test func `without scripts every item can be reached and every page leads back`() async throws
    {
      try await LibraryBrowser.inEach(scripts: false) { browser, base in
        try await browser.open("\(base)index.html")
        #expect(try await browser.run("return document.getElementById('by-label');").isNull)
        var waiting = ["\(base)index.html"]
        var seen: Set<String> = []
        while let address = waiting.popLast() {
          guard seen.insert(address).inserted else { continue }
          try await browser.open(address)
          let links =
            try await browser.run(
              "return [...document.querySelectorAll('a[href]')].map(a => new URL(a.getAttribute('href'), document.baseURI).href.split('#')[0]);"
            ).array?.compactMap(\.string) ?? []
          #expect(links.contains("\(base)index.html"), "\(address) leads nowhere")
          waiting += links.filter {
            $0.hasPrefix(base) && $0.hasSuffix(".html") && !seen.contains($0)
          }
        }
        let items = seen.filter { $0.hasSuffix("/index.html") && $0 != "\(base)index.html" }
        #expect(items.count == 49)
        for page in BrowsedArchive.pages { #expect(seen.contains(base + page), "\(page)") }
      }
    }
  }
}
