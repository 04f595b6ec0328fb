import ArchiverCore
import ArchiverTestKit
import ArchiverTransport

@testable import ArchiverMarkup

/// What Chromium makes of pages, beside what the sanitiser and its parser make of them.
struct BrowserPages {
  let driver: WebDriver

  /// Starts Chromium for as long as `body` takes; only prints a message if it is not installed.
  static func with(_ body: (BrowserPages) async throws -> Void) async throws {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    guard
      let driver = try await WebDriver.start(http: engine.client(access: nil, policy: policy))
    else {
      return print("skipped: Chromium is not installed, or its driver (Scripts/setup --browser)")
    }
    do {
      try await driver.open("about:blank")
      try await body(BrowserPages(driver: driver))
    } catch {
      await driver.quit()
      throw error
    }
    await driver.quit()
  }

  /// Returns the tree that Chromium makes of each page, in the form of `HTMLTreeForm`.
  func trees(_ pages: [String]) async throws -> [String] {
    let answer = try await driver.run(Self.treeScript, [.array(pages.map { .string($0) })])
    return (answer.array ?? []).map { $0.string ?? "" }
  }

  /// Counts what a page shows in a browser: the original page and the sanitised one.
  func counts(_ page: String, _ written: String) async throws -> (
    before: PageCount, after: PageCount
  ) {
    let answer = try await driver.run(Self.countScript, [.string(page), .string(written)])
    return (PageCount(answer[0] ?? .null), PageCount(answer[1] ?? .null))
  }

  private static let treeScript = """
    const spaces = {'http://www.w3.org/1999/xhtml': '', 'http://www.w3.org/2000/svg': 'svg ',
      'http://www.w3.org/1998/Math/MathML': 'math '};
    const safe = s => s.replace(/[<>"\\\\]/g, c => '\\\\' + c.charCodeAt(0));
    const write = node => {
      let out = '';
      for (const child of (node.nodeName === 'TEMPLATE' && node.content || node).childNodes) {
        if (child.nodeType === 3) { out += safe(child.data); continue; }
        if (child.nodeType !== 1) continue;
        const named = [...child.attributes].map(a => ' ' + a.localName.toLowerCase() + '="' + safe(a.value) + '"').sort();
        out += '<' + spaces[child.namespaceURI] + child.localName.toLowerCase() + named.join('') + '>' + write(child) + '</>';
      }
      return out;
    };
    return arguments[0].map(s => write(new DOMParser().parseFromString(s, 'text/html')));
    """

  /// What is counted: words outside of what shows none; pictures that have an address and are no
  /// counters; drawings of 64 pixels and more each way; tables, formulas, and places of the page that links
  /// with words in them lead to.
  private static let countScript = """
    const hidden = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'HEAD', 'NOSCRIPT', 'OPTION', 'SELECT', 'BUTTON',
      'TEXTAREA', 'DATALIST', 'IFRAME', 'OBJECT', 'CANVAS', 'VIDEO', 'AUDIO', 'svg', 'math', 'FORM', 'INPUT', 'DIALOG']);
    const formula = e => e.localName === 'math' || (e.localName === 'script' && /^math\\/(tex|mml)/.test(e.type));
    const count = html => {
      const page = new DOMParser().parseFromString(html, 'text/html');
      const words = [];
      const seen = {words: '', pictures: 0, drawings: 0, tables: 0, formulas: 0, anchors: 0, inlined: 0, names: []};
      const walk = node => {
        for (const child of node.childNodes) {
          if (child.nodeType === 3) { words.push(child.data); continue; }
          if (child.nodeType !== 1 || child.hidden) continue;
          const name = child.nodeName;
          if (name === 'TABLE') seen.tables++;
          if (formula(child)) seen.formulas++;
          if (name === 'IMG') {
            const small = ['width', 'height'].every(a => child.hasAttribute(a) && parseInt(child.getAttribute(a)) <= 1);
            const has = ['src', 'srcset', 'data-src', 'data-srcset'].some(a => child.getAttribute(a));
            const isFormula = child.classList.contains('mwe-math-fallback-image-inline') || child.classList.contains('mwe-math-fallback-image-display');
            if (has && !small && !isFormula) seen.pictures++;
            if (/^data:image\\/svg/.test(child.getAttribute('src') || '')) seen.inlined++;
          }
          if (name === 'svg') {
            const width = child.getAttribute('width') || '';
            const box = (child.getAttribute('viewBox') || '').split(/[ ,]+/).map(Number)[2] || 0;
            const sides = [width, child.getAttribute('height') || ''].filter(s => /^[0-9.]+(px)?$/.test(s));
            const isWide = sides.length ? sides.every(s => parseFloat(s) >= 64) : box >= 64 && child.querySelectorAll('*').length >= 10;
            if (isWide && child.getAttribute('aria-hidden') !== 'true' && child.querySelector('path, rect, circle, line, text, image, polygon, use, ellipse'))
              seen.drawings++;
          }
          if (hidden.has(name)) continue;
          const isBlock = !/^(A|ABBR|B|BDI|BDO|CITE|CODE|DATA|DEL|DFN|EM|FONT|I|INS|KBD|MARK|Q|RUBY|RB|RT|S|SAMP|SMALL|SPAN|STRONG|SUB|SUP|TIME|U|VAR|WBR|NOBR|TT|BIG|STRIKE)$/.test(name);
          if (isBlock) words.push(' ');
          walk(child);
          if (isBlock) words.push(' ');
        }
      };
      walk(page.body || page.documentElement);
      seen.words = words.join('').replace(/[\\u00ad\\ufeff]/g, '');
      const led = new Set([...page.querySelectorAll('a[href^="#"]')].filter(a => a.textContent.trim()).map(a => decodeURIComponent(a.getAttribute('href').slice(1).replace(/%(?![0-9a-f]{2})/gi, '%25'))));
      const places = new Set([...page.querySelectorAll('[id], a[name]')].flatMap(e => [e.id, e.getAttribute('name')]));
      for (const name of led) if (name && places.has(name)) { seen.anchors++; seen.names.push(name); }
      return seen;
    };
    return [count(arguments[0]), count(arguments[1])];
    """
}

/// How much a page shows of each kind.
struct PageCount {
  var words: [Substring]
  var numbers: [String: Int] = [:]
  /// Pictures that are drawings in the page itself.
  var inlined: Int
  /// What the anchors are called.
  var names: [String]

  static let kinds = ["pictures", "tables", "formulas", "drawings", "anchors"]

  init(_ json: JSONValue) {
    // Letters and digits only: a sign may have been a link's own or a quotation's.
    words = (json["words"]?.string ?? "").split { !$0.isLetter && !$0.isNumber }
    inlined = json["inlined"]?.integer ?? 0
    names = (json["names"]?.array ?? []).compactMap(\.string)
    for kind in PageCount.kinds { numbers[kind] = json[kind]?.integer ?? 0 }
  }

  /// Words that the other has less often than this one, of each as many as are missing.
  func lost(in other: PageCount) -> [Substring] {
    var left: [Substring: Int] = [:]
    for word in other.words { left[word, default: 0] += 1 }
    return words.filter { word in
      guard let count = left[word], count > 0 else { return true }
      left[word] = count - 1
      return false
    }
  }
}

/// The parser's tree in the form in which `BrowserPages` writes Chromium's.
enum HTMLTreeForm {
  static func text(_ tree: HTMLTree) -> String {
    var bytes: [UInt8] = []
    write(tree, below: HTMLTree.document, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ tree: HTMLTree, below root: Int32, into bytes: inout [UInt8]) {
    // Iterative: pages nest deeper than the stack.
    var open: [Int32] = []
    var child = firstChild(tree, root)
    while true {
      guard child != 0 else {
        guard let parent = open.popLast() else { return }
        bytes += "</>".utf8
        child = tree[parent].next
        continue
      }
      let node = tree[child]
      switch node.kind {
      case .text: append(tree.text(of: child), to: &bytes)
      case .element:
        begin(tree, child, into: &bytes)
        open.append(child)
        child = firstChild(tree, child)
        continue
      case .comment, .doctype, .document: break
      }
      child = node.next
    }
  }

  private static func firstChild(_ tree: HTMLTree, _ node: Int32) -> Int32 {
    let content = tree[node].content
    return tree[content != 0 ? content : node].firstChild
  }

  private static func begin(_ tree: HTMLTree, _ element: Int32, into bytes: inout [UInt8]) {
    let node = tree[element]
    let prefix: String =
      switch node.namespace {
      case .html: ""
      case .svg: "svg "
      case .mathML: "math "
      }
    bytes += "<\(prefix)\(tree.names.string(node.name))".utf8
    var attributes: [[UInt8]] = []
    for attribute in tree.attributes(of: element) {
      let name = tree.names.string(attribute.name)
      let local =
        node.namespace != .html && namespaced.contains(name)
        ? name.split(separator: ":").last.map(String.init) ?? name : name
      var text = Array(" \(local)=\"".utf8)
      append(Array(tree.bytes(attribute.value)), to: &text)
      attributes.append(text + [0x22])
    }
    for text in attributes.sorted(by: { $0.lexicographicallyPrecedes($1) }) { bytes += text }
    bytes.append(0x3E)
  }

  /// The attributes of foreign elements that have a namespace.
  private static let namespaced: Set<String> = [
    "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title",
    "xlink:type", "xml:lang", "xml:space", "xmlns", "xmlns:xlink",
  ]

  private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    for byte in text {
      if [0x3C, 0x3E, 0x22, 0x5C].contains(byte) {
        bytes += "\\\(byte)".utf8
      } else {
        bytes.append(byte)
      }
    }
  }
}
