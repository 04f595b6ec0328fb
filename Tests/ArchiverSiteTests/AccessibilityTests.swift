import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// The WCAG 2.2 AA criteria for the library's pages, computed in a browser.
  @Suite(.serialized) struct AccessibilityTests {
    private func inChromium(
      _ check: (LibraryBrowser, _ base: String) async throws -> Void
    ) async throws {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      try await TemporaryFolder.with("access") { root in
        try BrowsedArchive.write(to: root)
        try await check(browser, "file://\(root)/")
      }
      await browser.quit()
    }

    private static let views =
      BrowsedArchive.pages + [
        "index.html#source=readeck", "index.html#q=harbour", "index.html#q=nowhere",
        "library/labels/land-\(LabelName.file("land").suffix(8)).html",
        "library/read.html#at=readeck/item-0", "readeck/item-0/index.html",
        "notion/page-3/index.html",
      ]

    private func settle(_ browser: LibraryBrowser, _ address: String) async throws {
      try await browser.open("about:blank")
      try await browser.open(address)
      #expect(
        try await browser.becomes(
          "document.readyState === 'complete' && "
            + "(!document.querySelector('[id=settings]') || document.getElementById('theme'))"))
      if address.contains("q=") {
        #expect(try await browser.becomes("document.querySelector('.total').textContent"))
      }
    }

    /// Emulates a color scheme of the system, and its forced colors.
    private func emulate(_ scheme: String, forced: Bool, _ driver: WebDriver) async throws {
      try await driver.devTools(
        "Emulation.setEmulatedMedia",
        [
          "features": [
            ["name": "prefers-color-scheme", "value": .string(scheme)],
            ["name": "forced-colors", "value": forced ? "active" : "none"],
          ]
        ])
    }

    @Test(arguments: ["light", "dark", "sepia"])
    func `text has a contrast of 4.5 to 1, charts and the graph one of 3 to 1`(
      theme: String
    ) async throws {
      try await inChromium { browser, base in
        guard case .chromium(let driver) = browser else { return }
        for view in Self.views {
          try await emulate(theme, forced: false, driver)
          try await settle(browser, base + view)
          if theme == "sepia" {
            try await browser.run("document.documentElement.dataset.theme = 'sepia';")
          }
          let poor = try await browser.run(Self.contrast)
          #expect(poor.array == [], "\(view) in \(theme)")
          // The same page, as a load takes longer than the check. A theme may differ from the colors that the
          // system forces.
          for scheme in theme == "sepia" ? ["light", "dark"] : [theme] {
            try await emulate(scheme, forced: true, driver)
            #expect(try await browser.run(Self.isForced(scheme)).bool == true, "\(view)")
            let forced = try await browser.run(Self.contrast)
            #expect(forced.array == [], "\(view) in \(theme), forced colors of \(scheme)")
          }
        }
        try await emulate(theme, forced: false, driver)
        try await settle(browser, "\(base)library/graph.html")
        #expect(try await browser.run(Self.seen).bool == (theme == "dark"))
      }
    }

    @Test func `see-through images stand on light ground on dark pages, photographs do not`()
      async throws
    {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      guard case .chromium(let driver) = browser else { return }
      try await TemporaryFolder.with("ground") { root in
        var sample = SampleArchive()
        let pictures = ["a.svg", "a.png", "a.webp", "a.gif", "a.jpg"]
        let body = pictures.map { "<p><img src=\"\($0)\" alt=\"x\"></p>" }.joined()
        let content = ReadingPageContent(item: sample.item(0), body: .html(Array(body.utf8)))
        try Data(ReadingPage.render(content)).write(to: URL(fileURLWithPath: "\(root)/a.html"))
        for (theme, light) in [("dark", 4), ("light", 0)] {
          try await driver.devTools(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(theme)]]])
          try await browser.open("file://\(root)/a.html")
          let grounds = try await browser.run(
            "return [...document.querySelectorAll('.body img')].map(i => getComputedStyle(i).backgroundColor);"
          )
          let expected: [JSONValue] = pictures.indices.map {
            $0 < light ? "rgb(239, 236, 229)" : "rgba(0, 0, 0, 0)"
          }
          #expect(grounds.array == expected, "\(theme)")
        }
      }
      await browser.quit()
    }

    @Test func `everything has a name and a role, headings and landmarks are in order`()
      async throws
    {
      try await inChromium { browser, base in
        for view in Self.views {
          try await settle(browser, base + view)
          let poor = try await browser.run(Self.names)
          #expect(poor.array == [], "\(view)")
        }
      }
    }

    @Test func `the focus goes through a page in the order of its content and is seen`()
      async throws
    {
      try await inChromium { browser, base in
        try await settle(browser, "\(base)index.html#source=readeck")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 6"))
        var order: [String] = []
        for _ in 0..<32 {
          try await browser.type("\u{E004}")
          let focused = try await browser.run(Self.focused)
          order.append(focused["name"]?.string ?? "")
          #expect(focused["seen"]?.bool == true, "\(focused)")
        }
        #expect(order.first == "Skip to the content")
        let places = ["Library", "Labels", "by-sort", "as-list", "Piece 0", "Piece 1"].map { name in
          order.firstIndex { $0.contains(name) } ?? -1
        }
        #expect(places == places.sorted() && !places.contains(-1), "\(order)")
      }
    }

    @Test func `nothing needs sideways scrolling at 320 pixels`() async throws {
      try await inChromium { browser, base in
        guard case .chromium(let driver) = browser else { return }
        try await driver.devTools(
          "Emulation.setDeviceMetricsOverride",
          ["width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": false])
        for view in Self.views {
          try await settle(browser, base + view)
          _ = try await browser.run(Self.lengthening)
          let width = try await browser.run(
            "return [innerWidth, document.documentElement.scrollWidth];")
          #expect(width[0]?.integer == 320)
          #expect((width[1]?.integer ?? 999) <= 320, "\(view)")
          #expect(try await browser.run(Self.cut).integer == 0, "\(view)")
          let hyphens = try await browser.run(
            "return [...document.querySelectorAll('.body')].map((text) => getComputedStyle(text).hyphens);"
          )
          #expect(hyphens.array?.allSatisfy { $0 == "auto" } == true, "\(view)")
        }
      }
    }

    @Test func `the star of a favourite takes no line of its own at 360 pixels`() async throws {
      try await inChromium { browser, base in
        guard case .chromium(let driver) = browser else { return }
        try await driver.devTools(
          "Emulation.setDeviceMetricsOverride",
          ["width": 360, "height": 640, "deviceScaleFactor": 1, "mobile": false])
        try await settle(browser, "\(base)index.html#sort=title")
        #expect(try await browser.becomes("document.querySelector('.cards .star')"))
        let besideOthers = try await browser.run(
          """
          return [...document.querySelectorAll(".cards .star")].map((star) => {
            const said = star.closest(".said");
            said.querySelector("time").textContent = "28 September 2026, noon";
            const middle = (box) => (box.top + box.bottom) / 2;
            const own = middle(star.getBoundingClientRect());
            return [...said.querySelectorAll(".site, time")].some((one) =>
              Math.abs(middle(one.getBoundingClientRect()) - own) < 6);
          });
          """)
        #expect(besideOthers.array?.isEmpty == false)
        #expect(besideOthers.array?.allSatisfy { $0.bool == true } == true, "\(besideOthers)")
      }
    }

    @Test func `charts fit on paper, and forced colours leave what is told by colour`()
      async throws
    {
      try await inChromium { browser, base in
        guard case .chromium(let driver) = browser else { return }
        try await settle(browser, "\(base)library/statistics.html")
        try await driver.devTools("Emulation.setEmulatedMedia", ["media": "print"])
        let fits = try await browser.run(
          """
          document.querySelector("main").style.inlineSize = "20px";
          return [...document.querySelectorAll(".chart")].map((chart) =>
            chart.firstElementChild.getBoundingClientRect().width <= 21 || chart.querySelector("table") !== null);
          """)
        #expect(fits.array?.isEmpty == false && fits.array?.allSatisfy { $0.bool == true } == true)
        try await driver.devTools(
          "Emulation.setEmulatedMedia",
          ["media": "", "features": [["name": "forced-colors", "value": "active"]]])
        let colours = try await browser.run(
          """
          const colour = (element) => getComputedStyle(element).backgroundColor;
          return new Set([...document.querySelectorAll(".swatch")].map(colour)).size;
          """)
        #expect((colours.integer ?? 0) > 1)
        try await settle(browser, "\(base)index.html")
        let isSeen = try await browser.run(
          """
          const button = document.getElementById("as-list");
          const before = getComputedStyle(button).backgroundColor;
          button.setAttribute("aria-pressed", "true");
          return getComputedStyle(button).backgroundColor !== before;
          """)
        #expect(isSeen.bool == true)
      }
    }

    /// Adds a label wider than the window to the lists and to each item; to a page, a one-word
    /// label and a long list.
    private static let lengthening = """
      const long = "a label that nobody would choose ".repeat(3);
      for (const list of document.querySelectorAll(".filters select")) list.add(new Option(long));
      for (const chip of document.querySelectorAll(".item .labels a")) chip.textContent = long;
      for (const chip of document.querySelectorAll(".head .labels a")) chip.textContent = "Donaudampfschifffahrtsgesellschaft".repeat(2);
      document.querySelector(".body")?.insertAdjacentHTML("beforeend", "<ul><li>A step".repeat(14));
      """

    /// Returns the number of labels that overflow their item.
    private static let cut = """
      return [...document.querySelectorAll(".item .labels a")].filter((chip) =>
        chip.getBoundingClientRect().right > chip.closest(".item").getBoundingClientRect().right)
        .length;
      """

    /// Returns elements with insufficient contrast to their background.
    private static let contrast = """
      const parse = (text) => {
        const parts = text.match(/[\\d.]+/g).map(Number);
        return { rgb: parts.slice(0, 3), a: parts[3] ?? 1 };
      };
      const light = (rgb) => {
        const [r, g, b] = rgb.map((one) => {
          const part = one / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const over = (top, a, below) => top.map((one, at) => one * a + below[at] * (1 - a));
      const behind = (element) => {
        if (!element) return [255, 255, 255];
        const { rgb, a } = parse(getComputedStyle(element).backgroundColor);
        return a === 1 ? rgb : over(rgb, a, behind(element.parentElement));
      };
      const ratio = (one, other) => {
        const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
      };
      const isForced = matchMedia("(forced-colors: active)").matches;
      const poor = [];
      for (const element of document.body.querySelectorAll("*")) {
        const style = getComputedStyle(element);
        if (isForced && style.mixBlendMode !== "normal") poor.push(`${element.tagName} blended`);
        if (!element.checkVisibility() || element.matches(":disabled, .quiet, .skip, option, iframe")) continue;
        const isSVG = element instanceof SVGElement;
        const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const back = behind(isSVG ? element.closest("svg").parentElement : element);
        if (says && !element.matches("title")) {
          const { rgb, a } = parse(isSVG ? style.fill : style.color);
          const size = parseFloat(style.fontSize);
          const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
          const found = ratio(over(rgb, a, back), back);
          if (found < needed) poor.push(`${element.tagName}.${element.className.baseVal ?? element.className} "${element.textContent.trim().slice(0, 30)}" ${found.toFixed(2)}`);
        }
        if (element.matches("rect, circle")) {
          const paint = element.matches(".node-ghost") ? style.stroke : style.fill;
          const found = ratio(parse(paint).rgb, back);
          if (found < 3) poor.push(`${element.tagName}.${element.className.baseVal} ${found.toFixed(2)}`);
        }
        if (element.matches(".dot, .swatch:not(.node-ghost), .stroke")) {
          const paint = element.matches(".stroke") ? style.borderTopColor : style.backgroundColor;
          const found = ratio(parse(paint).rgb, behind(element.parentElement));
          if (found < 3) poor.push(`${element.tagName}.${element.className} ${found.toFixed(2)}`);
        }
        if (element.matches(".marked li, .highlights li")) {
          const before = getComputedStyle(element, "::before");
          const stripe = before.content === "none" ? style.borderInlineStartColor : before.backgroundColor;
          const found = ratio(parse(stripe).rgb, back);
          if (found < 3) poor.push(`${element.tagName}.${element.className} edge ${found.toFixed(2)}`);
        }
        if (element.matches("input, select, button, .button") && !element.closest(".settings")) {
          const found = ratio(parse(style.borderTopColor).rgb, behind(element.parentElement));
          if (found < 3) poor.push(`${element.tagName}#${element.id} border ${found.toFixed(2)}`);
        }
      }
      return [...new Set(poor)];
      """

    /// Returns whether the colors of a scheme are forced on the page.
    private static func isForced(_ scheme: String) -> String {
      """
      return matchMedia("(forced-colors: active)").matches
        && getComputedStyle(document.body).color === "\(scheme == "dark" ? "rgb(255, 255, 255)" : "rgb(0, 0, 0)")";
      """
    }

    /// Returns whether the page is dark.
    private static let seen =
      "return getComputedStyle(document.documentElement).backgroundColor === 'rgb(25, 24, 22)';"

    /// Returns elements without a name, and headings out of order.
    private static let names = """
      const poor = [];
      const name = (element) => {
        const by = element.getAttribute("aria-labelledby");
        if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
        // The content of these is not their name.
        const isNamedByContent = !element.matches("input, select, iframe, svg, [role=img], [role=group], dialog, section, nav");
        return (element.getAttribute("aria-label") ?? element.getAttribute("alt") ?? element.getAttribute("title")
          ?? (element.labels?.[0]?.textContent || (isNamedByContent ? element.textContent : "")) ?? "").trim();
      };
      for (const element of document.querySelectorAll("a[href], button, input, select, iframe, svg, [role=img], [role=group], dialog, section[aria-labelledby]")) {
        if (element.closest("[aria-hidden=true]")) continue;
        if (!name(element)) poor.push("no name: " + element.outerHTML.slice(0, 120));
      }
      for (const image of document.images) if (!image.hasAttribute("alt")) poor.push("no alt: " + image.src);
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      for (const id of ids) if (ids.filter((one) => one === id).length > 1) poor.push("twice: " + id);
      if (document.querySelectorAll("h1").length !== 1) poor.push("h1: " + document.querySelectorAll("h1").length);
      for (const mark of ["main", "nav"]) if (!document.querySelector(mark)) poor.push("no " + mark);
      if (document.querySelectorAll("main").length !== 1) poor.push("main");
      if (!document.documentElement.lang) poor.push("lang");
      if (!document.title.trim()) poor.push("title");
      const navs = [...document.querySelectorAll("nav")].map(name);
      if (navs.length > 1 && new Set(navs).size < navs.length) poor.push("navs alike: " + navs);
      for (const element of document.querySelectorAll("[tabindex]")) if (element.tabIndex > 0) poor.push("tabindex");
      let level = 0;
      for (const heading of document.querySelectorAll("main :is(h1, h2, h3, h4)")) {
        const next = Number(heading.tagName[1]);
        if (next > level + 1) poor.push("heading skips: " + heading.textContent.slice(0, 40));
        level = next;
      }
      for (const list of document.querySelectorAll("ul, ol")) {
        if ([...list.children].some((child) => child.tagName !== "LI")) poor.push("list: " + list.className);
      }
      return [...new Set(poor)];
      """

    /// Returns the focused element, and whether its focus is visible.
    private static let focused = """
      const element = document.activeElement;
      const shows = (one) => one && getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) >= 2;
      return {
        name: element.id || element.textContent.trim(),
        seen: shows(element) || shows(element.closest(".item")),
      };
      """
  }
}
