package import ArchiverCore

/// The most a book may ask for. Bytes are those that come out of the archive, counted as they come.
package struct EPUBLimits: Sendable, Hashable {
  /// Entries of the archive.
  package var entries: Int
  /// Bytes of a page, a style sheet or any other text that is read as a whole.
  package var textBytes: Int
  /// Bytes of a picture, font, sound or film.
  package var fileBytes: Int
  /// Bytes of everything that is read, each time it is read.
  package var totalBytes: Int
  /// How many times larger than packed an entry may become, once it has more than a megabyte.
  package var ratio: Int
  /// Pages in reading order.
  package var pages: Int
  /// Levels of the table of contents; what is deeper is left out, as is what goes beyond the entries.
  package var contentsDepth = 32
  /// Entries of the table of contents.
  package var contentsEntries = 20_000

  /// What the user set, or the standard.
  package init(_ limits: Limits = Limits()) {
    entries = limits[.bookEntries]
    textBytes = limits[.bookTextSize]
    fileBytes = limits[.bookFileSize]
    totalBytes = limits[.bookSize]
    ratio = limits[.bookRatio]
    pages = limits[.bookPages]
  }
}
