import ArchiverCore
import ArchiverStorage

/// What becomes of a bundle that was edited by hand when its item changed at the source.
///
/// A bundle was edited when its files are not those that its SHA256SUMS was written for.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  /// The source's copy takes its place; the edited one becomes an earlier version.
  case server
  /// The edited bundle stays, until `server` is asked for or the item changes again.
  case local
  /// Whichever changed last; the source's where it does not say when.
  case newer
  /// Like `server`; besides, the edited bundle becomes a folder of its own beside it, which the
  /// archive leaves alone.
  case both
}

/// Decides what happens to a bundle that is about to be replaced.
struct Conflict {
  enum Verdict: Sendable, Equatable {
    /// It is as it was written.
    case none
    case keepLocal
    /// It is to be kept as a version; the sentence is for the report.
    case keepVersion(String)
    case discard
  }

  let options: RunOptions
  let archive: Archive
  let now: Date

  /// Returns what to do, after setting aside what `both` sets aside.
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
