import ArchiverCore
import ArchiverFuzzing
import ArchiverMarkup
import ArchiverTestKit
import ArchiverTransport
import Testing

/// What the sanitiser writes has to be what a browser reads: where two parsers disagree about a
/// document, markup hides that neither's rules foresee.
///
/// The long form is `Scripts/fuzz --browser`.
@Suite(.serialized) struct BrowserRoundTripTests {
  private static let page = WebURL("https://example.org/dir/page")

  /// One that parses what it is given by a script.
  private enum Browser {
    case chromium(WebDriver)
    case firefox(Marionette)

    func run(_ script: String, _ documents: [String]) async throws -> JSONValue {
      switch self {
      case .chromium(let driver):
        return try await driver.run(script, [.array(documents.map { .string($0) })])
      case .firefox(let marionette):
        let json = String(decoding: try JSONEncoder().encode(documents), as: UTF8.self)
        return try marionette.run("return (function () { \(script) })(\(json))")
      }
    }
  }

  @Test(arguments: ["Chromium", "Firefox"])
  func `a browser reads the tree that was written`(name: String) async throws {
    try await with(name) { browser in
      let target = try #require(try await FuzzTarget.named("sanitizer"))
      let environment = ProcessInfo.processInfo.environment
      let minutes = environment["ARCHIVER_FUZZ_MINUTES"].flatMap { Double($0) }
      let seed = environment["ARCHIVER_FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261_121
      let clock = ContinuousClock()
      let end = clock.now + .seconds(minutes.map { $0 * 60 } ?? 4)
      var mutator = Mutator(seed: seed, dictionary: target.dictionary, limit: 8 << 10)
      var count = 0
      var waiting = target.seeds
      while count < 100 || clock.now < end {
        while waiting.count < 100 { waiting.append(mutator.next(from: target.seeds)) }
        let differences = try await differences(waiting, browser)
        for (input, difference) in differences.prefix(5) {
          Issue.record(
            "\(difference.prefix(3_000))\nfor \(String(decoding: input.prefix(3_000), as: UTF8.self))"
          )
        }
        count += waiting.count
        waiting = []
        if !differences.isEmpty { break }
      }
      print("documents that \(name) parsed as they were written: \(count)")
    }
  }

  @Test(arguments: ["Chromium", "Firefox"])
  func `a tree that a browser changes is noticed`(name: String) async throws {
    try await with(name) { browser in
      let planted = [
        "<p><div>x</div></p>", "<a href=\"#c-a\">x<a href=\"#c-b\">y</a></a>",
        "<table>x<tbody></tbody></table>", "<pre>\nx</pre>", "<xmp><b></xmp>",
        "<math><mtext><p>x</p></mtext></math>", "<template>x</template>", "</div><p>x</p>",
        "<svg><p>x</p></svg>", "<p>a\rb</p>", "<ul><li>x</ul>",
      ]
      let found = try await compare(planted, browser)
      for (html, difference) in zip(planted, found) { #expect(difference != nil, "\(html)") }
      #expect(try await compare(["<p title=\"&lt;&quot;&gt;&amp;\">a<br>b</p>"], browser) == [nil])
    }
  }

  private func differences(
    _ inputs: [[UInt8]], _ browser: Browser
  ) async throws -> [([UInt8], String)] {
    var written: [([UInt8], String)] = []
    for input in inputs {
      do throws(MarkupError) {
        let html = try HTMLSanitizer().sanitize(input, baseURL: BrowserRoundTripTests.page).bytes
        written.append((input, String(decoding: html, as: UTF8.self)))
      } catch {
        // Refused: nothing is written.
      }
    }
    let found = try await compare(written.map(\.1), browser)
    return zip(written, found).compactMap { pair, difference in difference.map { (pair.0, $0) } }
  }

  /// Returns for each document how a browser's tree differs from it; `nil` for one that is the same.
  private func compare(_ documents: [String], _ browser: Browser) async throws -> [String?] {
    let answer = try await browser.run(BrowserRoundTripTests.script, documents)
    return try #require(answer.array).map(\.string)
  }

  /// Parses each document within a page and by itself, and again what the browser makes of it, and
  /// writes the trees in the sanitiser's form.
  private static let script = """
    const voids = new Set(['br', 'wbr', 'hr', 'img', 'col', 'area']);
    const html = 'http://www.w3.org/1999/xhtml', math = 'http://www.w3.org/1998/Math/MathML';
    const text = t => t.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    const written = (node, inMath) => {
      let out = '';
      for (const child of node.childNodes) {
        if (child.nodeType === 3) { out += text(child.data); continue; }
        if (child.nodeType !== 1) { out += '[node ' + child.nodeType + ']'; continue; }
        const name = child.localName, isMath = inMath || name === 'math';
        if (child.namespaceURI !== (isMath ? math : html)) out += '[' + child.namespaceURI + ']';
        if (child.content || child.shadowRoot) out += '[hidden content]';
        out += '<' + name;
        for (const a of child.attributes) out += ' ' + a.name + '="' + text(a.value).replace(/"/g, '&quot;') + '"';
        out += '>';
        if (isMath || !voids.has(name)) out += written(child, isMath) + '</' + name + '>';
      }
      return out;
    };
    const alone = s => {
      const div = document.implementation.createHTMLDocument('').createElement('div');
      div.innerHTML = s;
      return div;
    };
    return arguments[0].map(s => {
      const page = new DOMParser().parseFromString(
        '<!doctype html><html><head><title>t</title></head><body><main><div class="body">' + s
        + '</div></main></body></html>', 'text/html');
      const body = page.querySelector('div.body');
      if (page.body.childNodes.length !== 1 || page.body.firstChild.childNodes.length !== 1)
        return 'it left its place: ' + page.body.innerHTML;
      if (written(body, false) !== s) return 'in a page: ' + written(body, false) + '\\nnot ' + s;
      const div = alone(s);
      if (written(div, false) !== s) return 'alone: ' + written(div, false) + '\\nnot ' + s;
      const again = alone(div.innerHTML);
      return written(again, false) === s ? null : 'again: ' + written(again, false) + '\\nnot ' + s;
    });
    """

  private func with(_ name: String, _ body: (Browser) async throws -> Void) async throws {
    let missing = "skipped: \(name) is not installed, or its driver (Scripts/setup --browser)"
    guard name == "Chromium" else {
      guard let marionette = try await Marionette.start() else { return print(missing) }
      defer { marionette.quit() }
      try await marionette.open("about:blank")
      return try await body(.firefox(marionette))
    }
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    guard
      let driver = try await WebDriver.start(http: engine.client(access: nil, policy: policy))
    else { return print(missing) }
    do {
      try await driver.open("about:blank")
      try await body(.chromium(driver))
    } catch {
      await driver.quit()
      throw error
    }
    await driver.quit()
  }
}
