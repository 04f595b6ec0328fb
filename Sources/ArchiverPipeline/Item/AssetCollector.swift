import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Collects the images and files of one item, concurrently within the run's limits.
///
/// A class, so that the task of each image holds a reference: thousands of images wait at a time.
final class AssetCollector: Sendable {
  let fetcher: AssetFetcher
  let pool: ObjectPool
  let source: RunSource
  let options: RunOptions
  /// The id of the item.
  let item: String
  /// The kind of the item.
  let kind: ItemMetadata.Kind
  /// Which files to revalidate although they are still fresh.
  let revalidated: Revalidated
  /// The web page of the item; `nil` if it has none.
  let page: WebURL?
  /// The bundle whose files to use without the network; `nil` to fetch.
  let kept: KeptBundle?

  init(
    fetcher: AssetFetcher, pool: ObjectPool, source: RunSource, options: RunOptions, item: String,
    kind: ItemMetadata.Kind, revalidated: Revalidated, page: WebURL?, kept: KeptBundle?
  ) {
    self.fetcher = fetcher
    self.pool = pool
    self.source = source
    self.options = options
    self.item = item
    self.kind = kind
    self.revalidated = revalidated
    self.page = page
    self.kept = kept
  }

  enum Revalidated: Sendable {
    case none
    /// Those of the source's own server: one of them is missing, and others may have changed with it.
    case own
    /// All: the item has changed.
    case all
  }

  private enum Place: Sendable {
    case slot(Int)
    case attachment(Int)
  }

  private struct Collected: Sendable {
    let place: Place
    let url: String
    let outcome: AssetOutcome
    var isRemote = true
  }

  /// Fetches the best available image of every slot, and every attachment.
  func collect(slots: [ImageSlot], attachments: [Attachment]) async -> ItemAssets {
    var results = [Collected]()
    let delivered = AssetCollector.delivered(attachments)
    await withTaskGroup(of: Collected.self) { group in
      // A video or audio without a poster lacks no image.
      for (index, slot) in slots.enumerated() where slot.media == nil || !slot.candidates.isEmpty {
        let bytes = slot.delivered(delivered)
        group.addTask { [self] in await picture(slots[index], bytes, at: index) }
      }
      for (index, attachment) in attachments.enumerated() where !attachment.namesFiles {
        group.addTask { [self] in await file(attachment, at: index) }
      }
      for await result in group { results.append(result) }
    }
    let isNaming = attachments.contains(where: \.namesFiles)
    let names = isNaming ? fileNames(results, attachments) : FileNames()
    for (index, attachment) in attachments.enumerated() where attachment.namesFiles {
      results.append(await file(names.written(into: attachment), at: index))
    }
    var assets = assemble(results, slots: slots.count, attachments: attachments)
    assets.slotAddresses = slots.map { slot in
      guard slot.delivered(delivered) == nil, let url = slot.firstAddress else { return "" }
      return request(url, .image).cacheKey
    }
    assets.attachmentAddresses = attachments.map { attachment in
      guard case .remote(let url) = attachment.location else { return "" }
      return request(url, .image).cacheKey
    }
    return assets
  }

  /// Returns the bytes that came with the item, by the URL with which its content refers to them.
  private static func delivered(_ attachments: [Attachment]) -> [WebURL: [UInt8]] {
    var delivered: [WebURL: [UInt8]] = [:]
    for attachment in attachments {
      guard let url = attachment.address, case .inline(let bytes) = attachment.location else {
        continue
      }
      delivered[url] = delivered[url] ?? bytes
    }
    return delivered
  }

  /// Returns the paths of the fetched files in the bundle, by URL.
  private func fileNames(
    _ results: [Collected], _ attachments: [Attachment]
  ) -> FileNames {
    var names = FileNames()
    for result in results {
      // What is missing has no path; `assemble` counts it.
      guard let asset = result.outcome.asset else { continue }
      switch result.place {
      case .slot: names.add(result.url, ItemAssets.LocalFile(asset).path)
      case .attachment(let index):
        guard case .remote(let url) = attachments[index].location else { continue }
        let file = ItemAssets.LocalFile(asset, name: attachments[index].name)
        names.add(url.absoluteString, file.path)
      }
    }
    return names
  }

  /// `delivered` is the image itself if it came with the item.
  private func picture(
    _ slot: ImageSlot, _ delivered: [UInt8]?, at index: Int
  ) async -> Collected {
    if let delivered {
      return Collected(
        place: .slot(index), url: slot.firstAddress?.absoluteString ?? "",
        outcome: inline(delivered, mediaType: nil), isRemote: false)
    }
    var choice = PictureChoice()
    for candidate in slot.candidates where choice.best == nil {
      switch candidate {
      case .inline(_, let bytes) where SVGSanitizer.isBlank(bytes):
        choice.add(.failed(.placeholder), url: nil)
      case .inline(let mediaType, let bytes):
        choice.add(inline(bytes, mediaType: mediaType), url: nil)
      case .remote(let url):
        choice.add(await fetch(request(url, .image)), url: url)
      }
    }
    guard let found = choice.best ?? choice.rarelyShown else {
      return Collected(
        place: .slot(index), url: slot.firstAddress?.absoluteString ?? "",
        outcome: .failed(choice.failure))
    }
    return Collected(
      place: .slot(index), url: found.url?.absoluteString ?? "data:", outcome: found.outcome,
      isRemote: found.url != nil)
  }

  private func file(_ attachment: Attachment, at index: Int) async -> Collected {
    switch attachment.location {
    case .inline(let bytes):
      let type = attachment.mediaType ?? "application/octet-stream"
      return Collected(
        place: .attachment(index), url: attachment.name ?? "",
        outcome: inline(bytes, mediaType: attachment.role == .file ? type : nil), isRemote: false)
    case .remote(let url):
      let content: AssetRequest.Content =
        attachment.role == .file ? .file(mediaType: attachment.expectedType) : .image
      return Collected(
        place: .attachment(index), url: url.withoutQuery.absoluteString,
        outcome: await fetch(
          request(
            url, content, isMain: part(attachment) == .mainFile,
            isBook: attachment.role == .file && SeriesPlace.kinds.contains(kind))))
    }
  }

  private func request(
    _ url: WebURL, _ content: AssetRequest.Content, isMain: Bool = false,
    isBook: Bool = false
  ) -> AssetRequest {
    let revalidates =
      switch revalidated {
      case .none: false
      case .own: source.isOwn(url.absoluteString)
      case .all: true
      }
    return AssetRequest(
      url: url, content: content, limits: options.limits, item: item, secrets: source.secrets,
      revalidates: revalidates, isMain: isMain, isBook: isBook,
      page: url.origin == source.origin ? nil : page)
  }

  private func fetch(_ request: AssetRequest) async -> AssetOutcome {
    if let kept { return kept.outcome(request) }
    guard options.fetchImages else {
      return fetcher.archived(request)
        ?? .failed(
          AssetFailure(
            "images were not requested (--no-images)", isTransient: false, cause: .leftOut))
    }
    return await fetcher.fetch(request, for: source)
  }

  /// Stores bytes that came with the item; without a media type they must be an image.
  private func inline(_ bytes: [UInt8], mediaType: String?) -> AssetOutcome {
    var bytes = bytes
    var type = mediaType ?? ""
    switch ImageFormat(prefix: bytes) {
    case .svg?:
      guard let clean = SVGSanitizer.sanitize(bytes) else {
        return .failed(AssetFailure("the SVG image could not be sanitised", isTransient: false))
      }
      bytes = clean
      type = ImageFormat.svg.mediaType
    case let format?: type = format.mediaType
    case nil:
      // DjVu is a document format, although its media type is that of an image.
      if mediaType == nil || type.hasPrefix("image/") && type != DjVuPrograms.mediaType {
        return .failed(AssetFailure("its data is not an image", isTransient: false))
      }
      let prefix = Array(bytes.prefix(AssetKind.prefixLength))
      type = FileMagic.keptType(prefix, mediaType: type)
      if FileMagic.isFictionBook(prefix, type) { type = FictionBook.keptType(bytes) }
    }
    let size = ImageFormat(mediaType: type).flatMap { PixelSize(format: $0, prefix: bytes) }
    do {
      let object = try pool.store(bytes)
      let asset = CachedAsset(
        url: "", object: object, mediaType: type, width: size?.width, height: size?.height)
      return .stored(asset, bytes: 0)
    } catch {
      return .failed(AssetFailure(error))
    }
  }

  private func assemble(
    _ results: [Collected], slots: Int, attachments: [Attachment]
  ) -> ItemAssets {
    let unknown = AssetFailure("it was not fetched", isTransient: true)
    var slots: [ItemAssets.Outcome] = Array(repeating: .failure(unknown), count: slots)
    var files: [ItemAssets.Outcome] = Array(
      repeating: .failure(unknown), count: attachments.count)
    var (cached, missing, byteCount) = ([CachedAsset](), Set<ItemAssets.Missing>(), 0)
    var remembered = Set<String>()
    for item in results {
      if case .stored(_, let bytes) = item.outcome { byteCount += bytes }
      // At other hosts images often vanish; the archived ones are complete without a note.
      if case .kept(_, let failure) = item.outcome, source.isOwn(item.url),
        let part = part(item.place, attachments)
      {
        missing.insert(self.missing(item.url, part, failure.withEarlierFile))
      }
      switch (item.outcome, item.place) {
      case (.stored(let asset, _), let place), (.kept(let asset, _), let place):
        let name = name(place, attachments)
        let file = ItemAssets.LocalFile(
          asset, name: name,
          keepsName: !item.isRemote && attachments.count { $0.name == name } == 1)
        switch place {
        case .slot(let index): slots[index] = .success(file)
        case .attachment(let index): files[index] = .success(file)
        }
        if item.isRemote, remembered.insert(asset.url).inserted { cached.append(asset) }
      case (.failed(let failure), .slot(let index)):
        slots[index] = .failure(failure)
        if failure.cause == .pixel { continue }
        missing.insert(self.missing(item.url, .picture, failure))
      case (.failed(let failure), .attachment(let index)):
        files[index] = .failure(failure)
        if let part = part(item.place, attachments) {
          missing.insert(self.missing(item.url, part, failure))
        }
      }
    }
    var assets = ItemAssets(slots: slots, attachments: files)
    assets.cached = cached.sorted { $0.url < $1.url }
    assets.missing = missing.sorted { ($0.url, $0.reason) < ($1.url, $1.reason) }
    assets.byteCount = byteCount
    return assets
  }

  private func missing(
    _ url: String, _ part: MissingPart.Kind, _ failure: AssetFailure
  ) -> ItemAssets.Missing {
    let isOwn = source.isOwn(url)
    let isWanted = failure.cause != .leftOut
    return ItemAssets.Missing(
      url: source.secrets.hidden(Redaction.text(url)),
      reason: source.secrets.hidden(failure.reason),
      // What the source's own server reports as missing may appear later: it is requested for some
      // weeks.
      isTransient: failure.isTransient || isOwn && [.gone, .wrongKind].contains(failure.cause),
      kind: part,
      isEssential: isWanted && (isOwn || part != .picture),
      isUnreached: failure.cause == .unreached, isCut: failure.cause == .cut,
      address: WebURL(url).map { request($0, .image).cacheKey } ?? "")
  }

  /// Returns the kind of a file; `nil` for an icon, which is not reported.
  private func part(_ place: Place, _ attachments: [Attachment]) -> MissingPart.Kind? {
    guard case .attachment(let index) = place else { return .picture }
    return attachments[index].role == .icon ? nil : part(attachments[index])
  }

  private func part(_ attachment: Attachment) -> MissingPart.Kind {
    switch attachment.role {
    case .cover, .icon: .picture
    case .image: .mainFile
    case .file: [.book, .periodical, .comic, .document].contains(kind) ? .mainFile : .file
    }
  }

  private func name(_ place: Place, _ attachments: [Attachment]) -> String? {
    guard case .attachment(let index) = place else { return nil }
    return attachments[index].name
  }
}

extension ImageSlot {
  /// The URL that is tried first; `nil` if all candidates are inline.
  fileprivate var firstAddress: WebURL? {
    for case .remote(let url) in candidates { return url }
    return nil
  }

  /// Returns the bytes of the first URL that is among these.
  fileprivate func delivered(_ files: [WebURL: [UInt8]]) -> [UInt8]? {
    if files.isEmpty { return nil }
    for case .remote(let url) in candidates {
      if let bytes = files[url] { return bytes }
    }
    return nil
  }
}

extension Attachment {
  /// The expected type: the source's, or HTML if the name is that of a web page, which would
  /// otherwise be taken for an error page.
  fileprivate var expectedType: String? {
    if let mediaType { return mediaType }
    let name = name?.lowercased() ?? ""
    return [".html", ".htm", ".xhtml"].contains(where: name.hasSuffix) ? "text/html" : nil
  }
}
