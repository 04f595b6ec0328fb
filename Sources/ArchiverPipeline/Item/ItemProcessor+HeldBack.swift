import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

// What the source has in place of a better copy is kept beside it, so that no bytes are thrown away and
// a reader sees both.
extension ItemProcessor {
  /// Returns an outcome, with the bundle of the better copy that has this state of the item among its
  /// versions.
  ///
  /// A bundle that was edited, or has the same state already, stays as it is.
  func holdingBack(
    _ input: BundleComposer.Input, besides existing: CatalogItem, _ outcome: Outcome
  ) throws(StorageError) -> Outcome {
    guard options.keepVersions > 0, !input.wasEdited, input.hasContent,
      let page = try archive.untouchedPage(of: existing.folder),
      try heldBackHash(existing) != input.hash
    else { return outcome }
    var input = input
    input.isHeldBack = true
    let now = clock.now()
    let draft = try BundleComposer(source: source, options: options, now: now)
      .draft(input, folder: existing.folder, versions: []).bundle
    let staged = try archive.bundles.stage(heldBack: (draft, now), of: outcome.noted(on: existing))
    {
      ReadingPage.listing(versions: $0, in: page)
    }
    return staged.map { .mending($0, outcome) } ?? outcome
  }

  /// Returns an outcome, with the bundle without what was held back: the source has its equal again.
  func holdingNothingBack(
    of existing: CatalogItem, _ outcome: Outcome
  ) throws(StorageError) -> Outcome {
    guard existing.heldBack != nil,
      let page = try archive.untouchedPage(of: existing.folder)
    else { return outcome }
    let staged = try archive.bundles.stage(heldBack: nil, of: outcome.noted(on: existing)) {
      ReadingPage.listing(versions: $0, in: page)
    }
    return staged.map { .mending($0, outcome) } ?? outcome
  }

  /// The hash of what is held back; `nil` where nothing is, or its record cannot be read.
  private func heldBackHash(_ existing: CatalogItem) throws(StorageError) -> ContentHash? {
    guard let version = existing.heldBack,
      let json = try archive.bundles.read(
        "versions/\(version)/\(ItemRecord.fileName)", of: existing.folder)
    else { return nil }
    // One that is damaged is replaced.
    return (try? ItemRecord(json: json, path: version)).map { ContentHash(text: $0.contentHash) }
  }
}

extension BundleComposer.Input {
  /// Whether there is anything to keep: text, or a file that is more than a decoration.
  fileprivate var hasContent: Bool {
    if let body, body.wordCount > 0 { return true }
    return zip(item.attachments, assets.attachments).contains { attachment, result in
      guard case .success = result else { return false }
      return attachment.role == .file || attachment.role == .image
    }
  }
}

extension ItemProcessor.Outcome {
  /// Returns what the catalog knows of the item once this outcome is recorded.
  fileprivate func noted(on item: CatalogItem) -> CatalogItem {
    var item = item
    switch self {
    case .unchanged(let revision), .kept(let revision, _): item.revision = revision
    case .staged, .mending, .failed, .stillMissing, .interrupted, .storage: break
    }
    return item
  }
}
