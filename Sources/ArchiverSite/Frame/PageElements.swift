import ArchiverCore
import ArchiverMarkup

extension HTMLWriter {
  /// Returns a whole page.
  ///
  /// - Parameter attributes: The attributes of the element `html`.
  static func page(
    _ attributes: Attributes, head: (inout HTMLWriter) -> Void, body: (inout HTMLWriter) -> Void
  ) -> [UInt8] {
    var html = HTMLWriter()
    html.raw("<!doctype html>\n")
    html.element("html", attributes) { html in
      html.element("head") { head(&$0) }
      html.raw("\n")
      html.element("body") { body(&$0) }
    }
    html.raw("\n")
    return html.bytes
  }

  /// Writes the first elements of a page's head.
  mutating func metas(policy: String) {
    void("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
    void("meta", ["charset": "utf-8"])
    void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    void("meta", ["name": "color-scheme", "content": "light dark"])
    void("meta", ["name": "generator", "content": "archiver"])
    void("meta", ["name": "referrer", "content": "no-referrer"])
  }

  /// Writes a link to the page of an item.
  ///
  /// - Parameters:
  ///   - folder: The item's folder, relative to the archive.
  ///   - root: The relative path from the page to the archive's folder.
  mutating func link(
    toItem folder: String, _ root: String, language: String? = nil, text title: String
  ) {
    element(
      "a",
      [
        "href": "\(root)\(SiteText.path(folder))/index.html", "dir": "auto", "lang": language,
      ], text: title)
  }
}

extension Words {
  /// Writes an element with a string of the library, which scripts refill in another language.
  ///
  /// - Parameters:
  ///   - attributes: The element's other attributes.
  ///   - value: What replaces `%1`.
  ///   - number: The number that replaces `%1`, if the string may have a singular form.
  func write(
    _ element: String, _ key: String, with attributes: HTMLWriter.Attributes = [:],
    value: String? = nil, number: Int? = nil, _ html: inout HTMLWriter
  ) {
    var all: [(name: String, value: String)] = []
    for (name, value) in attributes {
      if let value { all.append((name: name, value: value)) }
    }
    all.append((name: "data-w", value: key))
    if let value { all.append((name: "data-v", value: value)) }
    if let number { all.append((name: "data-n", value: String(number))) }
    html.open(element, attributes: all)
    html.text(number.map { counted(key, $0) } ?? text(key, value ?? ""))
    html.close(element)
  }

  /// Writes a day, with its exact time in machine-readable form.
  func writeTime(_ date: Date, _ html: inout HTMLWriter) {
    html.element("time", ["datetime": UTCTime.text(date)], text: self.date(CivilDate(date)))
  }

  /// Writes the links between a list's pages, each with a path and a name; nothing for a single page.
  func writeYears(
    _ pages: [(String, String)], current: Int, _ root: String, _ html: inout HTMLWriter
  ) {
    guard pages.count > 1 else { return }
    html.element("nav", ["aria-label": text("year"), "data-label": "year"]) { html in
      html.element("ul", ["class": "sections"]) { html in
        for (index, page) in pages.enumerated() {
          html.element("li") { html in
            html.element(
              "a",
              ["href": root + page.0, "aria-current": index == current ? "page" : nil],
              text: page.1)
          }
        }
      }
    }
  }

  /// Writes the links to the pages before and after.
  ///
  /// - Parameters:
  ///   - keys: The keys of the links' texts.
  ///   - label: The key of the name for the group of links.
  func writeTurn(
    _ previous: String?, _ next: String?, keys: (String, String) = ("newer", "older"),
    label: String? = nil, _ html: inout HTMLWriter
  ) {
    html.element(
      "nav", ["class": "turn", "aria-label": label.map { text($0) }, "data-label": label]
    ) { html in
      if let previous {
        html.element("a", ["href": previous, "rel": "prev"]) { html in
          html.text("← ")
          write("span", keys.0, &html)
        }
      }
      if let next {
        html.element("a", ["href": next, "rel": "next"]) { html in
          write("span", keys.1, &html)
          html.text(" →")
        }
      }
    }
  }
}
