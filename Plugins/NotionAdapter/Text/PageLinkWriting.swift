import ArchiverCore
import ArchiverMarkup

extension HTMLWriter {
  /// Writes a link to a page or database with its icon and title, or a note if the integration may
  /// not read it.
  mutating func pageLink(
    _ id: NotionID, fallback: String, anchor: NotionID? = nil, _ context: RenderContext
  ) {
    let known = context.known[id]
    let title = known.flatMap { $0.title.isEmpty ? nil : $0.title } ?? fallback
    guard known?.isShared ?? true else {
      element("span", ["class": "n-ghost"]) { html in
        html.text("\(title.isEmpty ? "A page" : title) (not shared)")
      }
      return
    }
    let address = id.address + (anchor.map { "#\($0.hex)" } ?? "")
    element("a", ["class": "n-page", "href": address]) { html in
      if let icon = known?.icon { html.icon(icon) }
      html.text(title.isEmpty ? "Untitled" : title)
    }
  }

  /// Writes an icon at the size of text.
  mutating func icon(_ icon: NotionIcon) {
    switch icon {
    case .emoji(let emoji):
      element("span", ["class": "n-icon"], text: emoji)
    case .image(let url, let name):
      element("span", ["class": "n-icon"]) { html in
        html.void("img", ["src": url, "alt": name.map { ":\($0):" } ?? ""])
      }
    case .builtIn(let name, let color):
      // A tile with a drawn symbol, which does not depend on the reader's fonts.
      let classes = ["n-icon", "n-drawn", color.className].compactMap(\.self).joined(separator: " ")
      element("span", ["class": classes, "title": name], text: BuiltInIcon.glyph(name))
    }
  }
}
