import ArchiverCore

/// The folder in which a program leaves files for archiver.
package struct HandoverFolder {
  let path: String
  let limit: Int

  package init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Reads a file and removes it.
  ///
  /// Only a regular file directly in the folder is read; symbolic links are not followed.
  func take(_ name: String) throws(AdapterError) -> [UInt8] {
    guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), name != ".", name != ".." else {
      throw AdapterError(.malformed, "'\(name)' is not the name of a file in the handover folder")
    }
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw AdapterError(.malformed, "the file '\(name)' cannot be read: \(systemMessage())")
    }
    defer {
      close(descriptor)
      unlink(file)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw AdapterError(.malformed, "'\(name)' is not a regular file")
    }
    guard status.st_size <= limit else {
      throw AdapterError(
        .tooLarge, "the file '\(name)' is too large \(Limit.fixed(bytes: limit))")
    }
    return try contents(descriptor, size: Int(status.st_size), name)
  }

  private func contents(
    _ descriptor: Int32, size: Int, _ name: String
  ) throws(AdapterError) -> [UInt8] {
    var offset = 0
    var failure = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while offset < size {
        let read = read(descriptor, buffer.baseAddress?.advanced(by: offset), size - offset)
        if read < 0, errno == EINTR { continue }
        failure = read < 0
        if read <= 0 { break }
        offset += read
      }
      count = offset
    }
    if failure { throw AdapterError(.malformed, "the file '\(name)' cannot be read") }
    return bytes
  }
}
