import ArchiverCore

/// A bookmark with its content.
struct BookmarkContent: Sendable {
  var bookmark: Bookmark
  /// The JSON as received.
  var record: [UInt8]
  /// The article; empty when there is none.
  var html: [UInt8] = []
  var highlights: [Highlight] = []
  var notes: [String] = []
  var missing: [MissingPart] = []

  /// Whether the article has highlights; the sync API marks them without details.
  var hasHighlights: Bool { html.firstIndex(of: "<rd-annotation") != nil }

  /// Whether the bookmark has no content, so that the reason has to be requested.
  var needsReason: Bool {
    !bookmark.hasArticle && bookmark.errors.isEmpty && bookmark.embed == nil
      && (bookmark.type ?? "article" == "article" || bookmark.image == nil)
  }
}
