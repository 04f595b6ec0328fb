import ArchiverEPUB

/// What is not installed and would make the pages of a book.
///
/// The catalog records it with the revision of the item's pages, so that a run after the installation
/// makes them.
enum PageNeed: Int, Sendable, CaseIterable {
  /// `ebook-convert`.
  case bookProgram = 1
  /// DjVuLibre's programs, or `ebook-convert`.
  case djvuPrograms
  /// libarchive.
  case comicLibrary

  /// Whether it is installed.
  func isMet(_ options: RunOptions) -> Bool {
    switch self {
    case .bookProgram: options.bookProgram != nil
    case .djvuPrograms: options.djvuPrograms != nil || options.bookProgram != nil
    case .comicLibrary: ComicConverter.library != nil
    }
  }

  /// Returns what would make pages of a file; `nil` for a file of which nothing makes pages.
  init?(mediaType: String) {
    if mediaType == DjVuPrograms.mediaType {
      self = .djvuPrograms
    } else if BookProgram.reads(mediaType) {
      self = .bookProgram
    } else {
      return nil
    }
  }
}
