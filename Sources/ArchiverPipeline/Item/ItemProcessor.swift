import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Turns a delivered item into a staged bundle: sanitise → extract → fetch images → rewrite →
/// render → stage.
struct ItemProcessor: Sendable {
  enum Outcome: Sendable {
    case staged(StagedItem)
    /// Nothing that the bundle shows has changed.
    case unchanged(revision: String)
    /// The archived copy is better. `isNew` is false if an earlier run found the same.
    case kept(revision: String, reason: String, isNew: Bool)
    /// The bundle of the better copy must be replaced by one that holds this copy back.
    indirect case mending(StagedBundle, Outcome)
    case failed(reason: String, isRetryable: Bool)
    /// The missing parts are still missing.
    case stillMissing(Losses)
    /// The archived copy stays, as essential parts could not be fetched only because the server was
    /// unreachable.
    case unreached(Losses)
    /// The run was cancelled; the item stays queued.
    case interrupted
    /// A failure of the archive, which ends the run.
    case storage(StorageError)
  }

  struct StagedItem: Sendable {
    let bundle: StagedBundle
    let title: String
    let images: Int
    let missing: Int
    let losses: Losses
    /// Whether essential parts are missing only because the source's server was unreachable.
    let isUnreached: Bool
    let byteCount: Int
    /// Its claim on the storage budget; `nil` if there is none.
    let claim: StorageBudget.Claim?
    /// What became of manual edits of the replaced bundle; `nil` if there were none.
    let conflict: String?
  }

  let source: RunSource
  let archive: Archive
  let fetcher: AssetFetcher
  let library: LibraryBuilder
  let options: RunOptions
  let clock: ArchiverClock

  /// Whether the run takes only items requested by id.
  var isSelective: Bool { !options.only.isEmpty }

  /// Processes an item; `claim` is its claim on the storage budget.
  func process(
    _ work: WorkItem, _ delivered: SourceItem, claim: StorageBudget.Claim? = nil
  ) async -> Outcome {
    var existing: CatalogItem?
    do throws(StorageError) {
      let item = delivered.redacted(source.secrets)
      let key = ItemKey(source: source.name, id: work.reference.id)
      existing = try archive.catalog.item(key)
      let body: SanitizedHTML?
      do {
        body = try sanitized(item)
      } catch {
        return .failed(reason: error.message, isRetryable: false)
      }
      let hash = hash(of: body, item)
      var draft = Draft(
        key: key, item: item, body: body, hash: hash, existing: existing, work: work)
      if let existing, let outcome = try verdict(existing, body, hash, work: work, item: item) {
        if case .unchanged = outcome { return try holdingNothingBack(of: existing, outcome) }
        draft.isWorse = outcome
      }
      return try await stage(draft, claim: claim)
    } catch {
      // A bundle that cannot be read is a failure of that item. If more is wrong, recording it in
      // the catalog fails as well, and that ends the run.
      if existing != nil, error.isOfOneBundle {
        return .failed(reason: error.message, isRetryable: true)
      }
      return .storage(error)
    }
  }

  /// A sanitised item.
  private struct Draft {
    let key: ItemKey
    let item: SourceItem
    let body: SanitizedHTML?
    let hash: ContentHash
    let existing: CatalogItem?
    let work: WorkItem
    /// The outcome if the archived copy is better.
    var isWorse: Outcome?
    /// Whether the item was requested again for fresh presigned URLs.
    var isRenewed = false
  }

  /// Requests an item again whose presigned URLs have expired; `nil` if that fails.
  private func renewed(_ draft: Draft) async -> Draft? {
    guard
      case .success(let delivered)? = await source.adapter.items([
        draft.work.reference.opened(source.secrets)
      ]).first
    else { return nil }
    let item = delivered.redacted(source.secrets)
    do throws(MarkupError) {
      let body = try sanitized(item)
      return Draft(
        key: draft.key, item: item, body: body, hash: hash(of: body, item),
        existing: draft.existing, work: draft.work, isWorse: draft.isWorse, isRenewed: true)
    } catch {
      return nil
    }
  }

  func sanitized(_ item: SourceItem) throws(MarkupError) -> SanitizedHTML? {
    guard case .html(let bytes, let baseURL) = item.body else { return nil }
    let classes = source.properties.contentClasses
    let sanitizer = HTMLSanitizer(
      SanitizerOptions(
        allowedClasses: classes, limits: SanitizerLimits(options.limits),
        highlightElement: source.properties.highlightElement))
    let clean = try sanitizer.sanitize(bytes, baseURL: baseURL)
    return clean.isEmpty ? nil : clean
  }

  func hash(of body: SanitizedHTML?, _ item: SourceItem) -> ContentHash {
    // Computed over what is stored, so that a page rebuilt from it has the same hash.
    ContentHash(
      body: source.secrets.hidden(Redaction.html(SignedAddresses.unsigned(body?.bytes ?? []))),
      item: item, origin: source.origin, secrets: source.secrets,
      remarks: source.properties.remarkClass)
  }

  /// Returns the outcome if the archived copy is equal or better; `nil` if it is to be replaced.
  private func verdict(
    _ existing: CatalogItem, _ body: SanitizedHTML?, _ hash: ContentHash, work: WorkItem,
    item: SourceItem
  ) throws(StorageError) -> Outcome? {
    let revision = item.reference.revision
    // An incomplete item is processed again for its missing part.
    if !options.force, work.reason != .incomplete, existing.completeness == .complete,
      existing.state == .archived,
      existing.contentHash == hash.text, try !isReplaced(item, existing),
      try !archive.bundles.isStranger(existing.key, folder: existing.folder)
    {
      return .unchanged(revision: revision)
    }
    if options.acceptsWorse { return nil }
    if let reason = Regression.newLoss(Losses(item.missing), since: existing) {
      return .failed(reason: reason, isRetryable: true)
    }
    var oldWords = existing.words
    if oldWords == nil { oldWords = try words(of: existing) }
    let worse = Regression.reason(oldWords: oldWords ?? 0, newWords: body?.wordCount ?? 0)
    return worse.map { .kept(revision: revision, reason: $0, isNew: work.attempts == 0) }
  }

  /// Counts the words of the page of an item archived by an earlier version: the source may count
  /// differently.
  private func words(of item: CatalogItem) throws(StorageError) -> Int {
    guard let page = try archive.bundles.read("index.html", of: item.folder),
      let body = ReadingPage.body(of: page)
    else { return 0 }
    let sanitizer = HTMLSanitizer(SanitizerOptions(limits: SanitizerLimits(options.limits)))
    // A page written by the program is within the limits; if it is not, the new copy is accepted.
    return (try? sanitizer.sanitize(body, baseURL: nil))?.wordCount ?? 0
  }

  private func stage(
    _ draft: Draft, claim: StorageBudget.Claim?
  ) async throws(StorageError) -> Outcome {
    if draft.item.attachments.contains(where: \.isFile) {
      try archive.catalog.markFetching(draft.key)
    }
    var conflict: String?
    switch try conflictVerdict(on: draft) {
    case .none, .discard: break
    case .keepVersion(let note): conflict = note
    case .keepLocal:
      return .kept(
        revision: draft.item.reference.revision, reason: "it was edited here", isNew: false)
    }
    let slots = draft.body.map { ImageExtractor.references(in: $0.bytes).slots } ?? []
    let collected = await collector(
      of: draft.item, id: draft.work.reference.id,
      revalidated: draft.work.reason == .changed
        ? .all : draft.work.reason == .incomplete ? .own : .none
    ).collect(slots: slots, attachments: draft.item.attachments)
    if collected.hasExpired, !draft.isRenewed, let renewed = await renewed(draft) {
      return try await stage(renewed, claim: claim)
    }
    if let error = collected.storageError { throw error }
    if Task.isCancelled { return .interrupted }
    let earlier = try draft.existing.map { existing throws(StorageError) in
      try EarlierFiles(of: existing, in: archive)
    }
    var assets = (earlier.map { collected.filled(from: $0) } ?? collected).withUnexpected()
    // What was cut is fetched once more, like what could not be reached; then it is a failure.
    assets.countsCuts = !draft.work.isAgain
    if let outcome = stillMissing(draft, assets) { return outcome }
    let folder =
      draft.existing?.folder
      ?? archive.bundles.folder(
        for: draft.key, kindFolder: source.name, title: draft.item.title(draft.key))
    let input = try input(
      draft, slots, assets, earlier, folder: folder, wasEdited: conflict != nil)
    if let outcome = try refusal(of: input, draft, isUnreached: assets.isUnreached) {
      return outcome
    }
    let (bundle, item) = try staged(input, draft, folder: folder)
    return .staged(
      StagedItem(
        bundle: bundle, title: input.title, images: item.imageCount,
        missing: item.missingImages, losses: item.losses ?? Losses(),
        isUnreached: assets.isUnreached, byteCount: assets.byteCount, claim: claim,
        conflict: conflict))
  }

  /// Returns what is to happen to manual edits of the archived copy.
  private func conflictVerdict(on draft: Draft) throws(StorageError) -> Conflict.Verdict {
    guard let existing = draft.existing else { return .none }
    return try Conflict(options: options, archive: archive, now: clock.now())
      .verdict(existing, draft.item.metadata)
  }

  /// Returns the outcome if an item that was taken for its missing parts still lacks them.
  private func stillMissing(_ draft: Draft, _ assets: ItemAssets) -> Outcome? {
    guard draft.work.reason == .incomplete, let existing = draft.existing,
      assets.missing.count + draft.item.missing.count
        >= existing.losses?.total ?? existing.missingImages,
      existing.contentHash == draft.hash.text
    else { return nil }
    let losses = Losses(assets.missing.map(\.part) + draft.item.missing)
    return assets.isUnreached ? .unreached(losses) : .stillMissing(losses)
  }

  /// Gathers what the bundle is composed of.
  private func input(
    _ draft: Draft, _ slots: [ImageSlot], _ assets: ItemAssets, _ earlier: EarlierFiles?,
    folder: String, wasEdited: Bool
  ) throws(StorageError) -> BundleComposer.Input {
    let book = try BookPages.make(
      of: draft.item, assets: assets, pool: archive.objects, options: options)
    let remarks = remarks(of: draft.item, draft.body)
    var input = BundleComposer.Input(
      key: draft.key, item: draft.item, body: draft.body, slots: slots, assets: assets,
      hash: draft.hash, existing: draft.existing, attempts: draft.work.attempts,
      book: book, wasEdited: wasEdited,
      losesFiles: earlier.map { !$0.paths.isSubset(of: assets.files.map(\.path)) } ?? false,
      remarks: remarks, links: links(draft.key, draft.item, book, folder))
    if let existing = draft.existing {
      var before = earlier?.remarks
      if before == nil { before = try self.remarks(of: existing) }
      input.losesRemarks = !Set(before ?? []).isSubset(of: remarks)
    }
    return input
  }

  /// Returns the outcome if the archived copy is better, after holding the new one back; `nil` if it
  /// is to be replaced.
  private func refusal(
    of input: BundleComposer.Input, _ draft: Draft, isUnreached: Bool
  ) throws(StorageError) -> Outcome? {
    guard let existing = draft.existing, !options.acceptsWorse else { return nil }
    let losses = Losses(input.missing)
    let loss = Regression.newLoss(losses, since: existing)
    if draft.isWorse == nil, loss != nil, isUnreached { return .unreached(losses) }
    // A PDF or a text in its place is another file, and can be read.
    let pages = input.book.wholePath == nil ? try lostPages(input.book, of: existing) : nil
    let outcome =
      draft.isWorse ?? (loss ?? pages).map { .failed(reason: $0, isRetryable: true) }
    guard let outcome else { return nil }
    return try holdingBack(input, besides: existing, outcome)
  }

  /// Composes and stages the bundle.
  private func staged(
    _ input: BundleComposer.Input, _ draft: Draft, folder: String
  ) throws(StorageError) -> (bundle: StagedBundle, item: CatalogItem) {
    let versions = try archive.bundles.plannedVersions(
      for: draft.key, folder: folder, keepVersions: input.keepVersions(options),
      makesVersion: input.makesVersion)
    let composer = BundleComposer(
      source: source, options: options, now: clock.now())
    let composition = try composer.draft(input, folder: folder, versions: versions)
    var bundle = composition.bundle
    let isStranger = try archive.bundles.isStranger(draft.key, folder: folder)
    if isStranger || input.makesVersion && draft.existing != nil {
      bundle.replacedPage = try versionPage(folder)
    }
    let staged = try archive.bundles.stage(bundle)
    if let text = composition.text { library.keep(text, of: bundle.item) }
    return (staged, bundle.item)
  }

  /// Returns the digests of an item's highlights and comments.
  func remarks(of item: SourceItem, _ body: SanitizedHTML?) -> [String] {
    Remarks.digests(
      body: body?.bytes ?? [], class: source.properties.remarkClass, annotations: item.annotations)
  }

  /// Returns the same for an archived item whose record lacks them, from its page.
  private func remarks(of existing: CatalogItem) throws(StorageError) -> [String] {
    let page = try archive.bundles.read("index.html", of: existing.folder)
    return Remarks.digests(
      body: page.flatMap { ReadingPage.body(of: $0) } ?? [],
      class: source.properties.remarkClass, annotations: existing.annotations)
  }

  func collector(
    of item: SourceItem, id: String, revalidated: AssetCollector.Revalidated,
    kept: KeptBundle? = nil
  ) -> AssetCollector {
    AssetCollector(
      fetcher: fetcher, pool: archive.objects, source: source, options: options, item: id,
      kind: item.metadata.kind, revalidated: revalidated,
      page: item.metadata.url.flatMap { WebURL($0) }, kept: kept)
  }

  func links(
    _ key: ItemKey, _ item: SourceItem, _ book: BookPages, _ folder: String
  ) -> BundleLinks {
    var metadata = item.metadata
    book.complete(&metadata)
    return BundleLinks(
      key: key, folder: folder,
      addresses: BundleLinks.addresses(
        of: key, metadata, further: item.addresses, archive.linkForms),
      archive: archive)
  }

  /// Returns a bundle's page as an earlier version, which says that it is one: two directories deeper
  /// its local links would break, so its links lead to the originals again.
  private func versionPage(_ folder: String) throws(StorageError) -> [UInt8]? {
    guard let page = try archive.bundles.read("index.html", of: folder),
      let body = ReadingPage.body(of: page)
    else { return nil }
    return ReadingPage.earlierVersion(of: page, body: LinkRewriter.restored(body))
  }
}

extension Attachment {
  /// Whether it is a file to download and not an image; it may be large.
  fileprivate var isFile: Bool {
    if case .remote = location { role == .file } else { false }
  }
}

extension SourceItem {
  /// Returns its title; without one, its URL without the scheme, or its id.
  func title(_ key: ItemKey) -> String {
    if !metadata.title.isEmpty { return metadata.title }
    guard let url = metadata.url.flatMap({ WebURL($0) }) else { return key.id }
    return url.path == "/" ? url.host : url.host + url.path
  }
}

extension StorageBudget {
  /// Records the size of a staged bundle, or that there is none.
  func processed(_ key: ItemKey, _ outcome: ItemProcessor.Outcome) {
    guard case .staged(let staged) = outcome, let claim = staged.claim else {
      return notStaged(key)
    }
    self.staged(claim, byteCount: staged.bundle.item.byteCount)
  }
}
