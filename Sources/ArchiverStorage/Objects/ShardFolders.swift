import Synchronization

/// The directories `00` to `ff` of the object pool, each opened once: every image of a run uses two
/// of them.
final class ShardFolders: Sendable {
  private let objects: Folder
  private let fileSystem: FileSystem
  /// The maximum number kept open: a quarter of the limit of open files.
  private static let capacity = min(OpenFileLimit.available / 4, 256)

  /// Open directories, by the first byte of the digest.
  private let opened = Mutex<[UInt8: Folder]>([:])

  init(objects: Folder, fileSystem: FileSystem) {
    self.objects = objects
    self.fileSystem = fileSystem
  }

  /// Returns the directory of an object; `nil` if it does not exist yet.
  func folder(of digest: String) throws(StorageError) -> Folder? {
    try opened(digest, as: key(of: digest))
  }

  /// Returns the directory of an object, creating it if necessary.
  func folderToFill(of digest: String) throws(StorageError) -> Folder {
    let key = try key(of: digest)
    if let folder = try opened(digest, as: key) { return folder }
    let name = String(digest.prefix(2))
    try fileSystem.makeFolder(name, in: objects)
    let folder = try objects.folder(name)
    keep(folder, as: key)
    return folder
  }

  private func opened(_ digest: String, as key: UInt8) throws(StorageError) -> Folder? {
    if let known = opened.withLock({ $0[key] }) { return known }
    guard let folder = try objects.folderIfPresent(String(digest.prefix(2))) else { return nil }
    keep(folder, as: key)
    return folder
  }

  private func keep(_ folder: Folder, as key: UInt8) {
    opened.withLock { opened in
      if opened.count < ShardFolders.capacity { opened[key] = folder }
    }
  }

  private func key(of digest: String) throws(StorageError) -> UInt8 {
    guard Digest.isSHA256(digest), let key = UInt8(digest.prefix(2), radix: 16) else {
      throw StorageError(.damaged, "\"\(digest)\" is not the name of an object")
    }
    return key
  }
}
