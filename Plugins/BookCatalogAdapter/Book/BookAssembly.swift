import ArchiverCore
import ArchiverMarkup

/// Builds the item of a book.
struct BookAssembly {
  private let book: CatalogBook
  private let rules: BookRules
  private let client: CatalogClient

  private var entry: CatalogEntry { book.entry }

  /// The maximum number of pages fetched from a stream.
  private static let mostPages = 2_000

  init(_ book: CatalogBook, rules: BookRules, client: CatalogClient) {
    self.book = book
    self.rules = rules
    self.client = client
  }

  func item(_ reference: ItemReference) -> SourceItem {
    let files = book.files ?? rules.files(of: entry)
    let stream = files.isEmpty ? entry.links.first { $0.has(.stream) } : nil
    return SourceItem(
      reference: reference, metadata: metadata(files, isStream: stream != nil),
      body: body(stream), attachments: cover() + attachments(files),
      record: record(), notes: notes(files, stream: stream),
      missing: missing(stream) + unreachable(files, stream) + feeds(files, stream)
        + missingCover())
  }

  /// Returns the wanted files whose links are no `http` or `https` URLs.
  private func unreachable(_ files: [CatalogLink], _ stream: CatalogLink?) -> [MissingPart] {
    let isWithout = files.isEmpty && stream == nil
    return rules.unreachable(in: entry).filter { isWanted($0, files, stream) }.map { link in
      MissingPart(
        isWithout ? .mainFile : .file, name: "The file of \"\(entry.title)\"",
        reason: "its link in the catalog is \(told(link))",
        isPermanent: true)
    }
  }

  /// Whether the book lacks a file that has no `http` or `https` URL: it is the only one, all are wanted,
  /// or it is a part of the audiobook.
  private func isWanted(
    _ link: CatalogLink, _ files: [CatalogLink], _ stream: CatalogLink?
  ) -> Bool {
    let isWithout = files.isEmpty && stream == nil
    return isWithout || rules.takesAll || BookRules.isPart(link, of: files)
  }

  /// Returns a part for each link that promises the book and leads to a feed of the catalog. It is the
  /// book's file if nothing else is offered.
  private func feeds(_ files: [CatalogLink], _ stream: CatalogLink?) -> [MissingPart] {
    let isWithout = files.isEmpty && stream == nil && offer == nil
    return entry.links.filter(\.leadsToFeed).map { _ in
      MissingPart(
        isWithout ? .mainFile : .file, name: "The file of \"\(entry.title)\"",
        reason: "its link in the catalog leads to a feed instead of a file", isPermanent: true,
        isEssential: isWithout)
    }
  }

  /// The first link that leads to the book on a condition.
  private var offer: CatalogLink? { entry.links.first { $0.isOffer && !$0.leadsToFeed } }

  /// Returns the pages of a streamed comic that cannot be fetched, with the reason.
  private func missing(_ stream: CatalogLink?) -> [MissingPart] {
    guard let stream else { return [] }
    func part(_ pages: String, _ reason: String, isPermanent: Bool = true) -> [MissingPart] {
      let name = "\(pages) of \"\(entry.title)\""
      return [MissingPart(.mainFile, name: name, reason: reason, isPermanent: isPermanent)]
    }
    guard let address = StreamProbe.address(stream, page: 0) else {
      return part("The pages", "their URL has unknown parts")
    }
    if WebURL(address) == nil {
      return part("The pages", "their link in the catalog is \(told(stream))")
    }
    let count = stream.pageCount ?? 0
    if count <= 0 {
      // A later run may determine it.
      return part(
        "The pages", "the catalog serves them one by one and does not declare their number",
        isPermanent: false)
    }
    let most = BookAssembly.mostPages
    guard count > most else { return [] }
    return part("\(count - most) pages", "no more than \(most) pages of a stream are read")
  }

  private func metadata(_ files: [CatalogLink], isStream: Bool) -> ItemMetadata {
    let periodical = rules.periodical(entry)
    let isComic = isStream || files.first.flatMap { BookFormat($0) }?.isComic ?? false
    var metadata = ItemMetadata(
      kind: periodical != nil ? .periodical : isComic ? .comic : .book, title: entry.title)
    metadata.url = page()?.absoluteString
    metadata.site = client.base.host
    metadata.authors = entry.authors
    metadata.summary = entry.summary
    metadata.language = entry.language.flatMap(LanguageTag.tag)
    metadata.published = CatalogDate.date(entry.published)
    if periodical != nil {
      metadata.published = metadata.published ?? CatalogDate.date(IssueTitle(entry.title).date)
    }
    metadata.added = CatalogDate.date(entry.added)
    metadata.modified = CatalogDate.date(entry.updated)
    metadata.labels = entry.subjects
    metadata.isPinned = entry.subjects.contains { $0.lowercased() == "pinned" }
    metadata.series = (periodical ?? entry.series).flatMap {
      $0.name.isEmpty ? nil : ItemSeries($0.name, position: $0.position)
    }
    metadata.properties = properties(periodical)
    return metadata
  }

  /// The book's web page, if the catalog names one that is not part of the catalog itself.
  private func page() -> WebURL? {
    entry.links.first { $0.media.name == "text/html" && $0.has(.alternate) }
      .flatMap { WebURL($0.address) }
  }

  private func properties(_ periodical: CatalogEntry.Series?) -> [ItemProperty] {
    var properties = [ItemProperty]()
    if let periodical {
      properties.append(ItemProperty("Magazine", periodical.name))
      if let issue = periodical.position { properties.append(ItemProperty("Issue", issue)) }
    } else if let series = entry.series {
      let position = series.position.map { " [\($0)]" } ?? ""
      properties.append(ItemProperty("Series", series.name + position))
    }
    if let text = CatalogDate.unread(entry.published) {
      properties.append(ItemProperty("Published", text))
    }
    if let publisher = entry.publisher { properties.append(ItemProperty("Publisher", publisher)) }
    if let rating = entry.rating { properties.append(ItemProperty("Rating", rating)) }
    for identifier in entry.identifiers.prefix(10) {
      properties.append(ItemProperty("Identifier", identifier))
    }
    properties += (entry.columns ?? []).map { ItemProperty($0.name, $0.value) }
    if let rights = entry.rights { properties.append(ItemProperty("Rights", rights)) }
    return properties
  }

  private func body(_ stream: CatalogLink?) -> ItemBody {
    let base = entry.base.flatMap { WebURL($0) } ?? client.base
    var html = entry.description ?? ""
    if let stream { html += pages(stream) }
    if !html.isEmpty { return .html(Array(html.utf8), baseURL: base) }
    if let summary = entry.summary {
      var writer = HTMLWriter()
      for paragraph in summary.split(separator: "\n") where !paragraph.allSatisfy(\.isWhitespace) {
        writer.element("p", text: String(paragraph))
      }
      return .html(writer.bytes, baseURL: base)
    }
    return .none(reason: "The catalog has no description of this book.")
  }

  /// Returns the pages of a comic that is available as a stream only (OPDS-PSE 1.2), numbered from
  /// 0, as images.
  private func pages(_ stream: CatalogLink) -> String {
    var writer = HTMLWriter()
    for page in 0..<max(0, min(stream.pageCount ?? 0, BookAssembly.mostPages)) {
      guard let address = StreamProbe.address(stream, page: page) else { break }
      writer.element("p") { $0.void("img", ["src": address, "alt": "Page \(page + 1)"]) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The links of the cover, the large ones first.
  private var covers: [CatalogLink] {
    entry.links.filter { $0.has(.image) } + entry.links.filter { $0.has(.thumbnail) }
  }

  private func cover() -> [Attachment] {
    covers.lazy.compactMap(picture).first.map { [$0] } ?? []
  }

  /// Returns the image of a link: at a URL, or in a `data:` URL (OPDS 1.2 section 5.2.2); `nil` if the
  /// link is neither.
  private func picture(_ link: CatalogLink) -> Attachment? {
    if let url = WebURL(link.address) {
      return Attachment(
        .cover, .remote(url), mediaType: link.type, caption: "Cover",
        revision: book.fileRevisions[url.absoluteString])
    }
    let data = InlineImage.decode(link.address.filter { !$0.isWhitespace })
    return data.map {
      Attachment(.cover, .inline($0.bytes), mediaType: $0.mediaType, caption: "Cover")
    }
  }

  /// Returns the cover, or the large one if only a thumbnail is shown, if the catalog has links of it
  /// but none that leads to an image.
  private func missingCover() -> [MissingPart] {
    let large = covers.filter { $0.has(.image) }
    let wanted = large.isEmpty ? covers : large
    guard !wanted.contains(where: { picture($0) != nil }), let link = wanted.first else {
      return []
    }
    let isReplaced = !cover().isEmpty
    return [
      MissingPart(
        .picture, name: "The \(isReplaced ? "large cover" : "cover") of \"\(entry.title)\"",
        reason: "its link in the catalog is \(told(link))"
          + (isReplaced ? "; the thumbnail is shown instead" : ""),
        isPermanent: true, isEssential: false)
    ]
  }

  /// Says what is wrong with a broken link.
  private func told(_ link: CatalogLink) -> String {
    if link.address.isEmpty { return "empty" }
    if link.address.hasPrefix(CatalogLink.emptyData) {
      return "an image inside the catalog, which is broken or too large"
    }
    return "not an http or https URL: "
      + client.secrets.hidden(String(link.address.prefix(200)))
  }

  private func attachments(_ files: [CatalogLink]) -> [Attachment] {
    let counts = Dictionary(grouping: files, by: BookRules.format).mapValues(\.count)
    var numbers: [String: Int] = [:]
    return files.map { link in
      let format = BookRules.format(of: link)
      let number = (numbers[format] ?? 0) + 1
      numbers[format] = number
      return attachment(link, number: counts[format] == 1 ? nil : number)
    }
  }

  /// - Parameter number: The number of the file among several of one format; `nil` for a single file.
  private func attachment(_ link: CatalogLink, number: Int?) -> Attachment {
    let format = BookFormat(link)
    let title = entry.title.isEmpty ? "book" : entry.title
    // `files` contains valid URLs only.
    let url = WebURL(link.address) ?? client.base
    let ending = format?.rawValue ?? BookAssembly.ending(of: url)
    var (name, caption) = (title, format.map { "\(title) (\($0.rawValue.uppercased()))" } ?? title)
    if let number {
      name += " \(number)"
      caption += ", file \(number)"
      if let part = link.title?.trimmed.nonEmpty { caption += ": \(part)" }
    }
    var file = Attachment(
      .file, .remote(url), name: "\(name).\(ending)",
      mediaType: format?.mediaType ?? link.media.name.nonEmpty, caption: caption,
      revision: book.fileRevisions[link.address])
    file.byteCount = book.fileSizes[link.address] ?? link.length
    if book.unmarked.contains(link.address) {
      file.servedByteCount = book.fileSizes[link.address]
    }
    return file
  }

  /// Returns the ending of a file's name in a URL; `bin` without one.
  private static func ending(of url: WebURL) -> String {
    let parts = (url.path.split(separator: "/").last ?? "").split(separator: ".")
    guard parts.count > 1, let end = parts.last, (1...8).contains(end.utf8.count),
      end.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return "bin" }
    return end.lowercased()
  }

  private func notes(_ files: [CatalogLink], stream: CatalogLink?) -> [String] {
    let told = book.notes + broken(files, stream) + omitted(files)
    guard files.isEmpty, stream == nil, rules.unreachable(in: entry).isEmpty else { return told }
    // A file that only a feed is given for is a missing part.
    if offer == nil, entry.links.contains(where: \.leadsToFeed) { return told }
    let price = offer?.price.map { " (\($0))" } ?? ""
    let reason =
      switch offer {
      case let link? where link.has(.borrow): "The catalog lends this book; it was not borrowed."
      case let link? where link.has(.buy):
        "The catalog offers this book for sale\(price); it was not downloaded."
      case let link? where link.has(.subscribe): "This book needs a subscription."
      case .some:
        "The catalog offers this book only under a licence or as a loan; it was not downloaded."
      case nil: "The catalog offers no file of this book."
      }
    return told + [reason]
  }

  /// Notes the links of files that are no `http` or `https` URLs, if the book has another file instead.
  private func broken(_ files: [CatalogLink], _ stream: CatalogLink?) -> [String] {
    rules.unreachable(in: entry).filter { !isWanted($0, files, stream) }.map { link in
      "A file of this book could not be downloaded: its link in the catalog is \(told(link))."
    }
  }

  /// Notes how many files were left out because one of the same format is taken.
  private func omitted(_ files: [CatalogLink]) -> [String] {
    let links = rules.omitted(besides: files, of: entry).filter {
      !book.unavailable.contains($0.address)
    }
    let counts = Dictionary(grouping: links) { BookFormat($0)?.rawValue.uppercased() ?? "" }
      .mapValues(\.count)
    return counts.sorted { $0.key < $1.key }.map { format, count in
      let kind = format.isEmpty ? "" : "\(format) "
      return count == 1
        ? "The catalog has another \(kind)file of this book; it was not downloaded."
        : "The catalog has \(count) more \(kind)files of this book; they were not downloaded."
    }
  }

  /// Returns the entry as JSON, without credentials.
  private func record() -> [UInt8]? {
    var entry = entry
    entry.base = nil
    entry.page = nil
    entry.isShortened = nil
    entry.links = entry.links.map { link in
      var link = link
      link.address = WebURL(link.address).map(CatalogAddress.shown) ?? ""
      return link
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings and numbers can always be encoded.
    return (try? encoder.encode(entry)).map { client.secrets.hidden([UInt8]($0)) }
  }
}
