import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// Books in the reader, where a server delivers the archive.
  @Suite(.serialized) struct BookRoomTests {
    private static let (right, left) = ("\u{E014}", "\u{E012}")
    private static let inside = "document.getElementById('page').contentWindow"
    private static let chapter =
      "\(inside).document.readyState === 'complete' && \(inside).location.pathname.split('/').at(-1)"

    /// Opens a page of the reader in each browser, from a server.
    private static func read(
      _ view: String, _ check: @escaping @Sendable (LibraryBrowser, String) async throws -> Void
    ) async throws {
      try await LibraryBrowser.inEach { browser, base in
        guard base.hasPrefix("http") else { return }
        try await browser.open("\(base)library/read.html#\(view)")
        try await check(browser, base)
        try await browser.run("localStorage.clear();")
        let errors = try await browser.errors()
        #expect(errors == [])
      }
    }

    @Test func `a book is read in the reader, whose address follows`() async throws {
      try await Self.read("at=books/volume-1&source=books") { browser, base in
        #expect(try await browser.becomes("\(Self.chapter) === 'index.html'"))
        #expect(
          try await browser.becomes(
            "\(Self.inside).document.querySelector('.button').target === '_self'"))
        try await browser.run("\(Self.inside).document.querySelector('.button').click();")
        #expect(try await browser.becomes("\(Self.chapter) === '0001.html'"))
        #expect(try await browser.becomes("location.hash.includes('to=book%2Ftext%2F0001.html')"))
        #expect(
          try await browser.run("return \(Self.inside).document.getElementById('out').target;")
            == "_top")
        #expect(
          try await browser.run("return document.querySelector('.bare').href;")
            == .string("\(base)books/volume-1/book/text/0001.html"))
      }
    }

    @Test func `arrow keys turn the pages of a book, j and k the items`() async throws {
      try await Self.read("at=books/volume-1&to=book/text/0001.html&source=books") { browser, _ in
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === '0001.html' && document.querySelector('.count').textContent"))
        for (key, file) in [
          (Self.right, "0002.html"), (Self.right, "0003.html"), (Self.right, "0003.html"),
          (Self.left, "0002.html"),
        ] {
          try await browser.type(key)
          #expect(try await browser.becomes("\(Self.chapter) === '\(file)'"))
        }
        // Also while the focus is in the page.
        try await browser.run("\(Self.inside).focus();")
        try await browser.type(Self.right)
        #expect(try await browser.becomes("\(Self.chapter) === '0003.html'"))
        try await browser.type("k")
        #expect(
          try await browser.becomes(
            "document.title !== 'Volume 1' && location.hash.includes('at=books/volume-')"))
        #expect(try await browser.becomes("\(Self.chapter) === 'index.html'"))
      }
    }

    @Test func `keys that scroll turn a page of a book at its end only`() async throws {
      try await Self.read("at=books/volume-1&to=book/text/0002.html&source=books") { browser, _ in
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === '0002.html' && document.querySelector('.count').textContent"))
        let rest =
          "\(Self.inside).document.documentElement.scrollHeight - \(Self.inside).innerHeight"
        let (pageUp, pageDown) = ("\u{E00E}", "\u{E00F}")
        for isInside in [false, true] {
          if isInside { try await browser.run("\(Self.inside).focus();") }
          try await browser.run("\(Self.inside).scrollTo({ top: 200, behavior: 'instant' });")
          for key in isInside ? [] : [" ", pageUp] {
            try await browser.type(key)
            #expect(try await browser.becomes("\(Self.chapter) === '0002.html'"))
          }
          try await browser.run("\(Self.inside).scrollTo({ top: \(rest), behavior: 'instant' });")
          try await browser.type(isInside ? " " : pageDown)
          #expect(try await browser.becomes("\(Self.chapter) === '0003.html'"))
          try await browser.run("\(Self.inside).scrollTo({ top: 0, behavior: 'instant' });")
          try await browser.type(pageUp)
          #expect(try await browser.becomes("\(Self.chapter) === '0002.html'"))
        }
      }
    }

    @Test func `swipes turn the pages of a book, and do not leave the reader`() async throws {
      try await Self.read("at=books/volume-1&to=book/text/0001.html&source=books") { browser, _ in
        guard case .chromium(let driver) = browser else { return }
        try await driver.devTools("Emulation.setTouchEmulationEnabled", ["enabled": true])
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === '0001.html' && document.querySelector('.count').textContent"))
        for (start, end, file) in [
          (300, 60, "0002.html"), (300, 60, "0003.html"), (60, 300, "0002.html"),
          (60, 300, "0001.html"), (60, 300, "0001.html"),
        ] {
          try await Self.swipe(driver, from: start, to: end)
          #expect(try await browser.becomes("\(Self.chapter) === '\(file)'"), "\(file)")
        }
        // Code that is wider than the page scrolls.
        try await browser.run(
          """
          const page = \(Self.inside).document;
          const code = page.createElement("pre");
          code.style = "position: fixed; inset: 0; overflow-x: auto;";
          code.textContent = "wide ".repeat(400);
          page.body.append(code);
          """)
        try await Self.swipe(driver, from: 300, to: 60)
        #expect(
          try await browser.becomes(
            "\(Self.inside).document.querySelector('pre').scrollLeft > 0"))
        #expect(try await browser.becomes("\(Self.chapter) === '0001.html'"))
      }
    }

    @Test func `a swipe over the other page of a spread turns the page`() async throws {
      try await Self.read("at=books/volume-1&to=book/text/0001.html&source=books") { browser, _ in
        guard case .chromium(let driver) = browser else { return }
        try await driver.devTools("Emulation.setTouchEmulationEnabled", ["enabled": true])
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === '0001.html' && document.querySelector('.count').textContent"))
        try await browser.run(
          """
          const page = \(Self.inside).document;
          const mate = page.createElement("iframe");
          mate.className = "mate";
          mate.style = "position: fixed; inset: 0; inline-size: 100%; block-size: 100%;";
          mate.src = "0003.html#alone";
          mate.onload = () => document.getElementById("page").dispatchEvent(new Event("load"));
          page.body.append(mate);
          """)
        let mate = "\(Self.inside).document.querySelector('.mate')?.contentDocument"
        #expect(
          try await browser.becomes(
            "[...\(mate)?.links ?? []].some((one) => one.target === '_parent')"))
        try await Self.swipe(driver, from: 300, to: 60)
        #expect(try await browser.becomes("\(Self.chapter) === '0002.html'"))
      }
    }

    /// Presses a key while nothing of the reader has the focus.
    private static func press(
      _ key: String, _ options: String = "", _ browser: LibraryBrowser
    ) async throws {
      try await browser.run(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '\(key)', \(options) bubbles: true, cancelable: true }));"
      )
    }

    @Test func `keys that scroll lead back and to both ends, and turn at the end of the text`()
      async throws
    {
      try await Self.read("at=books/volume-1&to=book/text/0001.html&source=books") { browser, _ in
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === '0001.html' && document.querySelector('.count').textContent"))
        try await browser.run(
          """
          const page = \(Self.inside).document;
          const content = page.createElement("main");
          content.id = "content";
          const links = page.createElement("footer");
          links.style = "block-size: 100px;";
          content.append(...page.body.childNodes);
          page.body.append(content, links);
          """)
        let place = "\(Self.inside).scrollY"
        try await Self.press(" ", "", browser)
        #expect(try await browser.becomes("\(place) > 200"))
        try await Self.press(" ", "shiftKey: true,", browser)
        #expect(try await browser.becomes("\(place) < 40"))
        try await Self.press("End", "", browser)
        #expect(
          try await browser.run(
            "return \(place) + \(Self.inside).innerHeight + 2 > \(Self.inside).document.documentElement.scrollHeight;"
          ) == true)
        // The links below the text need not be seen.
        try await browser.run("\(Self.inside).scrollBy({ top: -20, behavior: 'instant' });")
        try await Self.press(" ", "", browser)
        #expect(try await browser.becomes("\(Self.chapter) === '0002.html'"))
      }
    }

    @Test func `vertical text scrolls sideways by keys and wheel before the page turns`()
      async throws
    {
      try await Self.read("at=books/volume-1&to=book/text/0001.html&source=books") { browser, _ in
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === '0001.html' && document.querySelector('.count').textContent"))
        try await browser.run(
          """
          const page = \(Self.inside).document;
          const content = page.createElement("main");
          content.innerHTML = "<div class='vertical'><p>" + "word ".repeat(4000) + "</p></div>";
          page.body.prepend(content);
          content.firstChild.style = "writing-mode: vertical-rl; width: 100%; height: 20rem; overflow-x: auto;";
          """)
        let place = "\(Self.inside).document.querySelector('.vertical').scrollLeft"
        try await Self.press(" ", "", browser)
        #expect(try await browser.becomes("\(place) < -100"))
        try await Self.press("PageUp", "", browser)
        #expect(try await browser.becomes("Math.abs(\(place)) < 2"))
        try await browser.run(
          "\(Self.inside).document.querySelector('.vertical p').dispatchEvent(new WheelEvent('wheel', { deltaY: 50, bubbles: true, cancelable: true }));"
        )
        #expect(try await browser.becomes("Math.abs(\(place) + 50) < 2"))
        try await Self.press("End", "", browser)
        #expect(try await browser.becomes("\(place) < -1000"))
        try await Self.press("Home", "", browser)
        #expect(try await browser.becomes("Math.abs(\(place)) < 2"))
        try await Self.press("End", "", browser)
        try await Self.press("PageDown", "", browser)
        #expect(try await browser.becomes("\(Self.chapter) === '0002.html'"))
      }
    }

    /// Moves a finger sideways over the page.
    private static func swipe(_ driver: WebDriver, from start: Int, to end: Int) async throws {
      func send(_ kind: String, _ points: [JSONValue]) async throws {
        try await driver.devTools(
          "Input.dispatchTouchEvent", ["type": .string(kind), "touchPoints": .array(points)])
      }
      try await send("touchStart", [["x": .integer(start), "y": 400]])
      for step in 1...6 {
        let place = start + (end - start) * step / 6
        try await send("touchMove", [["x": .integer(place), "y": 402]])
      }
      try await send("touchEnd", [])
    }

    @Test func `the place in a book is kept`() async throws {
      try await Self.read("at=books/volume-1&to=book/text/0002.html") { browser, base in
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === '0002.html' && document.title === 'Volume 1'"))
        try await browser.run("\(Self.inside).scrollTo({ top: 1500, behavior: 'instant' });")
        try await browser.run("dispatchEvent(new Event('pagehide'));")
        try await browser.open("\(base)index.html")
        #expect(try await browser.becomes("document.querySelector('.resume a')"))
        try await browser.run("document.querySelector('.resume a').click();")
        #expect(
          try await browser.becomes(
            "document.getElementById('page') && \(Self.chapter) === '0002.html'"))
        #expect(try await browser.becomes("Math.abs(\(Self.inside).scrollY - 1500) < 60"))
        // From the page about the book, reading continues there too.
        try await browser.open("\(base)library/read.html#at=books/volume-1")
        #expect(
          try await browser.becomes(
            "\(Self.chapter) === 'index.html' && \(Self.inside).document.querySelector('.button').href.endsWith('0002.html')"
          ))
      }
    }
  }
}
