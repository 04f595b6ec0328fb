package import ArchiverCore

/// Limits on a book. Sizes are those of decompressed data, counted while reading.
package struct EPUBLimits: Sendable, Hashable {
  /// The number of entries in the archive.
  package var entries: Int
  /// The size in bytes of a page, a style sheet or another text that is read as a whole.
  package var textBytes: Int
  /// The size in bytes of an image, font, audio or video file.
  package var fileBytes: Int
  /// The total number of bytes read, including repeated reads.
  package var totalBytes: Int
  /// The compression ratio of an entry larger than a megabyte.
  package var ratio: Int
  /// The number of pages in the reading order.
  package var pages: Int
  /// The depth of the table of contents; deeper entries are left out, like those beyond
  /// `contentsEntries`.
  package var contentsDepth = 32
  /// The number of entries in the table of contents.
  package var contentsEntries = 20_000

  /// The configured limits, or the defaults.
  package init(_ limits: Limits = Limits()) {
    entries = limits[.bookEntries]
    textBytes = limits[.bookTextSize]
    fileBytes = limits[.bookFileSize]
    totalBytes = limits[.bookSize]
    ratio = limits[.bookRatio]
    pages = limits[.bookPages]
  }
}
