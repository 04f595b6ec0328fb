import ArchiverCore
import ArchiverMarkup

/// Converts a comic (CBZ, CBR, CB7 or CBT: an archive of images) to static pages, one per image.
///
/// The output has the form of `EPUBConverter`'s, with `assets/` numbered in the order of the
/// archive. Pages are in the order of the comic's manifest, without one sorted by the names of images with
/// numbers compared by value, so that `2.jpg` precedes `10.jpg`.
package struct ComicConverter: Sendable {
  package let limits: EPUBLimits
  package let words: BookWords

  package init(limits: EPUBLimits = EPUBLimits(), words: BookWords = BookWords()) {
    self.limits = limits
    self.words = words
  }

  /// The library that reads comics, such as "libarchive/3.6.2"; `nil` if it is not installed.
  package static var library: String? {
    ArchiveLibrary.shared?.version().map { String(cString: $0).replacing(" ", with: "/") }
  }

  /// Reads the archive at a path and writes its pages; `title` is used if the comic has none.
  ///
  /// A damaged image becomes a note. A truncated archive gives the pages that it has, and `damage`.
  /// An archive without images, one that is encrypted or compressed in an unsupported way, or one beyond a
  /// limit throws, and the content of the sink is invalid.
  package func convert(
    path: String, title: String, to sink: any BookSink
  ) throws(EPUBError) -> ConvertedBook {
    let archive = try ComicArchive(path: path, limits: limits)
    var gathering = ComicGathering(archive, limits: limits, sink: sink)
    try gathering.run()
    let pictures = gathering.pictures
    let isLocked = gathering.lockedCount > 0 || archive.hasLockedFiles
    if isLocked, pictures.allSatisfy({ $0.output == nil }) {
      throw EPUBError(.locked, "the comic is locked with a password")
    }
    if let unsupported = gathering.unsupported, pictures.allSatisfy({ $0.output == nil }) {
      throw unsupported
    }
    guard !pictures.isEmpty else {
      let reason = archive.damage.map { ": \($0)" } ?? ""
      throw EPUBError(.malformed, "the comic has no images\(reason)")
    }
    let info = gathering.info
    let manifest = gathering.manifest
    let titles = [title, info?.metadata.title, manifest?.metadata.title, words.contents]
    let name = titles.compactMap(\.self).first { !$0.isEmpty } ?? ""
    let frame = BookFrame(
      words: words, book: name, language: nil, direction: "ltr",
      turnsLeft: (info?.isRightToLeft ?? false) || (manifest?.isRightToLeft ?? false))
    let order = ComicOrder(pictures, manifest: manifest)
    let pages = ComicPages(
      pictures: order.pictures, details: order.places.map { info?.pages[$0] },
      titles: order.titles, frame: frame)
    var notes = gathering.notes + order.notes
    if let note = ComicConverter.foreign(order.pictures) { notes.append(note) }
    if archive.isWithoutDirectory, archive.damage == nil {
      notes.append(
        "The directory of the comic's archive is damaged; its files were found without it.")
    }
    if let damage = archive.damage {
      notes.append("The comic ends before its last page: \(damage).")
    }
    return try pages.write(
      to: sink, metadata: info?.metadata ?? manifest?.metadata, notes: notes,
      damage: archive.damage)
  }

  /// Returns a note about images in formats that not every browser supports; `nil` without any.
  private static func foreign(_ pictures: [ComicGathering.Picture]) -> String? {
    var counts: [String: Int] = [:]
    for picture in pictures {
      if let name = picture.kind.foreignName { counts[name, default: 0] += 1 }
    }
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) as \($0.key)" }
    guard !parts.isEmpty else { return nil }
    return "Not every browser shows all pages of the comic: \(parts.joined(separator: ", ")). "
      + "They are kept as files that the pages link to."
  }
}
