import ArchiverCore
import ArchiverMarkup

/// Turns a comic archive (CBZ: a ZIP of pictures) into static pages, one for each picture.
///
/// The output has the form of `EPUBConverter`'s. Pictures go by their names, numbers in them by
/// value, so that `2.jpg` comes before `10.jpg`.
package struct ComicConverter: Sendable {
  package let limits: EPUBLimits
  package let words: BookWords

  package init(limits: EPUBLimits = EPUBLimits(), words: BookWords = BookWords()) {
    self.limits = limits
    self.words = words
  }

  /// Reads the archive at a path and writes its pages; `title` names them.
  ///
  /// A damaged picture becomes a note; an archive that is cut short, holds no picture or goes beyond a limit
  /// throws, and what the sink then has is void.
  package func convert(
    path: String, title: String, to sink: any BookSink
  ) throws(EPUBError) -> ConvertedBook {
    let archive = try ZipArchive(path: path, limits: limits)
    let pictures = ComicConverter.order(
      archive.names.filter { name in
        !ComicConverter.isShadow(name) && FileType.of(path: name, mediaType: nil)?.kind == .image
      })
    let hidden = ComicConverter.unshown(archive)
    guard !pictures.isEmpty else {
      throw EPUBError(
        .malformed,
        "The comic has no pictures" + (hidden.map { " that browsers show: \($0)" } ?? ""))
    }
    guard pictures.count <= limits.pages else {
      throw .limit("The comic has \(pictures.count) pages", .bookPages, limits.pages)
    }
    let plan = pictures.enumerated().map { index, name in
      PlannedPage(
        entry: name, file: BookReferences.number(index + 1) + ".html", kind: .image,
        isLinear: true, isFixedLayout: false)
    }
    let frame = BookFrame(
      words: words, book: title.isEmpty ? words.contents : title, language: nil, direction: "ltr",
      turnsLeft: isRightToLeft(archive))
    return try write(
      plan, frame: frame, archive: archive,
      notes: hidden.map { ["The comic has pages that browsers do not show: \($0)."] } ?? [],
      to: sink)
  }

  /// Whether a file holds what macOS keeps of another one (AppleDouble).
  private static func isShadow(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return parts.contains("__MACOSX") || parts.last?.hasPrefix("._") ?? false
  }

  /// Counts the pictures of kinds that browsers do not show; `nil` when there is none.
  private static func unshown(_ archive: ZipArchive) -> String? {
    var counts: [String: Int] = [:]
    for name in archive.names where !isShadow(name) {
      let ending = name.split(separator: ".").last?.lowercased() ?? ""
      if let kind = unshownKinds[ending] { counts[kind, default: 0] += 1 }
    }
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) as \($0.key)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static let unshownKinds = [
    "tif": "TIFF", "tiff": "TIFF", "jxl": "JPEG XL", "jp2": "JPEG 2000", "j2k": "JPEG 2000",
    "heic": "HEIC", "heif": "HEIC", "tga": "TGA", "psd": "PSD", "pcx": "PCX",
  ]

  /// Whether a comic is read from right to left, by what ComicRack writes beside its pictures.
  private func isRightToLeft(_ archive: ZipArchive) -> Bool {
    // What cannot be read says nothing; the pictures are the comic.
    guard let name = archive.name(matching: "ComicInfo.xml"),
      let bytes = try? archive.text(name),
      let document = try? XMLDocument(bytes, recovering: true), !document.declaresEntities
    else { return false }
    return document.root?.child("Manga")?.words.lowercased() == "yesandrighttoleft"
  }

  private func write(
    _ plan: [PlannedPage], frame: BookFrame, archive: ZipArchive, notes: [String],
    to sink: any BookSink
  ) throws(EPUBError) -> ConvertedBook {
    let references = BookReferences(archive: archive)
    var words = words
    words.part = words.page
    let titles = PageTitles([], plan: plan, words: words)
    for index in plan.indices {
      let page = PageWriter(
        page: plan[index], references: references, frame: frame,
        previous: neighbour(plan, index - 1, titles), next: neighbour(plan, index + 1, titles),
        title: titles.title(index))
      try sink.write("text/" + plan[index].file, page.image())
    }
    try sink.write("style/page.css", Array(BookStyle.sheet.utf8))
    let contents = ContentsPage(frame: frame, references: references, titles: titles, plan: plan)
    try sink.write("text/contents.html", contents.render([]))
    var notes = notes
    for asset in references.assets {
      do throws(EPUBError) {
        try sink.copy(asset.entry, of: archive, to: asset.output)
      } catch  where error.code == .damaged {
        notes.append(error.message + ".")
      }
    }
    return ConvertedBook(
      metadata: BookMetadata(title: frame.book),
      pages: plan.indices.map {
        ConvertedBook.Page(path: "text/" + plan[$0].file, title: titles.title($0))
      }, contentsPath: "text/contents.html", coverPath: references.assets.first?.output,
      protection: nil, notes: notes)
  }

  private func neighbour(
    _ plan: [PlannedPage], _ index: Int, _ titles: PageTitles
  ) -> BookFrame.Neighbour? {
    guard plan.indices.contains(index) else { return nil }
    return BookFrame.Neighbour(file: plan[index].file, title: titles.title(index))
  }

  /// Returns names in the order people count.
  static func order(_ names: [String]) -> [String] {
    names.map { (name: $0, key: key($0)) }.sorted { one, other in
      for (left, right) in zip(one.key, other.key) where left != right { return left < right }
      return (one.key.count, one.name) < (other.key.count, other.name)
    }.map(\.name)
  }

  /// Runs of digits filled up with zeros to one length, everything else in lower case.
  private static func key(_ name: String) -> [String] {
    var parts = [String]()
    var digits = ""
    func flush() {
      guard !digits.isEmpty else { return }
      let value = String(digits.drop { $0 == "0" })
      parts.append(String(repeating: "0", count: max(0, 20 - value.count)) + value)
      digits = ""
    }
    for character in name.lowercased() {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        flush()
        parts.append(String(character))
      }
    }
    flush()
    return parts
  }
}

extension BookSink {
  /// Streams an entry of the archive into a file.
  func copy(_ entry: String, of archive: ZipArchive, to path: String) throws(EPUBError) {
    do { try begin(path) } catch { throw EPUBError.sink(path, error) }
    try archive.stream(entry) { piece throws(EPUBError) in
      do { try self.receive(piece) } catch { throw EPUBError.sink(path, error) }
    }
    do { try end() } catch { throw EPUBError.sink(path, error) }
  }
}

extension EPUBError {
  static func sink(_ path: String, _ error: any Error) -> EPUBError {
    EPUBError(.sink, "The file \(path) of the book could not be stored", underlying: error)
  }
}
