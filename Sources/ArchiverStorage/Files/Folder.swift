import ArchiverCore

/// An open directory. Everything in an archive is opened relative to one, a component at a time, so
/// that no symbolic link can lead outside.
final class Folder: Sendable {
  let descriptor: Int32
  /// The path, for messages.
  let path: String

  /// Takes ownership of a descriptor, and closes it on release.
  init(owning descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Opens a directory by its path, following symbolic links: the archive itself may be behind one.
  static func open(path: String) throws(StorageError) -> Folder {
    let descriptor = openPath(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(errno, "open", path) }
    return Folder(owning: descriptor, path: path)
  }

  /// Opens a directory inside this one.
  func folder(_ name: String) throws(StorageError) -> Folder {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let opened = openat(descriptor, name, flags)
    guard opened >= 0 else {
      throw .file(errno == ENOTDIR ? linkOr(name) : errno, "open", at(name))
    }
    return Folder(owning: opened, path: at(name))
  }

  /// Opens a directory inside this one; `nil` if the name does not exist.
  func folderIfPresent(_ name: String) throws(StorageError) -> Folder? {
    do throws(StorageError) {
      return try folder(name)
    } catch {
      if error.errorNumber == ENOENT { return nil }
      throw error
    }
  }

  /// Opens a directory some levels below; `nil` if a component does not exist.
  func descend(_ relativePath: String) throws(StorageError) -> Folder? {
    var current = self
    for name in relativePath.pathComponents {
      guard let next = try current.folderIfPresent(name) else { return nil }
      current = next
    }
    return current
  }

  /// Returns the path of an entry, for messages.
  func at(_ name: String) -> String { "\(path)/\(name)" }

  /// With O_DIRECTORY a symbolic link is refused with ENOTDIR; report it as a link.
  private func linkOr(_ name: String) -> Int32 {
    (try? status(name))?.kind == .link ? ELOOP : ENOTDIR  // the first error is the one to report
  }
}

extension Folder {
  enum EntryKind: Sendable {
    case file, folder, link, other
  }

  struct Entry: Sendable {
    let name: String
    /// The kind of the entry; `.other` if its name is not UTF-8, as `name` then names no file.
    let kind: EntryKind
    /// The NUL-terminated name, if it is not UTF-8.
    var rawName: [CChar]?
  }

  struct Status: Sendable {
    let kind: EntryKind
    let byteCount: Int
    let linkCount: Int
    /// The modification time in seconds since 1970.
    let modified: Int
    /// The nanoseconds within that second, as far as the file system keeps them.
    let modifiedNanoseconds: Int
    /// The access time in seconds since 1970. Whether reading updates it depends on the mount options.
    let accessed: Int
    /// The time of the last change of content, links or permissions, in seconds since 1970.
    let changed: Int
    let device: UInt64
    let inode: UInt64
  }

  /// Returns the status of an entry without following symbolic links; `nil` if it does not exist.
  func status(_ name: String) throws(StorageError) -> Status? {
    var buffer = stat()
    guard fstatat(descriptor, name, &buffer, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw .file(errno, "look at", at(name))
    }
    return Status(buffer)
  }

  /// Returns all entries except `.` and `..`, sorted by the bytes of their names.
  func entries() throws(StorageError) -> [Entry] {
    let reopened = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard reopened >= 0 else { throw .file(errno, "list", path) }
    guard let stream = fdopendir(reopened) else {
      let code = errno
      close(reopened)
      throw .file(code, "list", path)
    }
    defer { closedir(stream) }
    return try entries(of: stream)
  }

  /// Returns the entries of a stream except `.` and `..`, sorted by the bytes of their names.
  /// Throws if readdir(3) fails midway: a caller that copies a directory must not take a part of it
  /// for the whole.
  func entries(of stream: DirectoryStream) throws(StorageError) -> [Entry] {
    var found: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let (name, rawName) = Folder.name(of: entry)
      if name == "." || name == ".." { continue }
      let kind = rawName == nil ? try kind(of: entry, name) : .other
      found.append(Entry(name: name, kind: kind, rawName: rawName))
    }
    guard errno == 0 else { throw .file(errno, "list", path) }
    return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  #if canImport(Glibc)
    typealias DirectoryStream = OpaquePointer
  #else
    typealias DirectoryStream = UnsafeMutablePointer<DIR>
  #endif

  private static func name(
    of entry: UnsafeMutablePointer<dirent>
  ) -> (name: String, raw: [CChar]?) {
    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      let bytes = bytes.prefix { $0 != 0 }
      if let name = String(validating: bytes, as: UTF8.self) { return (name, nil) }
      return (String(decoding: bytes, as: UTF8.self), bytes.map { CChar(bitPattern: $0) } + [0])
    }
  }

  private func kind(
    of entry: UnsafeMutablePointer<dirent>, _ name: String
  ) throws(StorageError) -> EntryKind {
    switch Int(entry.pointee.d_type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .folder
    case Int(DT_LNK): return .link
    // Some file systems do not report the type here.
    case Int(DT_UNKNOWN): return try status(name)?.kind ?? .other
    default: return .other
    }
  }
}

extension Folder.Status {
  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    byteCount = Int(status.st_size)
    linkCount = Int(status.st_nlink)
    #if canImport(Glibc)
      modified = status.st_mtim.tv_sec
      modifiedNanoseconds = status.st_mtim.tv_nsec
      accessed = status.st_atim.tv_sec
      changed = status.st_ctim.tv_sec
    #else
      modified = status.st_mtimespec.tv_sec
      modifiedNanoseconds = status.st_mtimespec.tv_nsec
      accessed = status.st_atimespec.tv_sec
      changed = status.st_ctimespec.tv_sec
    #endif
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
