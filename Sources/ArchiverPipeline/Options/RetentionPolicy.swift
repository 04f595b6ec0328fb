package import ArchiverCore

/// The conditions under which items are removed; each alone suffices.
package struct RetentionPolicy: Sendable {
  /// Keep this many items: those added to their source last.
  package var keep: Int?
  /// Remove what was archived before this time.
  package var archivedBefore: Date?
  /// Remove items, those added to their source first, until the bundles' total size is at most this
  /// many bytes.
  package var maxBytes: Int?
  /// Only items of these sources. If empty, of all, as one list.
  package var sources: Set<String>
  /// Whether favourites and items with highlights may be removed too.
  package var includesProtected: Bool

  package init(
    keep: Int? = nil, archivedBefore: Date? = nil, maxBytes: Int? = nil,
    sources: Set<String> = [], includesProtected: Bool = false
  ) {
    self.keep = keep
    self.archivedBefore = archivedBefore
    self.maxBytes = maxBytes
    self.sources = sources
    self.includesProtected = includesProtected
  }
}
