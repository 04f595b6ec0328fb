import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// The library in a phone's window, also at 200 %, and what sources tell there.
  @Suite(.serialized) struct SmallWindowTests {
    private func inChromium(
      width: Int, _ check: (LibraryBrowser, _ root: String, _ base: String) async throws -> Void
    ) async throws {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      guard case .chromium(let driver) = browser else { return }
      try await driver.devTools(
        "Emulation.setDeviceMetricsOverride",
        [
          "width": .integer(width), "height": .integer(width * 2), "deviceScaleFactor": 2,
          "mobile": false,
        ])
      try await TemporaryFolder.with("small") { root in
        try BrowsedArchive.write(to: root)
        try await check(browser, root, "file://\(root)/")
      }
      await browser.quit()
    }

    private func source(
      _ name: String, failing: Int = 0, since: String? = nil, run outcome: String,
      failure: String? = nil, items: Int = 3
    ) -> JSONValue {
      let time: JSONValue = "2100-01-01T00:00:00Z"
      return [
        "source": .string(name), "kind": "x", "items": .integer(items), "bytes": 9, "waiting": 0,
        "incomplete": 0, "failing": .integer(failing), "lastSuccess": since == nil ? time : .null,
        "failingSince": since.map { .string($0) } ?? .null,
        "runs": [
          [
            "started": time, "finished": time, "archived": 0, "failed": 0,
            "outcome": .string(outcome), "failure": failure.map { .string($0) } ?? .null,
          ]
        ],
      ]
    }

    private func writeStatus(_ sources: [JSONValue], _ root: String) throws {
      let status: JSONValue = [
        "failures": [], "failureCount": 0, "sources": .array(sources),
      ]
      try Data(ScriptData.assignment("var archiverStatus", status))
        .write(to: URL(fileURLWithPath: root + "/library/status.js"))
    }

    @Test func `the reader's bar is in line with the head of the page in a wide window`()
      async throws
    {
      try await inChromium(width: 1_600) { browser, _, base in
        try await browser.open(base + "library/read.html#at=readeck/item-0")
        #expect(try await browser.becomes("document.querySelector('.reader-bar .count')"))
        let starts = try await browser.run(
          "return ['.reader-bar > *', 'header a'].map(one => document.querySelector(one).getBoundingClientRect().left).join();"
        )
        let both = (starts.string ?? "").split(separator: ",")
        #expect(both.count == 2 && both.first == both.last, "\(starts)")
      }
    }

    @Test func `the page of problems does not say that all is well while a source fails`()
      async throws
    {
      try await inChromium(width: 360) { browser, _, _ in
        try await TemporaryFolder.with("well") { root in
          var sample = SampleArchive()
          let items = (0..<3).map { number in
            var item = sample.item(number)
            (item.missingImages, item.losses, item.state) = (0, nil, .archived)
            return item
          }
          _ = try LibraryBuilder(
            root: root, catalog: MemoryCatalog(items), text: SearchText { _ in "" }
          ).update(isChanged: true)
          let shown = "document.querySelector('#none')?.checkVisibility() === true"
          for (isFailing, failure, items) in [
            (false, nil, 3), (true, "the token was refused", 3), (true, "the token was refused", 0),
          ] {
            try writeStatus(
              [
                source("one", run: "ok"),
                source(
                  "two", since: isFailing ? "2026-11-01T00:00:00Z" : nil,
                  run: isFailing ? "sourceFailed" : "ok", failure: failure, items: items),
              ], root)
            try await browser.open("about:blank")
            try await browser.open("file://\(root)/library/problems.html")
            #expect(try await browser.becomes(isFailing ? "!(\(shown))" : shown))
            let text = try await browser.run("return document.querySelector('main').innerText;")
            #expect((text.string ?? "").contains("the token was refused") == isFailing)
            #expect((text.string ?? "").contains("two") == isFailing)
            let isThere = "showing what is archived"
            #expect((text.string ?? "").contains(isThere) == (isFailing && items > 0))
            try await browser.open("file://\(root)/index.html")
            let strip = "document.querySelector('#health').innerText"
            #expect(try await browser.becomes("\(strip).includes('two')"))
            let said = try await browser.run("return \(strip);").string ?? ""
            #expect(said.contains(isThere) == (isFailing && items > 0), "\(said)")
            #expect(said.contains("nothing is archived yet") == (items == 0), "\(said)")
          }
        }
      }
    }

    @Test(arguments: [360, 640, 768])
    func `the names of the graph are inside its frame`(width: Int) async throws {
      try await inChromium(width: width) { browser, _, base in
        try await browser.open(base + "library/graph.html")
        #expect(try await browser.becomes("document.querySelector('#graph-tools button')"))
        let outside = try await browser.run(
          """
          return (async () => {
          const svg = document.getElementById("graph");
          const nodes = [...svg.querySelectorAll(".nodes > *")];
          const middle = (node) => node.querySelector("circle").cx.baseVal.value;
          nodes.sort((one, other) => middle(one) - middle(other));
          const frame = svg.getBoundingClientRect();
          const isOutside = (text) => {
            const { left, right } = text.getBoundingClientRect();
            return left < frame.left - 4 || right > frame.right + 4;
          };
          let texts = 0;
          const found = [];
          const look = (group) => {
            for (const text of svg.querySelectorAll(group + " text")) {
              texts += 1;
              if (isOutside(text)) found.push(text.textContent);
            }
          };
          // The names of the whole drawing are replaced first.
          await new Promise((done) => setTimeout(done, 400));
          look(".names");
          // The page was written for a wide window, in which longer names have room.
          const written = [...svg.querySelectorAll(".names text")];
          written.sort((one, other) => one.getAttribute("x") - other.getAttribute("x"));
          for (const name of [written[0], written.at(-1)]) name.textContent = "A name of 32 letters ".repeat(2);
          window.dispatchEvent(new Event("resize"));
          await new Promise((done) => setTimeout(done, 400));
          look(".names");
          for (const node of [nodes[0], nodes.at(-1)]) {
            for (const title of ["A title of medium length", "very long ".repeat(30)]) {
              node.querySelector("title").textContent = title;
              node.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
              look(".label");
            }
          }
          // Names are hidden while the pointer is at a node.
          svg.dispatchEvent(new PointerEvent("pointerleave"));
          window.dispatchEvent(new Event("resize"));
          await new Promise((done) => setTimeout(done, 400));
          look(".names");
          return [texts, ...found];
          })();
          """)
        #expect((outside[0]?.integer ?? 0) > 10 && outside.array?.count == 1, "\(outside)")
      }
    }

    @Test func `nothing needs sideways scrolling on a phone at 200 %`() async throws {
      try await inChromium(width: 180) { browser, _, base in
        for view in BrowsedArchive.pages + [
          "index.html#q=harbour", "index.html#source=readeck&view=list",
          "library/read.html#at=readeck/item-0",
        ] {
          try await browser.open("about:blank")
          try await browser.open(base + view)
          #expect(try await browser.becomes("document.getElementById('theme')"), "\(view)")
          #expect(
            try await browser.becomes(
              "!location.hash || document.querySelector('.item h2 a, .reader-bar .count')"))
          #expect(
            try await browser.run("return document.documentElement.scrollWidth;").integer == 180,
            "\(view)")
          // A title has room for words.
          let narrowest = try await browser.run(
            "return Math.min(...[...document.querySelectorAll('.item h2')].map(h => h.clientWidth), 999);"
          )
          #expect((narrowest.integer ?? 0) >= 110, "\(view)")
        }
      }
    }

    @Test func `a source that fails stands first and is seen whole`()
      async throws
    {
      try await inChromium(width: 360) { browser, root, base in
        let failure = "The token was refused (401 Unauthorized)."
        try writeStatus(
          [
            source("good", run: "ok"), source("some", failing: 2, run: "partial"),
            source("down", since: "2026-11-19T00:00:00Z", run: "sourceFailed", failure: failure),
          ], root)
        try await browser.open("\(base)index.html")
        #expect(try await browser.becomes("document.querySelectorAll('.health li').length === 3"))
        let shown = try await browser.run(
          """
          return [...document.querySelectorAll(".health li")].map((one) => {
            const box = one.getBoundingClientRect();
            return [one.querySelector("strong").textContent, box.left >= 0 && box.right <= innerWidth, one.innerText];
          });
          """
        ).array?.compactMap(\.array)
        #expect(shown?.map { $0[0].string } == ["down", "some", "good"])
        #expect(shown?.allSatisfy { $0[1].bool == true } == true, "\(String(describing: shown))")
        let said = shown?.first?[2].string ?? ""
        #expect(said.contains("not updated since 19 November 2026"), "\(said)")
        #expect(said.hasSuffix(failure), "\(said)")
      }
    }

    @Test func `the first item begins within the first half of the screen, if all is well`()
      async throws
    {
      try await inChromium(width: 360) { browser, root, base in
        try writeStatus(["books", "notion", "readeck"].map { source($0, run: "ok") }, root)
        try await browser.open("\(base)index.html")
        #expect(
          try await browser.becomes("document.querySelectorAll('.filters select').length > 2"))
        let places = try await browser.run(
          """
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          return [Math.round(box(".item").top), Math.round(box("#q").height),
            Math.round(box(".filters select").height), document.documentElement.scrollWidth];
          """)
        #expect((places[0]?.integer ?? .max) <= 320, "\(places)")
        #expect((places[1]?.integer ?? 0) >= 44 && (places[2]?.integer ?? 0) >= 44, "\(places)")
        #expect(places[3]?.integer == 360)
      }
    }

    @Test func `what is touched on a phone is at least 44 pixels high and wide`() async throws {
      try await inChromium(width: 360) { browser, _, base in
        for view in BrowsedArchive.pages + [
          "index.html#q=harbour", "index.html#source=readeck", "readeck/item-0/index.html",
          "library/read.html#at=readeck/item-0",
        ] {
          try await browser.open("about:blank")
          try await browser.open(base + view)
          #expect(
            try await browser.becomes(
              "!location.hash || document.querySelector('.item h2 a, .reader-bar .count')"))
          let small = try await browser.run(Self.small)
          #expect(small.array == [], "\(view)")
        }
      }
    }

    /// Returns what is smaller than 44 pixels; a link within a line only if it is lower.
    private static let small = """
      const poor = [];
      for (const one of document.querySelectorAll("a[href], button, input, select, summary, .legend label")) {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.closest(".skip, .body, svg, .legend label input")) continue;
        const whole = one.matches(".item h2 a") ? one.closest(".item") : one;
        const { width, height } = whole.getBoundingClientRect();
        const isInLine = getComputedStyle(one).display === "inline";
        if (height < 43.9 || (!isInLine && width < 43.9)) poor.push(`${one.tagName} ${one.textContent.trim().slice(0, 30)} ${width}x${height}`);
      }
      return [...new Set(poor)];
      """

    @Test func `who searches on a phone sees what was found, whatever the sources tell`()
      async throws
    {
      try await inChromium(width: 360) { browser, root, base in
        let failure = String(repeating: "The server could not be reached. ", count: 8)
        let since = "2026-11-19T00:00:00Z"
        try writeStatus(
          ["one", "other"].map { source($0, since: since, run: "sourceFailed", failure: failure) },
          root)
        try await browser.open("\(base)index.html#q=harbour")
        #expect(try await browser.becomes("document.querySelector('.snippet')"))
        let seen = try await browser.run(
          """
          return [document.querySelector(".item").getBoundingClientRect().top,
            document.querySelectorAll(".health .bad strong").length];
          """)
        #expect((seen[0]?.number ?? 999) <= 320)
        #expect(seen[1]?.integer == 2)
      }
    }

    @Test func `on a tablet the header is as high on every page`() async throws {
      try await inChromium(width: 768) { browser, _, base in
        var heights: [JSONValue] = []
        for view in BrowsedArchive.pages {
          try await browser.open(base + view)
          #expect(try await browser.becomes("document.getElementById('theme')"))
          heights.append(
            try await browser.run("return document.querySelector('.top').offsetHeight;"))
        }
        #expect(Set(heights.compactMap(\.integer)).count == 1, "\(heights)")
        #expect((heights[0].integer ?? 999) < 110, "\(heights)")
      }
    }

    @Test func `in a low window the reader leaves two thirds to the page`() async throws {
      try await inChromium(width: 360) { browser, _, base in
        guard case .chromium(let driver) = browser else { return }
        try await driver.devTools(
          "Emulation.setDeviceMetricsOverride",
          ["width": 740, "height": 360, "deviceScaleFactor": 1, "mobile": false])
        try await browser.open("\(base)library/read.html#at=readeck/item-0")
        #expect(try await browser.becomes("document.querySelector('.reader-bar .count')"))
        let height = try await browser.run("return document.getElementById('page').clientHeight;")
        #expect((height.integer ?? 0) >= 240)
      }
    }

    @Test func `the help opens without a keyboard, and gives the focus back`() async throws {
      try await inChromium(width: 360) { browser, _, base in
        try await browser.open("\(base)library/labels.html")
        #expect(try await browser.becomes("document.getElementById('show-help')"))
        try await browser.run(
          "const one = document.getElementById('show-help'); one.focus(); one.click();")
        #expect(try await browser.run("return document.getElementById('help').open;").bool == true)
        try await browser.run("document.querySelector('#help button').click();")
        #expect(
          try await browser.run("return document.activeElement.id;").string == "show-help")
      }
    }

    @Test func `the menu shows the entry of the page, and a chart its newest month`() async throws {
      try await inChromium(width: 180) { browser, root, base in
        try ChartTests.buildLibrary(of: 20, root)
        try await browser.open("\(base)library/statistics.html")
        #expect(try await browser.becomes("document.getElementById('theme')"))
        let isShown = try await browser.run(
          """
          const entry = document.querySelector(".top [aria-current]").getBoundingClientRect();
          return entry.left >= 0 && entry.right <= innerWidth;
          """)
        #expect(isShown.bool == true)
        #expect(try await ChartTests.chart(browser) == [true, true, false])
      }
    }
  }
}
