import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Composes a bundle: rewritten body, reading page, records, files.
struct BundleComposer: Sendable {
  /// An item with its assets.
  struct Input: Sendable {
    let key: ItemKey
    let item: SourceItem
    let body: SanitizedHTML?
    let slots: [ImageSlot]
    let assets: ItemAssets
    let hash: ContentHash
    let existing: CatalogItem?
    /// The number of failed attempts at its missing images.
    let attempts: Int
    /// The pages made from a book among the item's files.
    let book: BookPages

    /// Whether the bundle to be replaced was edited by hand.
    let wasEdited: Bool
    /// Whether the bundle to be replaced has files that this one lacks.
    let losesFiles: Bool
    /// The digests of its highlights and comments.
    let remarks: [String]
    /// Whether the bundle to be replaced has highlights or comments that this one lacks.
    var losesRemarks = false
    /// The addresses of the item and the links of its page.
    let links: BundleLinks
    /// Whether the page is rebuilt from its own bundle, which makes no version.
    var isMadeAnew = false
    /// Whether it is held back as a version of a better copy.
    var isHeldBack = false

    var title: String { item.title(key) }

    /// Whether the bundle to be replaced becomes a version, as its content differs.
    var makesVersion: Bool {
      if isMadeAnew { return false }
      return wasEdited || losesFiles || losesRemarks
        || existing.map { !ContentHash(text: $0.contentHash).hasSameContent(as: hash) } ?? false
    }

    /// All missing parts.
    var missing: [MissingPart] { assets.missing.map(\.part) + item.missing + book.missing }

    /// A sentence about each missing part, except images that could not be fetched, which have a list
    /// of their own.
    var lossNotes: [String] {
      let parts = assets.missing.map(\.part).filter { $0.kind != .picture }
      return (parts + item.missing + book.missing).map { part in
        let name = part.name.isEmpty ? "" : " (\(part.name))"
        let lack = part.isKept == true ? "cannot be read in full" : "is missing"
        return "\(part.kind.subject)\(name) \(lack): \(part.reason)."
      }
    }

    /// What its HTML had and the page does not, counted by kind.
    var leftOut: [String: Int] {
      var losses = body?.losses ?? [:]
      let pixels = assets.slots.count { slot in
        if case .failure(let failure) = slot { failure.cause == .pixel } else { false }
      }
      if pixels > 0 { losses["pixel", default: 0] += pixels }
      return losses
    }

    /// Returns how many versions the bundle keeps: at least the edited copy, if the user edited the
    /// page.
    func keepVersions(_ options: RunOptions) -> Int {
      wasEdited ? max(1, options.keepVersions) : options.keepVersions
    }
  }

  let source: RunSource
  let options: RunOptions
  let now: Date

  /// The secrets that no file of the bundle may contain.
  private var secrets: AddressSecrets { source.secrets }

  /// A bundle ready to be staged.
  struct Composition {
    var bundle: BundleDraft
    /// The text of its page's body; `nil` if it must be read from the page.
    var text: String?
  }

  /// Returns the bundle in `folder`; `versions` are those it will have.
  func draft(
    _ input: Input, folder: String, versions: [String]
  ) throws(StorageError) -> Composition {
    let rewritten = rewritten(input)
    // Held back, the page is two directories deeper, where local links would break.
    let localised =
      input.isHeldBack
      ? nil : try input.links.localised(rewritten.html, links: input.item.links)
    let body = localised.map(\.body) ?? rewritten.html
    let links = localised?.record
    var item = catalogItem(input, folder: folder)
    item.versions = versions
    var files = input.assets.files.map {
      BundleDraft.File(path: $0.path, content: .object($0.object))
    }
    files += input.book.files
    let rendered = ReadingPage.render(
      try pageContent(input, item: item, body: body), words: options.words)
    let page = secrets.hidden(rendered)
    files.append(BundleDraft.File(path: "index.html", content: .bytes(page)))
    if let html = try input.item.keptHTML(secrets) {
      files.append(BundleDraft.File(path: DeliveredContent.htmlFile, content: .bytes(html)))
    }
    let record = try record(input, item: item).json()
    files.append(
      BundleDraft.File(path: ItemRecord.fileName, content: .bytes(secrets.hidden(record))))
    if let source = input.item.record {
      files.append(BundleDraft.File(path: "source.json", content: .bytes(source)))
    }
    var bundle = BundleDraft(
      item: item, files: files, assets: input.assets.cached,
      keepVersions: input.keepVersions(options),
      makesVersion: input.makesVersion, retryImagesAt: retryTime(input))
    bundle.links = links
    bundle.keepsHeldBack = input.isMadeAnew
    let isAsSanitised = rewritten.hasSameWords && page == rendered
    return Composition(bundle: bundle, text: isAsSanitised ? input.body?.plainText : nil)
  }

  private func record(_ input: Input, item: CatalogItem) -> ItemRecord {
    var record = ItemRecord(
      item, kind: source.kind,
      missing: input.assets.missing.filter { $0.kind == .picture }.map {
        ItemRecord.MissingImage(url: $0.url, reason: $0.reason)
      },
      assets: input.assets.records,
      links: input.item.links, graph: input.item.graph, addresses: input.item.addresses,
      notes: input.item.notes + input.book.notes, parts: input.missing,
      leftOut: input.leftOut,
      delivered: DeliveredContent(input.item, shown: item, source: source),
      generator: options.generator)
    let pixels = input.assets.pixels
    record.pixels = pixels.isEmpty ? nil : pixels
    record.remarks = input.remarks.isEmpty ? nil : input.remarks
    return record
  }

  /// Returns the body as the page shows it, and whether its text is the sanitiser's: only images
  /// were added.
  private func rewritten(_ input: Input) -> (html: [UInt8]?, hasSameWords: Bool) {
    guard let body = input.body else { return (nil, false) }
    var hasSameWords = body.hasPlainTextOfBytes
    let files = localFiles(input)
    // If a video is missing, its URL is written out for the reader.
    let slots = input.slots.map { slot in
      var slot = slot
      slot.media = slot.media.flatMap { WebURL(Redaction.text($0.absoluteString)) }
      return slot
    }
    let html = ImageRewriter.rewrite(body.bytes, slots: slots) { index in
      let slot = input.slots[index]
      if let media = slot.media, let file = files.first(where: { $0.url == media }) {
        // If a poster is missing, the video is shown without one.
        let poster = (try? input.assets.slots[index].get()).flatMap {
          $0.isShownEverywhere ? $0.path : nil
        }
        hasSameWords = false
        return .media(path: file.path, poster: poster)
      }
      switch input.assets.slots[index] {
      case .success(let file):
        // For a video it is the poster, beside which the video's URL is written.
        if slot.kind != .image, slot.kind != .background { hasSameWords = false }
        guard file.isShownEverywhere else {
          hasSameWords = false
          return .rarelyShown(
            path: file.path, mediaType: file.mediaType,
            name: ImageFormat(mediaType: file.mediaType)?.name ?? file.mediaType)
        }
        return .local(path: file.path, width: file.width, height: file.height)
      case .failure(let failure) where failure.cause == .pixel && slot.alt.isEmpty: return .drop
      case .failure(let failure):
        hasSameWords = false
        // An image without a URL shows its alternative text, as in any browser.
        let slot = input.slots[index]
        if slot.candidates.isEmpty, slot.alt.isEmpty { return .drop }
        return .missing(
          reason: failure.reason,
          originalURL: input.slots[index].originalURL.flatMap {
            WebURL(Redaction.text($0.absoluteString))
          })
      }
    }
    let clean = Redaction.html(SignedAddresses.unsigned(SignedAddresses.localised(html, files)))
    return (clean, hasSameWords && clean == html)
  }

  /// Returns the URLs of attached files and their paths in the bundle.
  private func localFiles(_ input: Input) -> [(url: WebURL, path: String)] {
    input.assets.localFiles(in: input.item.attachments).compactMap { attachment, file in
      attachment.url.map { (url: $0, path: file.path) }
    }
  }

  private func catalogItem(_ input: Input, folder: String) -> CatalogItem {
    var metadata = input.item.metadata
    input.book.complete(&metadata)
    if case .none = input.item.body { input.book.describe(&metadata) }
    if metadata.title.isEmpty { metadata.title = input.title }
    metadata.wordCount = metadata.wordCount ?? input.body?.wordCount
    if let words = metadata.wordCount, words > 0 {
      metadata.readingTime = metadata.readingTime ?? max(1, (words + 110) / 220)
    }
    let kept = input.isMadeAnew ? input.existing : nil
    var item = CatalogItem(
      key: input.key, revision: input.item.reference.revision, folder: folder,
      state: kept?.state ?? .archived, metadata: metadata,
      firstArchived: input.existing?.firstArchived ?? now,
      lastArchived: kept?.lastArchived ?? now,
      contentHash: input.hash.text, thumbnail: thumbnail(input),
      imageCount: input.assets.imageCount,
      missingImages: input.assets.missing.count { $0.kind == .picture },
      annotations: annotations(input.item.annotations, input.body), losses: Losses(input.missing),
      words: input.body?.wordCount)
    item.pageRevision = PageRenderer.revision(in: options.words, lacking: input.book.need)
    return item
  }

  /// Returns the source's highlights, or else those marked in the body. A listed one may have no
  /// mark: an article may arrive without the ids of its marks, or have changed since.
  private func annotations(_ listed: [Annotation], _ body: SanitizedHTML?) -> [Annotation] {
    let marks = body?.annotations ?? []
    guard !listed.isEmpty else {
      return marks.map { Annotation(id: $0.id, text: $0.text, note: $0.note, color: $0.color) }
    }
    let marked = Set(marks.map(\.id))
    return listed.map { annotation in
      var annotation = annotation
      annotation.isUnmarked = marked.contains(annotation.id) ? nil : true
      return annotation
    }
  }

  /// Returns the cover, or the first image of the body that is more than a decoration.
  private func thumbnail(_ input: Input) -> CatalogItem.Thumbnail? {
    let cover = input.assets.file(of: [.cover, .image], in: input.item.attachments)
    let inBody = input.assets.slots.lazy.compactMap { try? $0.get() }  // failures are no pictures
      .first { $0.isShownEverywhere && ($0.width ?? 0) >= 160 && ($0.height ?? 0) >= 90 }
    guard let file = cover ?? inBody else {
      return input.book.coverPath.map { CatalogItem.Thumbnail(path: $0, width: nil, height: nil) }
    }
    return CatalogItem.Thumbnail(path: file.path, width: file.width, height: file.height)
  }

  private func pageContent(
    _ input: Input, item: CatalogItem, body: [UInt8]?
  ) throws(StorageError) -> ReadingPageContent {
    var content = ReadingPageContent(item: item, body: pageBody(input, body))
    content.headings = (input.body?.headings ?? []).map {
      ReadingPageContent.Heading(level: $0.level, id: $0.id, text: $0.text)
    }
    content.cover = cover(input)
    content.iconPath = input.assets.file(of: [.icon], in: input.item.attachments)?.path
    content.files = files(input)
    content.missingImages = input.assets.missing.filter { $0.kind == .picture }.map {
      ReadingPageContent.MissingImage(url: $0.url, reason: $0.reason)
    }
    content.notes = input.lossNotes + input.item.notes + input.book.notes
    content.readPath = input.book.firstPath
    if SeriesPlace.kinds.contains(item.metadata.kind) {
      content.readPath = content.readPath ?? input.book.wholePath
    }
    content.contentsPath = input.book.contentsPath
    content.style = source.properties.contentStyle
    if input.isHeldBack {
      content.currentVersionPath = "../../index.html"
      content.libraryPath = "../../../../index.html"
    } else {
      content.backlinks = try input.links.backlinks()
    }
    return content
  }

  private func pageBody(_ input: Input, _ body: [UInt8]?) -> ReadingPageContent.Body {
    if let body { return .html(body) }
    if case .none(let reason) = input.item.body { return .none(reason: reason) }
    return .none(reason: "The source delivered no text.")
  }

  /// Returns the image above the body: the image itself for an image item, unless the body shows it,
  /// otherwise the cover. An article whose body has images gets none, as the cover usually is one of them at another size;
  /// the cover of a workspace's page never is.
  private func cover(_ input: Input) -> ReadingPageContent.Picture? {
    let attachments = input.item.attachments
    let inBody = Set(input.assets.slots.compactMap { try? $0.get().path })
    var role = Attachment.Role.image
    var file = input.assets.file(of: [role], in: attachments)
    if let path = file?.path, inBody.contains(path) { file = nil }
    let isApart = [.page, .database].contains(input.item.metadata.kind)
    if file == nil, isApart || input.slots.isEmpty {
      role = .cover
      file = input.assets.file(of: [role], in: attachments)
    }
    guard let file else {
      guard input.slots.isEmpty, let path = input.book.coverPath else { return nil }
      return ReadingPageContent.Picture(path: path, alt: "")
    }
    // The files of others may be the same.
    let shown = zip(attachments, input.assets.attachments).first { attachment, result in
      attachment.role == role && (try? result.get().path) == file.path
    }
    return ReadingPageContent.Picture(
      path: file.path, width: file.width, height: file.height, alt: shown?.0.caption ?? "")
  }

  /// Returns the attached files, and the images that neither the text nor the top of the page shows.
  private func files(_ input: Input) -> [ReadingPageContent.File] {
    // Failures have no path.
    var shown = Set(input.assets.slots.compactMap { try? $0.get().path })
    if let cover = cover(input) { shown.insert(cover.path) }
    return zip(input.item.attachments, input.assets.attachments).compactMap { attachment, result in
      guard case .success(let file) = result,
        attachment.role == .file
          || attachment.role == .image && !(file.isShownEverywhere && shown.contains(file.path))
      else { return nil }
      let name = attachment.caption ?? attachment.name ?? file.path
      return ReadingPageContent.File(
        path: file.path, name: file.isUnexpected ? "Sent instead of \(name)" : name,
        mediaType: file.mediaType, byteCount: file.object.byteCount, sha256: file.object.sha256,
        origin: file.asset.url.isEmpty ? nil : Redaction.text(file.asset.url))
    }
  }

  /// Returns when to retry what is missing; `nil` if nothing is, or after the maximum number of
  /// attempts. If the server was unreachable, the next run retries.
  private func retryTime(_ input: Input) -> Date? {
    let isOnlyLeftOut = !options.fetchImages && input.missing.allSatisfy { $0.kind == .picture }
    guard !isOnlyLeftOut, input.missing.contains(where: { !$0.isPermanent }),
      input.attempts + 1 < options.limits[.attempts]
    else { return nil }
    return input.assets.isUnreached
      ? now : RetrySchedule.next(attempts: input.attempts + 1, now: now)
  }
}

extension MissingPart.Kind {
  /// The missing part, as the subject of a sentence.
  fileprivate var subject: String {
    switch self {
    case .text: "The text"
    case .mainFile: "The file"
    case .file: "An attached file"
    case .picture: "An image"
    case .children: "A part of the page"
    case .comments: "A part of the comments"
    case .record: "A part of its metadata"
    }
  }
}

extension ItemAssets {
  /// The number of distinct images in the bundle.
  fileprivate var imageCount: Int { files.count { $0.mediaType.hasPrefix("image/") } }

  /// Returns the file of the first fetched attachment with one of these roles.
  fileprivate func file(
    of roles: Set<Attachment.Role>, in wanted: [Attachment]
  ) -> LocalFile? {
    for (attachment, result) in zip(wanted, attachments) where roles.contains(attachment.role) {
      if case .success(let file) = result, file.isShownEverywhere { return file }
    }
    return nil
  }
}
