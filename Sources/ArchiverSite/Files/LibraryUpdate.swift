/// The result of an update of the library.
package struct LibraryUpdate: Sendable, Hashable {
  /// Files whose bytes changed, relative to the archive, without the items' texts.
  package var written: [String] = []
  /// The number of items' texts under `library/text/` whose bytes changed. In a first run, that is
  /// all of them.
  package var textCount = 0
  /// Files that are no longer part of the library.
  package var removed: [String] = []
  /// Bytes of the written files and texts.
  package var byteCount = 0
  /// Items that are missing from the library or incomplete in it, by source and id, including those
  /// that an earlier update left out.
  package var troubles: [LibraryTrouble] = []
}
