import ArchiverCore

/// What is known about a referenced object.
struct KnownObject: Sendable, Hashable {
  var title: String
  var icon: NotionIcon?
  /// Whether the integration may read it.
  var isShared = true
  var isInTrash = false
}

/// The data for rendering besides the blocks. Everything was looked up before, so that rendering
/// makes no request.
struct RenderContext: Sendable {
  /// The page or database being rendered.
  var page: NotionID?
  var title = ""
  /// The day of the run, from which relative groups of dates count; `nil` groups by month.
  var today: CalendarDay?
  /// Titles of the ancestors, outermost first.
  var path: [PathStep] = []
  var known: [NotionID: KnownObject] = [:]
  /// The databases of linked views, by the id of the view's block.
  var linkedViews: [NotionID: LinkedView] = [:]
  /// The contents of these views and of inline databases, by the same ids.
  var linkedContents: [NotionID: DatabaseContent] = [:]
  /// The pages of the originals of synced blocks, by the originals' ids.
  var synced: [NotionID: NotionID] = [:]
  /// The pages of linked comments, by the comments' ids.
  var comments: [NotionID: NotionID] = [:]
  var users: [NotionID: String] = [:]
  /// The URLs of files that are stored with the page.
  var files: Set<String> = []

  /// The databases that the page shows, sorted by their blocks' ids.
  var shownContents: [DatabaseContent] {
    linkedContents.sorted { $0.key < $1.key }.map(\.value)
  }

  struct PathStep: Sendable, Hashable {
    let id: NotionID
    let title: String
  }

  /// A database shown through a view on another page.
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
