import ArchiverCore
import ArchiverStorage

/// Opens archives for commands that change but never create one.
enum ExistingArchive {
  /// Opens an archive for writing; throws `.notFound` if there is none.
  static func open(
    _ path: String, holder: String, _ invocation: Invocation
  ) throws(StorageError) -> Archive {
    try require(path, invocation)
    return try Archive.open(
      path: path, mode: .readWrite(holder: holder), clock: invocation.environment.clock,
      options: ArchiveOptions(
        linkForms: invocation.services.kinds.compactMap(\.properties.linkForm),
        titleClasses: Set(invocation.services.kinds.compactMap(\.properties.titleClass))))
  }

  /// Throws `.notFound` if there is no archive in a directory, `.damaged` if it has lost its
  /// catalog.
  static func require(_ path: String, _ invocation: Invocation) throws(StorageError) {
    try Archive.requireCatalog(path: path)
    guard FileManager.default.fileExists(atPath: path + "/.archiver") else {
      throw StorageError(
        .notFound, "there is no archive in \(invocation.environment.abbreviated(path))")
    }
  }
}
