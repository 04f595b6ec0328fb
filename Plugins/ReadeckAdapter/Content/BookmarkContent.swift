import ArchiverCore

/// A bookmark with everything that was fetched for it.
struct BookmarkContent: Sendable {
  var bookmark: Bookmark
  /// The JSON as received.
  var record: [UInt8]
  /// The article; empty when there is none.
  var html: [UInt8] = []
  var highlights: [Highlight] = []
  var notes: [String] = []
  var missing: [MissingPart] = []

  /// Whether the article has highlights, which the sync API marks without saying more.
  var hasHighlights: Bool { html.firstIndex(of: "<rd-annotation") != nil }

  /// Whether there is nothing to show, so that the reason is worth a request.
  var needsReason: Bool {
    !bookmark.hasArticle && bookmark.errors.isEmpty && bookmark.embed == nil
      && (bookmark.type ?? "article" == "article" || bookmark.image == nil)
  }
}
