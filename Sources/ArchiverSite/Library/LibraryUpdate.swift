/// What an update of the library did.
package struct LibraryUpdate: Sendable, Hashable {
  /// Files whose bytes changed, relative to the archive; all but the items' texts.
  package var written = PathList()
  /// Items' texts under `library/text/` whose bytes changed; a first run has as many as items.
  package var textCount = 0
  /// Files that are no longer part of the library.
  package var removed: [String] = []
  /// Bytes of the written files and texts.
  package var byteCount = 0
  /// Items that the library does not have, or not wholly, in the order of source and id; those that an
  /// earlier update left out included.
  package var troubles: [LibraryTrouble] = []
}
