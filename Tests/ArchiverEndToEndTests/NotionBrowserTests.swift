import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Opens archived pages of Notion in Chromium, from disk.
@Suite(.serialized) struct NotionBrowserTests {
  private static func browser(
    dark: Bool = false, width: Int = 1200
  ) async throws -> WebDriver? {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    let browser = try await WebDriver.start(
      http: engine.client(access: nil, policy: policy), dark: dark, size: (width, 900))
    if browser == nil {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
    }
    return browser
  }

  /// The titles of a table's rows that are shown, from the top.
  private static let titles = """
    return [...document.querySelector('table.n-database').tBodies[0].rows]
      .filter(row => !row.hidden && row.offsetHeight > 0)
      .map(row => row.cells[0].textContent.trim().replace(/^[^\\p{L}]+/u, ''));
    """

  @Test func `a click on a column's head sorts a database's table, and words filter it`()
    async throws
  {
    guard let browser = try await NotionBrowserTests.browser() else { return }
    try await NotionWorkspace.archived { workspace in
      try await browser.open("file://\(try workspace.bundle("Tasks"))/index.html")
      func titles() async throws -> [String] {
        try await browser.run(NotionBrowserTests.titles).array?.compactMap(\.string) ?? []
      }
      func click(_ column: Int) async throws {
        try await browser.click("table.n-database thead th:nth-child(\(column))")
      }
      let original = try await titles()
      #expect(original.count == 12 && original.first == "Walls")
      try await click(1)
      let byName = [
        "attic", "Door", "Élan", "Garden", "Hall", "Kiln", "Lamp", "Oven", "Pump", "Roof", "Walls",
        "Zinc gutters",
      ]
      #expect(try await titles() == byName)
      try await click(1)
      #expect(try await titles() == byName.reversed())
      // Costs are numbers: 1,500 is more than 900.
      try await click(3)
      #expect(
        try await titles() == [
          "Kiln", "Zinc gutters", "attic", "Pump", "Door", "Roof", "Oven", "Hall", "Walls", "Lamp",
          "Élan", "Garden",
        ])
      // A row without a date comes last in both directions.
      try await click(4)
      #expect(try await titles().last == "Door")
      try await click(4)
      #expect(try await titles().last == "Door")
      #expect(try await titles().first == "Pump")
      let state = try await browser.run(
        "return [...document.querySelectorAll('table.n-database thead th')]"
          + ".map(head => head.getAttribute('aria-sort'));")
      #expect(state == [.null, .null, .null, "descending"])

      try await browser.click("input.filters")
      try await browser.type("DOING")
      #expect(Set(try await titles()) == ["attic", "Zinc gutters", "Door", "Oven"])
      try await browser.type(" gutt")
      #expect(try await titles() == ["Zinc gutters"])
      #expect(try await browser.log("browser").isEmpty)
      let outside = try await browser.requests().filter {
        !$0.hasPrefix("file://\(workspace.home)/") && !$0.hasPrefix("data:")
      }
      #expect(outside.isEmpty, "\(outside)")
    }
    await browser.quit()
  }

  @Test func `numbered lists inside each other count in numbers, letters and Roman numerals`()
    async throws
  {
    guard let browser = try await NotionBrowserTests.browser() else { return }
    try await NotionWorkspace.archived { workspace in
      try await browser.open("file://\(try workspace.bundle("Every block"))/index.html")
      let kinds = try await browser.run(
        "return [...document.querySelectorAll('.body ol')].map(e => getComputedStyle(e).listStyleType);"
      )
      let cycle: [JSONValue] = ["decimal", "lower-alpha", "lower-roman"]
      #expect(kinds.array == cycle + cycle)
    }
    await browser.quit()
  }

  @Test func `pages of all blocks, properties and views show well, light, dark and narrow`()
    async throws
  {
    try await NotionWorkspace.archived { workspace in
      for (dark, width) in [(false, 1200), (true, 1200), (false, 360)] {
        guard let browser = try await NotionBrowserTests.browser(dark: dark, width: width) else {
          return
        }
        // Windows are no narrower than 500 pixels.
        try await browser.devTools(
          "Emulation.setDeviceMetricsOverride",
          ["width": .integer(width), "height": 900, "deviceScaleFactor": 1, "mobile": false])
        for title in ["Every block", "Tasks", "Properties", "Everything", "Plans"] {
          try await browser.open("file://\(try workspace.bundle(title))/index.html")
          try await check(browser, "\(title) \(width)\(dark ? " dark" : "")")
        }
        await browser.quit()
      }
    }
  }

  /// Expects a page without errors, no wider than the window, with readable text; saves a
  /// screenshot if `ARCHIVER_SCREENSHOTS` names a directory.
  private func check(_ browser: WebDriver, _ name: String) async throws {
    #expect(try await browser.log("browser").isEmpty, "\(name)")
    let facts = try await browser.run(
      """
      document.querySelectorAll('details').forEach(d => d.open = true);
      const root = document.documentElement;
      const broken = [...document.images].filter(i => { i.loading = 'eager';
        return i.complete && i.naturalWidth === 0; }).map(i => i.src);
      const luminance = color => {
        const parts = color.match(/[\\d.]+/g).slice(0, 3).map(Number).map(v => v / 255)
          .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
      };
      const ground = element => {
        for (let e = element; e; e = e.parentElement) {
          const color = getComputedStyle(e).backgroundColor;
          if (color.startsWith('rgb(')) return color;
        }
        return 'rgb(255, 255, 255)';
      };
      const faint = [...document.querySelectorAll('[class*="n-c-"], [class*="n-bg-"], .n-tag, [class*="n-s-"]')]
        .filter(e => e.textContent.trim()).map(e => {
          const [a, b] = [luminance(getComputedStyle(e).color), luminance(ground(e))];
          return [e.className, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
        }).filter(([, contrast]) => contrast < 4.5);
      const icons = [...document.querySelectorAll('.n-icon img')]
        .map(i => getComputedStyle(i).backgroundColor);
      return [root.scrollWidth - root.clientWidth, broken, faint, icons];
      """)
    #expect(facts[0]?.integer == 0, "\(name) scrolls sideways")
    #expect(facts[1]?.array?.isEmpty == true, "\(name): \(facts[1] ?? .null)")
    #expect(facts[2]?.array?.isEmpty == true, "\(name): \(facts[2] ?? .null)")
    if name.hasPrefix("Every block") {
      #expect(facts[3] == ["rgba(0, 0, 0, 0)"], "\(name): icons stand on the page itself")
      let cover = try await browser.run("return document.querySelector('.cover img').naturalWidth;")
      #expect(cover.integer == 1_200, "\(name)")
    }
    guard let folder = getenv("ARCHIVER_SCREENSHOTS").map({ String(cString: $0) }) else { return }
    let height = try await browser.run("return document.documentElement.scrollHeight;").integer ?? 0
    let width = try await browser.run("return document.documentElement.clientWidth;").integer ?? 0
    try await browser.devTools(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(width), "height": .integer(min(height, 9_000)), "deviceScaleFactor": 1,
        "mobile": false,
      ])
    let picture = Data(base64Encoded: try await browser.screenshot()) ?? Data()
    let file = name.map { $0 == " " ? "-" : String($0) }.joined().lowercased()
    try picture.write(to: URL(filePath: "\(folder)/\(file).png"))
    try await browser.devTools("Emulation.setEmulatedMedia", ["media": "print"])
    let print = Data(base64Encoded: try await browser.screenshot()) ?? Data()
    try print.write(to: URL(filePath: "\(folder)/\(file)-print.png"))
    try await browser.devTools("Emulation.setEmulatedMedia", ["media": ""])
    try await browser.devTools(
      "Emulation.setDeviceMetricsOverride",
      ["width": .integer(width), "height": 900, "deviceScaleFactor": 1, "mobile": false])
  }
}
