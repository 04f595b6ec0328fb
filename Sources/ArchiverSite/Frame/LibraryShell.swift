import ArchiverMarkup

/// The parts of a library page around its content.
struct LibraryShell: Sendable {
  /// The sections of the library to which its pages link, in this order.
  enum Section: String, CaseIterable {
    case items, labels, sources, dates, books, highlights, graph, statistics, problems

    /// The sections that every library has.
    static let always: [Section] = allCases.filter { $0 != .books && $0 != .graph }

    var path: String { self == .items ? "index.html" : "library/\(rawValue).html" }
  }

  let words: Words
  /// The sections of this archive.
  let sections: [Section]
  /// The relative path from the page to the archive's folder: empty, `../` or `../../`.
  let root: String
  /// The section of the page; `nil` for none.
  let section: Section?
  /// The page's own title; `nil` to use the name of its section.
  let title: String?
  /// The scripts in `library/`, in the order in which they run.
  let scripts: [String]
  var policy = ContentPolicy.library

  /// - Parameter path: The path of the page; `nil` for that of its section.
  init(
    _ words: Words, _ sections: [Section], _ section: Section?, path: String? = nil,
    title: String? = nil, scripts: [String] = []
  ) {
    self.words = words
    self.sections = sections
    let path = path ?? section?.path ?? ""
    root = String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") })
    self.section = section
    self.title = title
    self.scripts = scripts
  }

  func render(_ content: (inout HTMLWriter) -> Void) -> [UInt8] {
    HTMLWriter.page(["lang": words.language, "data-root": root], head: head) { html in
      html.element("a", ["class": "skip", "href": "#content"], text: words.text("skip"))
      top(&html)
      html.raw("\n")
      html.element("main", ["id": "content", "class": "page"]) { content(&$0) }
      html.raw("\n")
      html.element("footer", ["class": "page foot"]) { html in
        words.write("p", "footer", &html)
      }
    }
  }

  private func head(_ html: inout HTMLWriter) {
    html.metas(policy: policy)
    if let title {
      html.element("title", text: title)
    } else if let section {
      words.write("title", section.rawValue, &html)
    }
    html.void("link", ["rel": "icon", "href": "\(root)library/icon.svg"])
    html.void("link", ["rel": "stylesheet", "href": "\(root)library/library.css"])
    for script in ["theme.js", "languages.js", "words.js", "status.js", "health.js"] + scripts
      + ["settings.js", "keys.js"]
    {
      let waits: String? = script == "theme.js" ? nil : ""
      html.element("script", ["src": "\(root)library/\(script)", "defer": waits]) { _ in }
    }
  }

  private func top(_ html: inout HTMLWriter) {
    html.element("header", ["class": "top"]) { html in
      html.element("div", ["class": "page row"]) { html in
        words.write("a", "library", with: ["class": "brand", "href": "\(root)index.html"], &html)
        html.element(
          "nav", ["aria-label": words.text("library"), "data-label": "library"]
        ) { html in
          html.element("ul", ["class": "sections"]) { html in
            for section in sections { entry(section, &html) }
          }
        }
        html.element("div", ["id": "settings", "class": "settings"]) { _ in }
      }
    }
  }

  private func entry(_ section: Section, _ html: inout HTMLWriter) {
    html.element("li") { html in
      html.element(
        "a",
        [
          "href": root + section.path, "data-w": section.rawValue,
          "aria-current": section == self.section ? "page" : nil,
        ], text: words.text(section.rawValue))
    }
  }
}
