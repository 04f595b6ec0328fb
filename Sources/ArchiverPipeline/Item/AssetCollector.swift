import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Gets the pictures and files of one item, all at once as far as the run's limits allow.
struct AssetCollector: Sendable {
  let fetcher: AssetFetcher
  let pool: ObjectPool
  let source: RunSource
  let options: RunOptions
  /// The id of the item.
  let item: String

  private enum Place: Sendable {
    case slot(Int)
    case attachment(Int)
  }

  private struct Collected: Sendable {
    let place: Place
    let url: String
    let result: Result<CachedAsset, AssetFailure>
    let isRemote: Bool
    let byteCount: Int
  }

  /// Fetches every slot's best obtainable picture and every attachment.
  func collect(slots: [ImageSlot], attachments: [Attachment]) async -> ItemAssets {
    var results = [Collected]()
    await withTaskGroup(of: Collected.self) { group in
      // A film or sound without a poster has no picture to miss.
      for (index, slot) in slots.enumerated() where slot.media == nil || !slot.candidates.isEmpty {
        group.addTask { await picture(slot, at: index) }
      }
      for (index, attachment) in attachments.enumerated() {
        group.addTask { await file(attachment, at: index) }
      }
      for await result in group { results.append(result) }
    }
    return assemble(results, slots: slots.count, attachments: attachments)
  }

  private func picture(_ slot: ImageSlot, at index: Int) async -> Collected {
    var failure = AssetFailure("it has no address", isTransient: false)
    var first = ""
    for candidate in slot.candidates {
      switch candidate {
      case .inline(let mediaType, let bytes):
        return Collected(
          place: .slot(index), url: "data:", result: inline(bytes, mediaType: mediaType),
          isRemote: false, byteCount: 0)
      case .remote(let url):
        if first.isEmpty { first = url.absoluteString }
        switch await fetch(url, content: .image) {
        case .stored(let asset, let bytes):
          return Collected(
            place: .slot(index), url: url.absoluteString, result: .success(asset), isRemote: true,
            byteCount: bytes)
        case .failed(let new):
          failure = AssetFailure(
            new.reason, isTransient: failure.isTransient || new.isTransient,
            storage: failure.storage ?? new.storage, isExpired: failure.isExpired || new.isExpired)
        }
      }
    }
    return Collected(
      place: .slot(index), url: first, result: .failure(failure), isRemote: true, byteCount: 0)
  }

  private func file(_ attachment: Attachment, at index: Int) async -> Collected {
    switch attachment.location {
    case .inline(let bytes):
      let type = attachment.mediaType ?? "application/octet-stream"
      return Collected(
        place: .attachment(index), url: attachment.name ?? "",
        result: inline(bytes, mediaType: attachment.role == .file ? type : nil), isRemote: false,
        byteCount: 0)
    case .remote(let url):
      let content: AssetRequest.Content =
        attachment.role == .file ? .file(mediaType: attachment.mediaType) : .image
      let (result, bytes): (Result<CachedAsset, AssetFailure>, Int) =
        switch await fetch(url, content: content) {
        case .stored(let asset, let bytes): (.success(asset), bytes)
        case .failed(let failure): (.failure(failure), 0)
        }
      return Collected(
        place: .attachment(index), url: url.withoutQuery.absoluteString, result: result,
        isRemote: true, byteCount: bytes)
    }
  }

  private func fetch(_ url: WebURL, content: AssetRequest.Content) async -> AssetOutcome {
    let request = AssetRequest(
      url: url, content: content, limits: options.limits, item: item, secrets: source.secrets)
    guard options.fetchImages else {
      return fetcher.archived(request)
        ?? .failed(AssetFailure("images were not asked for (--no-images)", isTransient: false))
    }
    return await fetcher.fetch(request, for: source)
  }

  /// Stores bytes that came with the item; with no media type given they must be a picture.
  private func inline(
    _ bytes: [UInt8], mediaType: String?
  ) -> Result<CachedAsset, AssetFailure> {
    var bytes = bytes
    var type = mediaType ?? ""
    switch ImageFormat(prefix: bytes) {
    case .svg?:
      guard let clean = SVGSanitizer.sanitize(bytes) else {
        return .failure(AssetFailure("the SVG picture could not be made safe", isTransient: false))
      }
      bytes = clean
      type = ImageFormat.svg.mediaType
    case let format?: type = format.mediaType
    case nil:
      if mediaType == nil || type.hasPrefix("image/") {
        return .failure(AssetFailure("its data is no picture", isTransient: false))
      }
    }
    let size = ImageFormat(mediaType: type).flatMap { PixelSize(format: $0, prefix: bytes) }
    do {
      let object = try pool.store(bytes)
      return .success(
        CachedAsset(
          url: "", object: object, mediaType: type, width: size?.width, height: size?.height))
    } catch {
      return .failure(AssetFailure(error.message, isTransient: true, storage: error))
    }
  }

  private func assemble(
    _ results: [Collected], slots: Int, attachments: [Attachment]
  ) -> ItemAssets {
    let unknown = AssetFailure("it was not fetched", isTransient: true)
    var assets = ItemAssets()
    assets.slots = Array(repeating: .failure(unknown), count: slots)
    assets.attachments = Array(repeating: .failure(unknown), count: attachments.count)
    var remembered = Set<String>()
    for item in results {
      assets.byteCount += item.byteCount
      let result = item.result.map { asset in
        ItemAssets.LocalFile(asset, name: name(item.place, attachments))
      }
      switch item.place {
      case .slot(let index): assets.slots[index] = result
      case .attachment(let index): assets.attachments[index] = result
      }
      switch item.result {
      case .success(let asset):
        if item.isRemote, remembered.insert(asset.url).inserted { assets.cached.append(asset) }
      case .failure(let failure):
        // A small picture that stands for the site is no loss worth telling.
        if case .attachment(let index) = item.place, attachments[index].role == .icon { continue }
        assets.missing.append(
          ItemAssets.Missing(
            url: Redaction.text(item.url), reason: failure.reason, isTransient: failure.isTransient)
        )
      }
    }
    assets.missing = Array(Set(assets.missing)).sorted { ($0.url, $0.reason) < ($1.url, $1.reason) }
    assets.cached.sort { $0.url < $1.url }
    return assets
  }

  private func name(_ place: Place, _ attachments: [Attachment]) -> String? {
    guard case .attachment(let index) = place else { return nil }
    return attachments[index].name
  }
}
