import ArchiverCore

/// Decides which earlier versions a new bundle keeps.
///
/// A version is named by the time its bundle was archived, `20260131T023000Z`, so names sort by
/// time; a second version of the same second gets `-2` and so on.
struct VersionPlan {
  /// The bundle to be replaced; `nil` if there is none.
  let previous: Folder?
  /// The name under which `previous` becomes a version; `nil` if it does not.
  let added: String?
  /// All versions of the new bundle, newest first. With a `keepVersions` of 1 there are two, as
  /// oldest and newest always stay.
  let names: [String]

  /// - Parameter archived: When `previous` was archived; `nil` uses the times of its files.
  /// - Parameter keepsHeldBack: Whether a copy held back stays held back.
  init(
    previous: Folder?, archived: Date?, keepVersions: Int, makesVersion: Bool,
    keepsHeldBack: Bool = false
  ) throws(StorageError) {
    self.previous = previous
    guard let previous, keepVersions > 0 else {
      added = nil
      names = []
      return
    }
    let found = try VersionPlan.versions(of: previous)
    let heldBack = keepsHeldBack ? found.filter(HeldBack.isName) : []
    var kept = found.filter { !HeldBack.isName($0) }
    let entries = try previous.entries()
    var name: String?
    if makesVersion, entries.contains(where: { $0.name != BundlePath.versions }) {
      let own = try VersionPlan.date(of: previous)
      let new = VersionPlan.name(archived ?? own, unlike: kept)
      name = new
      kept.append(new)
      kept.sort { $1.utf8.lexicographicallyPrecedes($0.utf8) }
    }
    let names = try VersionPlan.thinned(kept, of: previous, added: name, keepVersions)
    self.names = heldBack + names
    // A version without content of its own may have been thinned out.
    added = name.flatMap { names.contains($0) ? $0 : nil }
  }

  private static func thinned(
    _ names: [String], of bundle: Folder, added: String?, _ limit: Int
  ) throws(StorageError) -> [String] {
    guard names.count > limit else { return names }
    var versions: [VersionThinning.Version] = []
    for name in names {
      let place = name == added ? bundle : try bundle.descend("\(BundlePath.versions)/\(name)")
      if let place { versions.append(try VersionThinning.Version(name, at: place)) }
    }
    var thinning = VersionThinning(versions: versions, added: added)
    thinning.thin(to: limit)
    return thinning.versions.map(\.name)
  }

  /// Returns when an unknown bundle was made, by the times of its files.
  private static func date(of bundle: Folder) throws(StorageError) -> Date {
    for name in [ChecksumList.fileName, BundlePath.page, "."] {
      if let status = try bundle.status(name) {
        return Date(timeIntervalSince1970: Double(status.modified))
      }
    }
    return Date(timeIntervalSince1970: 0)
  }

  /// Returns the versions of a bundle, newest first.
  static func versions(of bundle: Folder) throws(StorageError) -> [String] {
    guard let folder = try bundle.folderIfPresent(BundlePath.versions) else { return [] }
    return try folder.entries().filter { $0.kind == .folder }.map(\.name).reversed()
  }

  static func name(_ date: Date, unlike taken: [String]) -> String {
    let base = date.formatted(
      Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted))
    guard taken.contains(base) else { return base }
    var number = 2
    while taken.contains("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }
}
