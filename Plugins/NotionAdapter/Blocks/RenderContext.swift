import ArchiverCore
import ArchiverMarkup

/// What is known about an object that something refers to.
struct KnownObject: Sendable, Hashable {
  var title: String
  var icon: NotionIcon?
  /// Whether the integration may read it.
  var isShared = true
  var isInTrash = false
}

/// What rendering needs besides the blocks: everything was looked up before, so that it makes no
/// request.
struct RenderContext: Sendable {
  /// The page or database being rendered.
  var page: NotionID?
  var title = ""
  /// The day of archiving, which relative groups of dates count from; `nil` groups by months.
  var today: CalendarDay?
  /// Titles of the pages above, the outermost first.
  var path: [PathStep] = []
  var known: [NotionID: KnownObject] = [:]
  /// The databases that linked views show, by the id of the view's block.
  var linkedViews: [NotionID: LinkedView] = [:]
  /// What these views and the databases that a page shows itself have to show, by the same id.
  var linkedContents: [NotionID: DatabaseContent] = [:]
  /// The pages of synced blocks that are shown elsewhere, by the ids of the originals.
  var synced: [NotionID: NotionID] = [:]
  /// The pages of comments that something links to, by the ids of the comments.
  var comments: [NotionID: NotionID] = [:]
  var users: [NotionID: String] = [:]
  /// The addresses of the files that are kept with the page.
  var files: Set<String> = []

  /// The databases that the page shows, in the order of their blocks' ids.
  var shownContents: [DatabaseContent] {
    linkedContents.sorted { $0.key < $1.key }.map(\.value)
  }

  struct PathStep: Sendable, Hashable {
    let id: NotionID
    let title: String
  }

  /// A database shown through a view elsewhere.
  struct LinkedView: Sendable {
    let database: NotionID
    let title: String
    let views: [DatabaseView]
    /// Whether the integration may read the database.
    let isShared: Bool
    /// Views that could not be read.
    var missing: [MissingPart] = []
  }
}

extension HTMLWriter {
  /// Writes a link to a page or database with its icon and title; words that say so when the
  /// integration may not read it.
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

  /// Writes an icon the size of a letter.
  mutating func icon(_ icon: NotionIcon) {
    switch icon {
    case .emoji(let emoji):
      element("span", ["class": "n-icon"], text: emoji)
    case .image(let url, let name):
      element("span", ["class": "n-icon"]) { html in
        html.void("img", ["src": url, "alt": name.map { ":\($0):" } ?? ""])
      }
    case .builtIn(let name, let color):
      // A tile with a sign, which is drawn whatever signs the reader's fonts have.
      let classes = ["n-icon", "n-drawn", color.className].compactMap(\.self).joined(separator: " ")
      element("span", ["class": classes, "title": name], text: BuiltInIcon.glyph(name))
    }
  }
}
