/// What an update of the library did.
package struct LibraryUpdate: Sendable, Hashable {
  /// Files whose bytes changed, relative to the archive.
  package var written = PathList()
  /// Files that are no longer part of the library.
  package var removed: [String] = []
  /// Bytes of the written files.
  package var byteCount = 0
}
