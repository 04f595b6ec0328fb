import ArchiverCore
import ArchiverMarkup

/// The conversion of one book.
final class BookConversion {
  /// The maximum size in bytes of an obfuscated font, the only file that is read as a whole.
  private static let largestFont = 32_000_000

  let archive: ZipArchive
  let package: PackageDocument
  let converter: EPUBConverter
  let references: BookReferences
  let plan: [PlannedPage]
  let frame: BookFrame
  let encryption: Encryption
  let sink: any BookSink
  private var sheets: BookStyleSheets
  private let spreads: FixedSpreads
  /// The numbers of printed pages by entry and id; an empty id is the beginning of the file.
  private var pageNumbers: [String: [String: String]] = [:]
  /// Sentences about what is missing from the pages.
  var notes: [String] = []

  init(
    archive: ZipArchive, package: PackageDocument, encryption: Encryption,
    converter: EPUBConverter, sink: any BookSink
  ) {
    self.archive = archive
    self.package = package
    self.encryption = encryption
    self.converter = converter
    self.sink = sink
    plan = PlannedPage.plan(package, archive)
    var types: [String: String] = [:]
    var fallbacks: [String: String] = [:]
    // Some books declare a file several times; the first declaration counts, as for spine and covers.
    for item in package.manifest {
      guard let path = item.path.flatMap({ archive.name(matching: $0) }) else { continue }
      if types[path] == nil { types[path] = item.mediaType }
      if fallbacks[path] == nil {
        fallbacks[path] = item.fallback.flatMap { package.items[$0]?.path }
          .flatMap { archive.name(matching: $0) }
      }
    }
    references = BookReferences(
      archive: archive, mediaTypes: types, fallbacks: fallbacks, plan: plan,
      contents: [package.navigation, package.ncx].compactMap { path in
        path.flatMap { archive.name(matching: $0) }
      }, mostPages: converter.limits.pages)
    let title = package.metadata.title
    frame = BookFrame(
      words: converter.words, book: title.isEmpty ? converter.words.contents : title,
      language: package.metadata.language.flatMap { ContentVocabulary.isPlain($0) ? $0 : nil },
      direction: BookFrame.direction(package.metadata.language),
      turnsLeft: package.isRightToLeft)
    sheets = BookStyleSheets(archive: archive, references: references)
    spreads = FixedSpreads(plan, turnsLeft: package.isRightToLeft) { page in
      // A page that cannot be read is reported when it is written.
      guard page.kind == .text || page.kind == .drawing, let bytes = try? archive.text(page.entry)
      else { return nil }
      return (try? XHTMLDocument.parse(bytes).document)?.root.flatMap { PageSize($0) }
    }
  }

  func run() throws(EPUBError) -> ConvertedBook {
    noteFaults()
    guard !plan.isEmpty else {
      throw EPUBError(.malformed, "the book has no pages in its reading order")
    }
    let ways = try BookWays(package, archive, limits: converter.limits, xhtml: readable)
    notes += ways.notes
    for (kind, count) in ways.losses { references.lose(kind, count) }
    let own = ways.ownPage.flatMap { references.ownPage(of: $0) }
    pageNumbers = ways.pageNumbers
    let contents = ways.contents
    var titles = PageTitles(contents, plan: plan, words: converter.words)
    for index in plan.indices { try writePage(index, titles: &titles) }
    let page = ContentsPage(frame: frame, references: references, titles: titles, plan: plan)
    try sink.write("text/" + BookReferences.contents, page.render(ways, own: own))
    let added = try writeAdded(titles)
    noteUnlinked()
    try sink.write("style/page.css", Array(BookStyle.sheet.utf8))
    for (path, css) in sheets.written { try sink.write(path, Array(css.utf8)) }
    let pages = plan.indices.map {
      ConvertedBook.Page(path: "text/" + plan[$0].file, title: titles.title($0))
    }
    let cover = coverPath()
    let lost = try writeAssets()
    // What pages lack, by kind, and what only some browsers show.
    notes += [references.lossNote, references.rareNote].compactMap(\.self)
    return ConvertedBook(
      metadata: package.metadata, pages: pages + added, contentsPath: "text/contents.html",
      coverPath: cover.flatMap { lost.contains($0) ? nil : $0 }, protection: nil, notes: notes,
      damage: archive.damage)
  }

  func xhtml(_ path: String) throws(EPUBError) -> XMLDocument? {
    guard var bytes = try archive.text(path) else { return nil }
    if PlannedPage.isPlain(path) { bytes = BookConversion.preformatted(bytes) }
    do throws(MarkupError) {
      return try XHTMLDocument.parse(bytes).document
    } catch {
      notes.append("\(path) could not be read: \(error.message).")
      return nil
    }
  }

  /// Returns the document of an entry; `nil` if it is missing or, with a note, if it cannot be read.
  private func readable(_ path: String) throws(EPUBError) -> XMLDocument? {
    do throws(EPUBError) {
      return try xhtml(path)
    } catch  where error.isOfOneEntry {
      notes.append(error.message + ".")
      return nil
    }
  }

  /// Returns a page with text that has no markup.
  private static func preformatted(_ text: [UInt8]) -> [UInt8] {
    let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF])
    let escaped = text.dropFirst(isMarked ? 3 : 0).flatMap { byte in
      byte == 0x26 ? Array("&amp;".utf8) : byte == 0x3C ? Array("&lt;".utf8) : [byte]
    }
    return Array("<pre>\n".utf8) + escaped + Array("</pre>".utf8)
  }

  /// The content of a page.
  private enum Content {
    case document(XMLDocument)
    case picture
    /// No content, with the reason, and the URL of the file if the pages have it.
    case absent(String, file: String? = nil)
  }

  private func writePage(_ index: Int, titles: inout PageTitles) throws(EPUBError) {
    let page = plan[index]
    let content = try content(of: page)
    titles.learn(title(of: content), of: page.entry)
    var writer = PageWriter(
      page: page, references: references, frame: frame, previous: neighbour(index, -1, titles),
      next: neighbour(index, 1, titles), title: titles.title(index))
    writer.mate = spreads.mate(of: index, title: titles.title)
    if writer.mate != nil {
      writer.spread = BookFrame.Spread(
        previous: spreads.neighbour(of: index, -1).map { neighbour($0, titles) },
        next: spreads.neighbour(of: index, 1).map { neighbour($0, titles) }, isFramed: true)
    }
    try write(content, writer)
  }

  /// Writes pages that others link to and that are not in the reading order.
  private func writeAdded(_ titles: PageTitles) throws(EPUBError) -> [ConvertedBook.Page] {
    var pages = [ConvertedBook.Page]()
    while pages.count < references.added.count {
      let page = references.added[pages.count]
      let content = try content(of: page)
      let title = titles.title(of: page.entry) ?? title(of: content) ?? frame.book
      try write(
        content,
        PageWriter(
          page: page, references: references, frame: frame, previous: nil, next: nil, title: title))
      pages.append(ConvertedBook.Page(path: "text/" + page.file, title: title))
    }
    return pages
  }

  private func content(of page: PlannedPage) throws(EPUBError) -> Content {
    let words = converter.words
    switch page.kind {
    case .image: return .picture
    case .missing:
      notes.append("\(page.entry) is missing from the book.")
      return .absent(words.missing)
    case .unknown:
      notes.append("\(page.entry) has a format that browsers do not show.")
      return .absent(words.unreadable.filled(page.entry), file: references.linked(page.entry))
    case .text, .drawing:
      do throws(EPUBError) {
        return try xhtml(page.entry).map { .document($0) }
          ?? .absent(words.unreadable.filled(page.entry))
      } catch  where error.isOfOneEntry {
        notes.append(error.message + ".")
        return .absent(words.unreadable.filled(error.message))
      }
    }
  }

  private func title(of content: Content) -> String? {
    guard case .document(let document) = content else { return nil }
    return PageTitles.title(of: document, in: frame.book)
  }

  private func write(_ content: Content, _ writer: PageWriter) throws(EPUBError) {
    let bytes: [UInt8]
    switch content {
    case .picture: bytes = writer.image(words: try words(insteadOf: writer.page.entry))
    case .absent(let reason, let file): bytes = writer.absent(reason, file: file)
    case .document(let document):
      var writer = writer
      writer.sounds = sounds(of: writer.page)
      writer.pageNumbers = pageNumbers[writer.page.entry] ?? [:]
      bytes = try writer.chapter(document, sheets: &sheets)
    }
    try sink.write("text/" + writer.page.file, bytes)
  }

  /// The maximum length in bytes of an image's alternative text.
  private static let mostWords = 2_000

  /// Returns the text that is the fallback of an image in the reading order.
  private func words(insteadOf entry: String) throws(EPUBError) -> String? {
    guard let path = references.fallback(of: entry), PlannedPage.isText(path) else { return nil }
    let words = try readable(path)?.root?.child("body")?.words ?? ""
    return words.isEmpty || words.utf8.count > BookConversion.mostWords ? nil : words
  }

  /// The maximum number of audio files of one page.
  private static let mostSounds = 100

  /// Returns the URLs of the audio of a page (EPUB 3.3 section 9), each file once with the time from
  /// its first clip to its last one on this page, without synchronisation with the text.
  private func sounds(of page: PlannedPage) -> [String] {
    guard let overlay = page.overlay else { return [] }
    let elements: [XMLElement]
    let path = archive.name(matching: overlay) ?? overlay
    do {
      guard let bytes = try archive.text(path) else {
        references.lose("recordings")
        return []
      }
      elements = try XMLDocument(bytes, recovering: true).root?.descendants("audio") ?? []
    } catch {
      notes.append("The audio of \(page.entry) could not be read.")
      return []
    }
    var order: [String] = []
    var clips: [String: SoundClip] = [:]
    for element in elements {
      let source = element.attribute("src")?.prefix { $0 != "#" && $0 != "?" } ?? ""
      guard let address = references.asset(String(source), from: path, kinds: [.audio]),
        clips[address] != nil || order.count < BookConversion.mostSounds
      else {
        references.loseStyled(String(source), from: path, "recordings")
        continue
      }
      if clips[address] == nil { order.append(address) }
      let clip = SoundClip(element)
      clips[address] = clips[address]?.joined(clip) ?? clip
    }
    return order.map { $0 + (clips[$0]?.fragment ?? "") }
  }

  /// Returns the next page of the linear order in a direction, also for a page outside of it, such
  /// as a cover: otherwise that page would have no links.
  private func neighbour(
    _ index: Int, _ step: Int, _ titles: PageTitles
  ) -> BookFrame.Neighbour? {
    var next = index + step
    while plan.indices.contains(next), !plan[next].isLinear { next += step }
    return plan.indices.contains(next) ? neighbour(next, titles) : nil
  }

  private func neighbour(_ index: Int, _ titles: PageTitles) -> BookFrame.Neighbour {
    BookFrame.Neighbour(file: plan[index].file, title: titles.title(index))
  }

  /// Writes the files that pages use. Returns the paths of unreadable ones.
  private func writeAssets() throws(EPUBError) -> Set<String> {
    var lost = Set<String>()
    var index = 0
    while index < references.assets.count {
      let asset = references.assets[index]
      index += 1
      do throws(EPUBError) {
        if try !writeAsset(asset) { lost.insert(asset.output) }
      } catch  where error.isOfOneEntry {
        notes.append(error.message + ".")
        lost.insert(asset.output)
      }
    }
    return lost
  }

  private func writeAsset(_ asset: BookReferences.Asset) throws(EPUBError) -> Bool {
    if let scheme = encryption.locked[asset.entry] {
      references.lose("files locked by \(scheme)")
      return false
    }
    if asset.kind == .drawing { return try writeDrawing(asset) }
    if let bytes = asset.bytes {
      try sink.write(asset.output, bytes)
      return true
    }
    guard let (obfuscation, key) = try fontKey(asset) else {
      let size = try sink.copy(asset.entry, of: archive, to: asset.output)
      if size == 0 { notes.append("The file \(asset.entry) of the book is empty.") }
      return size > 0
    }
    var font = [UInt8]()
    try archive.stream(asset.entry) { piece throws(EPUBError) in
      guard font.count + piece.count <= BookConversion.largestFont else {
        throw EPUBError(
          .damaged,
          "the font \(asset.entry) is too large \(Limit.fixed(bytes: BookConversion.largestFont))")
      }
      font += piece
    }
    obfuscation.reveal(&font, key: key)
    try sink.write(asset.output, font)
    return true
  }

  private func fontKey(
    _ asset: BookReferences.Asset
  ) throws(EPUBError) -> (FontObfuscation, [UInt8])? {
    guard let obfuscation = encryption.fonts[asset.entry] else { return nil }
    let identifiers = package.metadata.identifiers
    guard let key = obfuscation.key(identifiers: identifiers, sha1: converter.sha1), !key.isEmpty
    else {
      throw EPUBError(.damaged, "the font \(asset.entry) is obfuscated and its key is not known")
    }
    return (obfuscation, key)
  }
}
