/// The most a book may ask for. Bytes are those that come out of the archive, counted as they come.
package struct EPUBLimits: Sendable, Hashable {
  /// Entries of the archive.
  package var entries = 10_000
  /// Bytes of a page, a style sheet or any other text that is read as a whole.
  package var textBytes = 16 << 20
  /// Bytes of a picture, font, sound or film.
  package var fileBytes = 512 << 20
  /// Bytes of everything that is read, each time it is read.
  package var totalBytes = 2 << 30
  /// How many times larger than packed an entry may become, once it has more than a megabyte.
  package var ratio = 200
  /// Pages in reading order.
  package var pages = 5_000
  /// Levels of the table of contents.
  package var contentsDepth = 32
  /// Entries of the table of contents.
  package var contentsEntries = 20_000

  package init() {}
}
