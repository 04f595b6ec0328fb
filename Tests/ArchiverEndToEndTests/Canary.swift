import ArchiverCore
import ArchiverTestKit

/// A browser that detects activity of a page.
struct Canary {
  let browser: WebDriver
  /// Everything that a page may request is below this directory.
  let folder: String

  /// Hooks functions that scripts would call, and removes the pages' content policy: the first line
  /// of defence must hold without it.
  func prepare() async throws {
    let hook = """
      (() => {
        const calls = [];
        Object.defineProperty(window, 'canaryCalls', {value: calls});
        for (const name of ['alert', 'prompt', 'confirm', 'print', 'open', 'msgbox'])
          window[name] = (...a) => { calls.push(name + '(' + a.join() + ')'); return null; };
      })()
      """
    try await browser.devTools("Page.enable")
    try await browser.devTools("Page.setBypassCSP", ["enabled": true])
    try await browser.devTools(
      "Page.addScriptToEvaluateOnNewDocument", ["source": .string(hook)])
  }

  /// Opens a page, sends events to every element, and returns unexpected effects.
  ///
  /// `isStatic` says that the page must have no script of its own.
  func findings(_ path: String, isStatic: Bool, poke: String = "") async throws -> [String] {
    _ = try await browser.requests()
    let address = "file://" + path
    try await browser.open(address)
    let found = try await browser.runAsync(
      Canary.events + poke + """
        const done = arguments[arguments.length - 1];
        setTimeout(() => done([location.href, window.canaryCalls, (\(Canary.active))(\(isStatic))]), 30)
        """)
    var findings = (found[1]?.array ?? [.string("the page was replaced")]).compactMap(\.string)
    findings += found[2]?.array?.compactMap(\.string) ?? []
    if let now = found[0]?.string.map(Canary.decoded),
      now.prefix(while: { $0 != "#" && $0 != "?" }) != address
    {
      findings.append("went to \(now)")
    }
    for request in try await browser.requests().map(Canary.decoded)
    where !request.hasPrefix("file://\(folder)/") && !request.hasPrefix("data:image/") {
      findings.append("asked for \(request)")
    }
    return findings
  }

  /// A file's address as its path is written; any other address as it is.
  fileprivate static func decoded(_ address: String) -> String {
    guard address.hasPrefix("file:"), let url = URL(string: address) else { return address }
    return "file://" + url.path(percentEncoded: false)
  }

  /// Sends the most common events to every element.
  fileprivate static let events = """
    for (const element of document.querySelectorAll('*'))
      for (const name of ['mouseover', 'mouseenter', 'pointerover', 'focus', 'blur', 'load', 'error',
          'toggle', 'animationstart', 'transitionend', 'scroll', 'begin', 'input', 'click'])
        if (name !== 'click' || !element.closest('a, button, summary, input, label, select'))
          element.dispatchEvent(new Event(name, {bubbles: false}));

    """

  /// Lists what could run or load although it has not yet.
  fileprivate static let active = """
    isStatic => {
      const found = [];
      const tags = ['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'base', 'portal']
        .concat(isStatic ? ['script', 'form', 'link'] : []);
      for (const element of document.querySelectorAll('*')) {
        const tag = element.localName;
        // Ours, without an address, lets links leave the library's frame.
        const isOurs = element.matches('head > base[target="_top"]:not([href])');
        if (tags.includes(tag) && !isOurs) found.push('<' + tag + '>');
        if (tag === 'meta' && /refresh/i.test(element.httpEquiv)) found.push('a refresh');
        for (const {name, value} of element.attributes) {
          if (/^on/i.test(name)) found.push('<' + tag + ' ' + name + '>');
          const address = value.replace(/[\\u0000-\\u0020\\u007f-\\u00a0]/g, '');
          if (/^(href|src|action|formaction|xlink:href|data|poster|background|srcdoc|ping|srcset)$/i
              .test(name) && /^((javascript|vbscript|blob|view-source):|data:(?!image\\/))/i.test(address))
            found.push('<' + tag + ' ' + name + '=' + value + '>');
        }
      }
      return found;
    }
    """
}

/// The same in Firefox, where a script that calls for a dialog makes the next command fail.
struct FirefoxCanary {
  let browser: Marionette

  func findings(_ path: String, folder: String) async throws -> [String] {
    _ = try browser.requests()
    let address = "file://" + path
    var findings: [String]
    do {
      try await browser.open(address)
      try browser.run(Canary.events)
      let found = try browser.run("return [location.href, (\(Canary.active))(true)]")
      findings = (found[1]?.array ?? [.string("the page was replaced")]).compactMap(\.string)
      let now = Canary.decoded(found[0]?.string ?? "")
      if now.prefix(while: { $0 != "#" && $0 != "?" }) != address {
        findings.append("went to \(now)")
      }
    } catch {
      findings = ["\(error)"]
    }
    return findings + (try browser.requests()).map { "asked for \($0)" }
  }
}
