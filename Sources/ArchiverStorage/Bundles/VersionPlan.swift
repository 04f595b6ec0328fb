import ArchiverCore

/// Which earlier versions a new bundle keeps.
///
/// A version is named by the time its bundle was archived, `20260131T023000Z`, so that names sort
/// by time; a second version of the same second gets `-2` and so on.
struct VersionPlan {
  /// The bundle to be replaced; `nil` when there is none.
  let previous: Folder?
  /// The name under which `previous` itself becomes a version, if it does.
  let added: String?
  /// All versions of the new bundle, newest first.
  let names: [String]

  init(
    previous: Folder?, archived: Date?, keepVersions: Int, makesVersion: Bool
  ) throws(StorageError) {
    self.previous = previous
    guard let previous, keepVersions > 0 else {
      added = nil
      names = []
      return
    }
    var kept = try VersionPlan.versions(of: previous)
    // A folder without checksums is not one of our bundles.
    if makesVersion, let status = try previous.status(ChecksumList.fileName) {
      let date = archived ?? Date(timeIntervalSince1970: Double(status.modified))
      let name = VersionPlan.name(date, unlike: kept)
      added = name
      kept.insert(name, at: 0)
    } else {
      added = nil
    }
    names = Array(kept.prefix(keepVersions))
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
