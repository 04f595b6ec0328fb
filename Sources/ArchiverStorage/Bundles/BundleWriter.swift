import ArchiverCore

/// Writes one bundle into its staging directory and computes its checksums.
final class BundleWriter {
  private let folder: Folder
  private let objects: ObjectPool
  private let fileSystem: FileSystem
  private var checksums = ChecksumList()
  private var subfolders: [String: Folder] = [:]
  /// The bytes of all files written so far, without versions.
  private(set) var byteCount = 0

  init(folder: Folder, objects: ObjectPool, fileSystem: FileSystem) {
    self.folder = folder
    self.objects = objects
    self.fileSystem = fileSystem
  }

  func write(_ file: BundleDraft.File) throws(StorageError) {
    let (parent, name) = try place(of: file.path)
    switch file.content {
    case .bytes(let bytes):
      try fileSystem.writeFile(name, in: parent, bytes)
      checksums[file.path] = Digest.sha256Hex(bytes)
      byteCount += bytes.count
    case .object(let object):
      try objects.link(object, to: name, in: parent)
      checksums[file.path] = object.sha256
      byteCount += object.byteCount
    }
  }

  /// Writes SHA256SUMS and returns its digest.
  func writeChecksums() throws(StorageError) -> String {
    let bytes = checksums.bytes
    try fileSystem.writeFile(ChecksumList.fileName, in: folder, bytes)
    byteCount += bytes.count
    return Digest.sha256Hex(bytes)
  }

  /// Links the versions that the plan keeps, and the replaced bundle as the newest.
  func writeVersions(
    _ plan: VersionPlan, replacedPage: [UInt8]? = nil
  ) throws(StorageError) {
    guard let previous = plan.previous, !plan.names.isEmpty else { return }
    let versions = try subfolder([BundlePath.versions])
    for name in plan.names {
      try fileSystem.makeFolder(name, in: versions)
      let target = try versions.folder(name)
      let linker = TreeLinker(fileSystem: fileSystem)
      if name == plan.added {
        try linker.linkBundle(previous, into: target, page: replacedPage)
      } else if let old = try previous.descend("\(BundlePath.versions)/\(name)") {
        try linker.linkTree(old, into: target)
      }
    }
  }

  /// Returns the directory and name of a path. Directories are cached: a bundle has few, and many
  /// files.
  private func place(of path: String) throws(StorageError) -> (Folder, String) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return (folder, path) }
    let name = String(path[path.utf8.index(after: slash)...])
    if let known = subfolders[String(path[...slash])] { return (known, name) }
    return (try subfolder(path.pathComponents.dropLast()), name)
  }

  private func subfolder(_ components: some Sequence<String>) throws(StorageError) -> Folder {
    var current = folder
    var path = ""
    for component in components {
      path += "\(component)/"
      if let known = subfolders[path] {
        current = known
      } else {
        try fileSystem.makeFolder(component, in: current)
        current = try current.folder(component)
        subfolders[path] = current
      }
    }
    return current
  }
}
