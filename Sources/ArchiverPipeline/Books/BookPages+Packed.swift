import ArchiverEPUB
import ArchiverStorage

extension BookPages.Kind {
  /// Whether it is an archive with a book in it.
  var isPacked: Bool {
    switch self {
    case .packedZip, .packedRar, .packed7z, .packedTar: true
    default: false
    }
  }
}

extension BookPages {
  /// Makes pages of a book that has to be unpacked first. The file is kept as it is. `nil` if there is no such book
  /// in it, or if its converter reads the file itself.
  static func unpacked(
    _ kind: Kind, _ path: String, title: String, _ conversion: Conversion
  ) throws(StorageError) -> BookPages? {
    guard
      kind.isPacked
        || kind == .epub
          && PackedBook.hasForeignCompression(path: path, limits: conversion.limits)
    else { return nil }
    let folder = conversion.pool.makeWorkFolder()
    defer { folder.discard() }
    let book: PackedBook
    do throws(EPUBError) {
      guard
        let found = try PackedBook(path: path, folder: folder.path, limits: conversion.limits)
      else { return nil }
      book = found
    } catch {
      if error.code == .sink { throw StorageError(.io, error.message) }
      // The converter of EPUB reads, and tells, what can be read without unpacking.
      return kind.isPacked ? unread(error) : nil
    }
    let inner = book.kind == .epub ? Kind.epub : .fictionBook
    var pages = try make(inner, book.path, title: title, conversion)
    pages.notes += book.notes
    return pages
  }
}
