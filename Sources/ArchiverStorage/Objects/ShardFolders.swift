import Synchronization

/// The folders `00` to `ff` of the object pool, each opened once: two of them are used for every
/// picture of a run.
final class ShardFolders: Sendable {
  private let objects: Folder
  private let fileSystem: FileSystem
  /// By the first byte of the digest.
  private let opened = Mutex<[UInt8: Folder]>([:])

  init(objects: Folder, fileSystem: FileSystem) {
    self.objects = objects
    self.fileSystem = fileSystem
  }

  /// Returns the folder of an object; `nil` when there is none yet.
  func folder(of digest: String) throws(StorageError) -> Folder? {
    try opened(digest, as: key(of: digest))
  }

  /// Returns the folder of an object, created when there is none yet.
  func folderToFill(of digest: String) throws(StorageError) -> Folder {
    let key = try key(of: digest)
    if let folder = try opened(digest, as: key) { return folder }
    let name = String(digest.prefix(2))
    try fileSystem.makeFolder(name, in: objects)
    let folder = try objects.folder(name)
    opened.withLock { $0[key] = folder }
    return folder
  }

  private func opened(_ digest: String, as key: UInt8) throws(StorageError) -> Folder? {
    if let known = opened.withLock({ $0[key] }) { return known }
    guard let folder = try objects.folderIfPresent(String(digest.prefix(2))) else { return nil }
    opened.withLock { $0[key] = folder }
    return folder
  }

  private func key(of digest: String) throws(StorageError) -> UInt8 {
    guard Digest.isSHA256(digest), let key = UInt8(digest.prefix(2), radix: 16) else {
      throw StorageError(.damaged, "\"\(digest)\" is not the name of an object")
    }
    return key
  }
}
