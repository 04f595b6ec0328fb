import ArchiverAdapters
import ArchiverStorage

extension Services {
  /// The version of the program.
  static let version = "0.1.0"

  /// The real ones.
  package static var live: Services {
    let transport = Transport(userAgent: "archiver/\(version)")
    return Services(
      version: version, kinds: sourceKinds, client: { transport.client($0) },
      catalog: { _ in nil },
      run: { _, _ in throw StorageError(.notWritable, "archives cannot be written yet") },
      verify: { folder, _ in throw StorageError(.notFound, "there is no archive in \(folder)") })
  }
}
