import ArchiverCore
import ArchiverStorage

/// Decides what happens to a bundle that is to be replaced.
struct Conflict {
  enum Verdict: Sendable, Equatable {
    /// It was not edited.
    case none
    case keepLocal
    /// Keep it as a version; the sentence is for the report.
    case keepVersion(String)
    case discard
  }

  let options: RunOptions
  let archive: Archive
  let now: Date

  /// Returns the verdict, after making the copy for `both`.
  func verdict(_ existing: CatalogItem, _ new: ItemMetadata) throws(StorageError) -> Verdict {
    let problems = try archive.verify(bundle: existing.folder).filter {
      $0.folder == existing.folder && $0.kind != .bundleMissing
    }
    guard !problems.isEmpty else { return .none }
    if options.repairs { return .discard }
    switch options.onConflict {
    case .server: return .keepVersion("it was edited here; the edited copy is an earlier version")
    case .local: return .keepLocal
    case .newer:
      guard let changed = new.modified,
        let edited = try archive.lastChange(of: existing.folder), edited > changed
      else {
        return .keepVersion("it was edited here earlier; the edited copy is an earlier version")
      }
      return .keepLocal
    case .both:
      let copy = try archive.copyAside(existing.folder, now: now)
      return .keepVersion("it was edited here; the edited copy is in \(copy)")
    }
  }
}
