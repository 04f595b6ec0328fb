import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

// A delivered copy worse than the archived one is held back as a version of it, so that nothing is
// discarded and readers see both.
extension ItemProcessor {
  /// Returns an outcome together with a bundle of the better copy in which this copy is held back.
  ///
  /// An edited bundle, or one that holds the same copy back, stays unchanged.
  func holdingBack(
    _ input: BundleComposer.Input, besides existing: CatalogItem, _ outcome: Outcome
  ) throws(StorageError) -> Outcome {
    guard options.keepVersions > 0, !input.wasEdited, input.hasContent,
      let page = try archive.untouchedPage(of: existing.folder)
    else { return outcome }
    if try heldBackHash(existing) == input.hash { return outcome.told(isNew: false) }
    var input = input
    input.isHeldBack = true
    let now = clock.now()
    let draft = try BundleComposer(source: source, options: options, now: now)
      .draft(input, folder: existing.folder, versions: []).bundle
    let staged = try archive.bundles.stage(heldBack: (draft, now), of: outcome.noted(on: existing))
    {
      ReadingPage.listing(versions: $0, in: page)
    }
    return staged.map { .mending($0, outcome.told(isNew: true)) } ?? outcome
  }

  /// Returns an outcome together with a bundle that holds nothing back, as the source delivers an
  /// equal copy again.
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

  /// Returns why a bundle would lose the pages of a book that the archived one has; `nil` if it would
  /// not.
  func lostPages(
    _ book: BookPages, of existing: CatalogItem
  ) throws(StorageError) -> String? {
    guard book.firstPath == nil,
      try archive.bundles.read(BookPages.styleSheet, of: existing.folder) != nil
    else { return nil }
    let reason = book.isOfUnreadKind ? nil : book.notes.first
    return "the pages of the book would be lost: "
      + (reason ?? "the program that made them is not installed.")
  }

  /// Returns the hash of the copy held back; `nil` if there is none, or its record is unreadable.
  private func heldBackHash(_ existing: CatalogItem) throws(StorageError) -> ContentHash? {
    guard let version = existing.heldBack else { return nil }
    return try archive.bundles.record(of: "\(existing.folder)/versions/\(version)").map {
      ContentHash(text: $0.contentHash)
    }
  }
}

extension BundleComposer.Input {
  /// Whether there is content to keep: text, or a file that is more than a decoration.
  fileprivate var hasContent: Bool {
    if let body, body.wordCount > 0 { return true }
    return zip(item.attachments, assets.attachments).contains { attachment, result in
      guard case .success = result else { return false }
      return attachment.role == .file || attachment.role == .image
    }
  }
}

extension ItemProcessor.Outcome {
  /// Returns the outcome as news, or as known from an earlier run.
  fileprivate func told(isNew: Bool) -> ItemProcessor.Outcome {
    guard case .kept(let revision, let reason, _) = self else { return self }
    return .kept(revision: revision, reason: reason, isNew: isNew)
  }

  /// Returns the item as the catalog records it after this outcome.
  fileprivate func noted(on item: CatalogItem) -> CatalogItem {
    var item = item
    switch self {
    case .unchanged(let revision), .kept(let revision, _, _): item.revision = revision
    case .staged, .mending, .failed, .stillMissing, .unreached, .interrupted, .storage: break
    }
    return item
  }
}
