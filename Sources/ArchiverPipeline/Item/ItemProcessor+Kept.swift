import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

// Rebuilding a page from what its bundle holds.
extension ItemProcessor {
  struct Remade: Sendable {
    enum Result: Sendable {
      case staged(StagedBundle)
      /// The page would be unchanged.
      case same
      /// The bundle lacks the input, as an earlier version of the program made it.
      case nothingKept
      /// The bundle stays unchanged, with the reason.
      case left(String)
    }

    let result: Result
    /// What is not installed and would make the pages of a book.
    let need: PageNeed?

    init(_ result: Result, need: PageNeed? = nil) {
      self.result = result
      self.need = need
    }
  }

  /// Rebuilds an item's bundle without the network. Fails with an error of this bundle alone
  /// (`StorageError.isOfOneBundle`), or of the archive.
  func remade(_ existing: CatalogItem) async throws(StorageError) -> Remade {
    guard let page = try archive.untouchedPage(of: existing.folder) else {
      return Remade(.left("it was edited here or is damaged"))
    }
    guard let kept = try KeptBundle(existing, in: archive) else { return Remade(.nothingKept) }
    // Whether a file is the source's own is decided by the origin at that time.
    let then = ItemProcessor(
      source: source.atOrigin(kept.origin), archive: archive, fetcher: fetcher, library: library,
      options: options, clock: clock)
    return try await then.remade(existing, kept, page: page)
  }

  private func remade(
    _ existing: CatalogItem, _ kept: KeptBundle, page: [UInt8]
  ) async throws(StorageError) -> Remade {
    let item = kept.item
    let body: SanitizedHTML?
    do throws(MarkupError) {
      body = try sanitized(item)
    } catch {
      return Remade(.left(error.message))
    }
    if let reason = Regression.reason(
      oldWords: existing.words ?? 0, newWords: body?.wordCount ?? 0)
    {
      return Remade(.left("the page rebuilt from its HTML would contain less: \(reason)"))
    }
    let slots = body.map { ImageExtractor.references(in: $0.bytes).slots } ?? []
    let assets = await collector(
      of: item, id: existing.key.id, revalidated: .none, kept: kept
    ).collect(slots: slots, attachments: item.attachments)
    if let error = assets.storageError { throw error }
    let book = try BookPages.make(
      of: item, assets: assets, pool: archive.objects, options: options)
    if let reason = try lostPages(book, of: existing) {
      return Remade(.left(reason), need: book.need)
    }
    let input = BundleComposer.Input(
      key: existing.key, item: item, body: body, slots: slots, assets: assets,
      hash: hash(of: body, item), existing: existing, attempts: 0, book: book, wasEdited: false,
      losesFiles: false, remarks: remarks(of: item, body),
      links: links(existing.key, item, book, existing.folder), isMadeAnew: true)
    if let reason = Regression.newLoss(Losses(input.missing), since: existing) {
      return Remade(.left("this version would lose a part: \(reason)"))
    }
    let result = try stage(input, existing, page: page, record: kept.record)
    return Remade(result, need: book.need)
  }

  private func stage(
    _ input: BundleComposer.Input, _ existing: CatalogItem, page: [UInt8], record: ItemRecord
  ) throws(StorageError) -> Remade.Result {
    let composer = BundleComposer(source: source, options: options, now: clock.now())
    var composition = try composer.draft(
      input, folder: existing.folder, versions: existing.versions)
    // The page also shows its neighbours in a series.
    let series = try SeriesNeighbours(catalog: archive.catalog).links(of: composition.bundle.item)
    let backlinks = try input.links.backlinks()
    composition.bundle.setFile("index.html") { new in
      ReadingPage.mended(
        new, body: ReadingPage.body(of: new), backlinks: backlinks, series: series)
    }
    if composition.bundle.file("index.html") == page,
      composition.bundle.file(ItemRecord.fileName)
        == (try archive.bundles.read(ItemRecord.fileName, of: existing.folder))
    {
      return .same
    }
    let problems = try archive.verify(bundle: existing.folder).filter {
      $0.folder == existing.folder
    }
    guard problems.isEmpty else { return .left("it was edited here or is damaged") }
    // The catalog has recorded the assets of its URLs already.
    composition.bundle.assets = []
    let staged = try archive.bundles.stage(composition.bundle)
    if let text = composition.text { library.keep(text, of: composition.bundle.item) }
    return .staged(staged)
  }
}

extension BundleDraft {
  /// Returns the bytes of a file; `nil` if there is none, or if it is an object of the pool.
  fileprivate func file(_ path: String) -> [UInt8]? {
    guard case .bytes(let bytes)? = files.first(where: { $0.path == path })?.content else {
      return nil
    }
    return bytes
  }

  fileprivate mutating func setFile(_ path: String, _ change: ([UInt8]) -> [UInt8]) {
    guard let index = files.firstIndex(where: { $0.path == path }),
      case .bytes(let bytes) = files[index].content
    else { return }
    files[index] = File(path: path, content: .bytes(change(bytes)))
  }
}

extension RunSource {
  /// Returns the source as it was at another origin.
  fileprivate func atOrigin(_ origin: Origin?) -> RunSource {
    var source = RunSource(
      name: name, kind: kind, properties: properties, adapter: adapter, client: client,
      origin: origin)
    source.secrets = secrets
    return source
  }
}
