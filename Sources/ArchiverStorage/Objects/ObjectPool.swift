import ArchiverCore
import Synchronization

/// The content-addressed store of the archive: `.archiver/objects/ab/<sha256>`.
///
/// Bundles hold hard links to its objects. An object is trusted if the catalog has a committed
/// reference to it, from a published bundle, or if this process stored it. Any other file in the
/// pool may be what a power cut left; the next delivery of that content replaces it.
package final class ObjectPool: Sendable {
  private let objects: Folder
  let staging: Staging
  let fileSystem: FileSystem
  let space: FreeSpace
  private let isVouchedFor: @Sendable (String) throws(StorageError) -> Bool
  /// The digests of objects that this process stored and no published bundle uses yet.
  private let fresh = Mutex<Set<String>>([])

  init(
    objects: Folder, staging: Staging, fileSystem: FileSystem, space: FreeSpace,
    isVouchedFor: @escaping @Sendable (String) throws(StorageError) -> Bool
  ) {
    self.objects = objects
    self.staging = staging
    self.fileSystem = fileSystem
    self.space = space
    self.isVouchedFor = isVouchedFor
  }

  /// Returns a sink that streams one body into the pool.
  package func makeSink() -> ObjectSink { ObjectSink(pool: self) }

  /// Stores bytes. Writes nothing if the pool has them.
  package func store(_ bytes: [UInt8]) throws(StorageError) -> StoredObject {
    let object = StoredObject(sha256: Digest.sha256Hex(bytes), byteCount: bytes.count)
    if try contains(object) { return object }
    try put(bytes, as: object)
    return object
  }

  /// Stores the bytes of an object.
  func put(_ bytes: [UInt8], as object: StoredObject) throws(StorageError) {
    try put(object) { (name, folder) throws(StorageError) in
      try fileSystem.writeFile(name, in: folder, bytes)
    }
  }

  /// Creates an object's file directly under its final name.
  ///
  /// An interrupted write has no effect, as no committed reference makes the file trusted. Writes
  /// nothing if the pool has the object.
  private func put(
    _ object: StoredObject, _ write: (String, Folder) throws(StorageError) -> Void
  ) throws(StorageError) {
    try space.require(object.byteCount, in: objects)
    let folder = try shardToFill(of: object.sha256)
    do throws(StorageError) {
      try write(object.sha256, folder)
      fresh.withLock { _ = $0.insert(object.sha256) }
    } catch {
      if error.errorNumber == EEXIST { return try replace(object, write) }
      fresh.withLock { fresh in
        // A concurrent download of the same content may have stored it meanwhile.
        if !fresh.contains(object.sha256) {
          try? fileSystem.removeFile(object.sha256, in: folder)  // never trusted as it is
        }
      }
      throw space.explain(error, needed: object.byteCount, in: objects)
    }
  }

  /// Stores an object in place of any other file under its name.
  private func replace(
    _ object: StoredObject, _ write: (String, Folder) throws(StorageError) -> Void
  ) throws(StorageError) {
    if try contains(object) { return }
    let name = staging.uniqueName()
    do throws(StorageError) {
      try write(name, staging.folder)
      try take(name, as: object)
    } catch {
      staging.discard(name)
      throw space.explain(error, needed: object.byteCount, in: objects)
    }
  }

  /// Returns an object's bytes. Fails with `.damaged` if it is missing or has another size.
  package func read(_ object: StoredObject) throws(StorageError) -> [UInt8] {
    try file(of: object).readAll()
  }

  /// Returns a range of an object's bytes; fewer if the object is shorter. Fails with `.damaged` if it
  /// is missing or has another size.
  package func read(
    _ object: StoredObject, _ range: Range<Int>
  ) throws(StorageError) -> [UInt8] {
    try file(of: object).read(range)
  }

  private func file(of object: StoredObject) throws(StorageError) -> OpenFile {
    guard let folder = try shard(of: object.sha256), try hasSize(object, folder) else {
      throw missing(object)
    }
    return try OpenFile.reading(object.sha256, in: folder)
  }

  /// Returns the absolute path of an object, whether or not it exists.
  package func path(of object: StoredObject) -> String {
    "\(objects.path)/\(object.sha256.prefix(2))/\(object.sha256)"
  }

  /// Whether the pool has the object, complete and trusted.
  package func contains(_ object: StoredObject) throws(StorageError) -> Bool {
    guard let folder = try shard(of: object.sha256), try hasSize(object, folder) else {
      return false
    }
    return try isTrusted(object.sha256)
  }

  /// Moves a finished file from staging into the pool; removes it if the pool has the content.
  func take(_ name: String, as object: StoredObject) throws(StorageError) {
    if try contains(object) {
      try fileSystem.removeFile(name, in: staging.folder)
      return
    }
    let folder = try shardToFill(of: object.sha256)
    try fresh.withLock { (fresh) throws(StorageError) in
      try fileSystem.rename(name, in: staging.folder, to: object.sha256, in: folder)
      fresh.insert(object.sha256)
    }
  }

  /// Hard-links an object into a directory, or copies it if links fail.
  func link(
    _ object: StoredObject, to name: String, in target: Folder
  ) throws(StorageError) {
    guard let folder = try shard(of: object.sha256) else { throw missing(object) }
    if !isFresh(object.sha256), try !hasSize(object, folder) { throw missing(object) }
    try fileSystem.link(object.sha256, of: folder, to: name, in: target)
  }

  /// Takes a bundle's file as an object, by a hard link or a copy, if the pool has none of its
  /// name. A file of another size is not the bundle's original; `verify` checks the content.
  func adopt(_ name: String, in source: Folder, as object: StoredObject) throws(StorageError) {
    let status = try source.status(name)
    guard status?.kind == .file, status?.byteCount == object.byteCount else { return }
    let folder = try shardToFill(of: object.sha256)
    guard try folder.status(object.sha256) == nil else { return }
    try fileSystem.link(name, of: source, to: object.sha256, in: folder)
  }

  /// Removes digests from those stored by this process, as the catalog has committed references
  /// now.
  func vouched(for digests: some Sequence<String>) {
    fresh.withLock { $0.subtract(digests) }
  }

  /// Whether this process stored the object and no published bundle uses it yet.
  func isFresh(_ digest: String) -> Bool { fresh.withLock { $0.contains(digest) } }

  /// Returns the number of hard links of an object, those of bundles included; 0 if it does not
  /// exist.
  func linkCount(of digest: String) throws(StorageError) -> Int {
    try shard(of: digest)?.status(digest)?.linkCount ?? 0
  }

  /// Returns the directory of an object, one of `00` to `ff`; `nil` if it does not exist yet.
  private func shard(of digest: String) throws(StorageError) -> Folder? {
    guard Digest.isSHA256(digest) else {
      throw StorageError(.damaged, "\"\(digest)\" is not the name of an object")
    }
    return try objects.folderIfPresent(String(digest.prefix(2)))
  }

  /// Returns the directory of an object, creating it if necessary.
  private func shardToFill(of digest: String) throws(StorageError) -> Folder {
    if let folder = try shard(of: digest) { return folder }
    let name = String(digest.prefix(2))
    try fileSystem.makeFolder(name, in: objects)
    return try objects.folder(name)
  }

  private func isTrusted(_ digest: String) throws(StorageError) -> Bool {
    if isFresh(digest) { return true }
    return try isVouchedFor(digest)
  }

  private func hasSize(_ object: StoredObject, _ folder: Folder) throws(StorageError) -> Bool {
    guard let status = try folder.status(object.sha256) else { return false }
    return status.kind == .file && status.byteCount == object.byteCount
  }

  private func missing(_ object: StoredObject) -> StorageError {
    StorageError(.damaged, "\(path(of: object)) is missing or has the wrong size")
  }
}

extension ObjectPool {
  /// Returns the names of the shard directories, sorted; ignores anything else in the pool.
  func shardNames() throws(StorageError) -> [String] {
    try objects.entries().filter { $0.kind == .folder }.map(\.name)
  }

  func shard(_ name: String) throws(StorageError) -> Folder { try objects.folder(name) }

  /// Calls `body` with each shard folder and the objects in it.
  func forEachShard(
    _ body: (Folder, [Folder.Entry]) throws(StorageError) -> Void
  ) throws(StorageError) {
    for shard in try objects.entries() where shard.kind == .folder {
      let folder = try objects.folder(shard.name)
      try body(folder, try folder.entries())
    }
  }
}
