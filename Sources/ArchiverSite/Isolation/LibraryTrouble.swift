package import ArchiverStorage

/// An item that the library does not have, or not wholly, and why.
package struct LibraryTrouble: Sendable, Hashable {
  package let key: ItemKey
  /// Why, as a sentence without its end.
  package let reason: String
  /// Whether lists show it, while its words are not found.
  package let isListed: Bool
}
