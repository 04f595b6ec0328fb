import ArchiverCore
import ArchiverStorage

/// What happens to a bundle that was edited by hand if its item changed at the source.
///
/// A bundle counts as edited if its files do not match its SHA256SUMS.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  /// The source's copy replaces it; the edited one becomes an earlier version.
  case server
  /// The edited bundle stays until the policy changes to `server` or the item changes again.
  case local
  /// The one that changed last; the source's if it does not say when.
  case newer
  /// Like `server`, but the edited bundle is also copied to a directory beside it, which the
  /// archive does not manage.
  case both
}

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
