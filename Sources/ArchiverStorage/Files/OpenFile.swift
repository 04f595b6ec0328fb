import ArchiverCore

/// An open file, closed on release.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  private let folder: String
  private let name: String

  init(owning descriptor: Int32, _ name: String, in folder: Folder) {
    self.descriptor = descriptor
    self.folder = folder.path
    self.name = name
  }

  /// The path for messages; computed, as few files occur in one.
  var path: String { "\(folder)/\(name)" }

  deinit {
    close(descriptor)
  }

  /// Opens a regular file for reading without following a symbolic link.
  static func reading(_ name: String, in folder: Folder) throws(StorageError) -> OpenFile {
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = openat(folder.descriptor, name, flags)
    guard descriptor >= 0 else { throw .file(errno, "open", folder.at(name)) }
    let file = OpenFile(owning: descriptor, name, in: folder)
    guard try file.status().kind == .file else {
      throw StorageError(.damaged, "\(file.path) is not a regular file")
    }
    return file
  }

  func status() throws(StorageError) -> Folder.Status {
    var buffer = stat()
    guard fstat(descriptor, &buffer) == 0 else { throw .file(errno, "look at", path) }
    return Folder.Status(buffer)
  }

  /// Writes all bytes, with as many calls as needed.
  func write(_ bytes: ArraySlice<UInt8>) throws(StorageError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(StorageError) in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[done...])
        let count = retried { unistdWrite(descriptor, rest) }
        guard count >= 0 else { throw .file(errno, "write", path) }
        done += count
      }
    }
  }

  /// Reads up to the buffer's size. Returns 0 at the end.
  func read(into buffer: inout [UInt8]) throws(StorageError) -> Int {
    let count = buffer.withUnsafeMutableBytes { bytes in
      retried { unistdRead(descriptor, bytes) }
    }
    guard count >= 0 else { throw .file(errno, "read", path) }
    return count
  }

  /// Reads a range of the file; fewer bytes if the file is shorter.
  func read(_ range: Range<Int>) throws(StorageError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, used in
      while used < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[used...])
        let count = retried {
          pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + used))
        }
        if count < 0 { failure = errno }
        guard count > 0 else { return }
        used += count
      }
    }
    guard failure == 0 else { throw .file(failure, "read", path) }
    return bytes
  }

  /// Reads the whole file.
  func readAll() throws(StorageError) -> [UInt8] {
    // One byte more than its size, so that the first call reaches the end.
    var room = try status().byteCount + 1
    var bytes: [UInt8] = []
    while true {
      let piece = try read(bytes.count..<bytes.count + room)
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if piece.count < room { return bytes }
      room = 64 << 10
    }
  }

  /// Makes the file durable, drive caches included.
  func synchronise() throws(StorageError) {
    guard synchroniseDescriptor(descriptor) else { throw .file(errno, "synchronise", path) }
  }
}

/// Repeats a call that a signal interrupted.
private func retried(_ call: () -> Int) -> Int {
  while true {
    let count = call()
    if count >= 0 || errno != EINTR { return count }
  }
}

private func unistdWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func unistdRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}

/// Opens a path. Members of types here are named `open`, hence this name.
func openPath(_ path: String, _ flags: Int32) -> Int32 {
  open(path, flags)
}

/// Flushes a file or directory to the medium; returns false with the reason in `errno`.
func synchroniseDescriptor(_ descriptor: Int32) -> Bool {
  #if canImport(Darwin)
    // On this system fsync leaves the data in the drive's cache.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
  #endif
  return fsync(descriptor) == 0
}
