package import ArchiverStorage

/// An item that the library lacks or shows incompletely, with the reason.
package struct LibraryTrouble: Sendable, Hashable {
  package let key: ItemKey
  /// The reason as a sentence without its final full stop.
  package let reason: String
  /// Whether lists show it, although its text is not searchable.
  package let isListed: Bool
}
