import ArchiverCore

/// Builds the item of a bookmark and its content.
struct ItemAssembly: Sendable {
  let content: BookmarkContent
  let server: ServerAddress
  /// See `ReadeckConfiguration.pinLabel`.
  let pinLabel: String?

  /// See `ReadeckConfiguration.originals`.
  let originals: Set<OriginalType>

  init(
    _ content: BookmarkContent, base: WebURL, pinLabel: String? = nil,
    originals: Set<OriginalType> = []
  ) {
    self.originals = originals
    self.pinLabel = pinLabel?.lowercased()
    self.content = content
    server = ServerAddress(base: base, bookmark: content.bookmark)
  }

  private var bookmark: Bookmark { content.bookmark }

  func item() -> SourceItem {
    SourceItem(
      reference: ItemReference(
        id: bookmark.id, revision: bookmark.revision, title: bookmark.title,
        date: bookmark.updated?.date ?? bookmark.created?.date),
      metadata: metadata, body: body, attachments: attachments, annotations: annotations,
      record: content.record, notes: content.notes,
      missing: content.missing + unreadable + missingPicture)
  }

  private var unreadable: [MissingPart] {
    bookmark.unreadable.map { member in
      MissingPart(
        .record, name: member, reason: "Readeck sent a value of the wrong type", isPermanent: true,
        isEssential: false)
    }
  }

  private var kind: ItemMetadata.Kind {
    switch bookmark.type {
    case "photo": .photo
    case "video": .video
    default: originalFile == nil ? .article : .document
    }
  }

  private var metadata: ItemMetadata {
    var metadata = ItemMetadata(kind: kind, title: bookmark.title)
    metadata.url = bookmark.url?.filled
    metadata.site = bookmark.site?.filled
    metadata.siteName = bookmark.siteName?.filled
    metadata.authors = bookmark.authors.filter { !$0.isEmpty }
    metadata.summary = bookmark.omitsDescription ? nil : bookmark.description?.filled
    metadata.language = bookmark.language?.filled
    metadata.direction = bookmark.textDirection.flatMap(TextDirection.init)
    metadata.published = bookmark.published?.date
    metadata.added = bookmark.created?.date
    metadata.modified = bookmark.updated?.date
    metadata.labels = bookmark.labels
    metadata.isFavourite = bookmark.isMarked
    metadata.isPinned = pinLabel.map { label in
      bookmark.labels.contains { $0.lowercased() == label }
    }
    metadata.isArchived = bookmark.isArchived
    metadata.readProgress = bookmark.readProgress.map { min(max($0, 0), 100) }
    metadata.wordCount = bookmark.wordCount
    metadata.readingTime = bookmark.readingTime
    return metadata
  }

  private var original: WebURL? { bookmark.url.flatMap { WebURL($0) } }

  /// The bookmarked file itself, if it is to be fetched and Readeck has not stored its content.
  private var originalFile: Attachment? {
    guard let original, !bookmark.hasArticle, bookmark.type != "photo", bookmark.type != "video",
      let type = originals.first(where: { $0.isType(of: original) })
    else { return nil }
    var components = URLComponents()
    components.percentEncodedPath = original.path
    let name = components.path.split(separator: "/").last.map { String($0) }
    return Attachment(
      .file, .remote(original), name: name, mediaType: "application/\(type.rawValue)",
      caption: bookmark.title.filled)
  }

  private var body: ItemBody {
    let article = AnchorPrefix.removed(from: server.rebase(html: content.html))
    if kind == .video {
      return .html(VideoPage(bookmark, server: server).html(with: article), baseURL: original)
    }
    return article.isEmpty ? .none(reason: reason) : .html(article, baseURL: original)
  }

  private var reason: String {
    if kind == .photo, picture != nil { return "This bookmark is a photo and has no text." }
    guard bookmark.errors.isEmpty else {
      let errors = bookmark.errors.joined(separator: ", ")
      if originalFile != nil { return "Readeck does not store PDF files; this is the original." }
      let document =
        original?.path.lowercased().hasSuffix(".pdf") == true
        ? " Readeck does not store PDF files." : ""
      return "Readeck could not save this page: \(errors).\(document)"
    }
    return bookmark.hasArticle
      ? "Readeck\u{2019}s copy of this page is empty." : "Readeck has no text for this page."
  }

  private var picture: Bookmark.Picture? { bookmark.image ?? bookmark.thumbnail }

  /// The picture as a missing part, if its URL is invalid.
  private var missingPicture: [MissingPart] {
    guard let picture, server.rebase(picture.source) == nil else { return [] }
    let isPhoto = kind == .photo
    return [
      MissingPart(
        isPhoto ? .mainFile : .picture, name: isPhoto ? "the photo" : "the picture of the bookmark",
        reason: "Readeck sent no valid URL of it", isPermanent: true, isEssential: isPhoto)
    ]
  }

  private var attachments: [Attachment] {
    [
      attachment(kind == .photo ? .image : .cover, picture), attachment(.icon, bookmark.icon),
      originalFile,
    ]
    .compactMap(\.self)
  }

  private func attachment(
    _ role: Attachment.Role, _ picture: Bookmark.Picture?
  ) -> Attachment? {
    guard let picture, let url = server.rebase(picture.source) else { return nil }
    return Attachment(
      role, .remote(url), caption: role == .image ? bookmark.title.filled : nil,
      width: picture.width, height: picture.height)
  }

  private var annotations: [Annotation] {
    content.highlights.map { highlight in
      Annotation(
        id: highlight.id, text: highlight.text, note: highlight.note?.filled,
        color: highlight.color?.filled, created: highlight.created?.date, start: highlight.start,
        end: highlight.end)
    }
  }
}

extension String {
  /// The text; `nil` if it is empty or white space only.
  var filled: String? { allSatisfy(\.isWhitespace) ? nil : self }
}
