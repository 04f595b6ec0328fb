import ArchiverCore

/// The exclusive right to change an archive: a `flock` on `.archiver/lock`.
///
/// The kernel releases it when the holder exits, however it exits. The file's content is for
/// messages only: holder, pid, host and start time, one per line.
final class ArchiveLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock. Fails with `.locked` at once if another process holds it.
  ///
  /// - Parameter archive: The archive's path, for the message.
  init(
    in control: Folder, of archive: String, holder: String, now: Date
  ) throws(StorageError) {
    descriptor = try Self.takeLock(in: control, of: archive)
    let text = "\(holder)\n\(getpid())\n\(ArchiveLock.host)\n\(now.formatted(.iso8601))\n"
    ftruncate(descriptor, 0)
    // A failure to write the label is ignored: the lock is held anyway.
    _ = Array(text.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  // Not part of `init`, which would also run `deinit` when it throws: the second `close` could hit
  // a descriptor that another thread has opened in between.
  private static func takeLock(
    in control: Folder, of archive: String
  ) throws(StorageError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let path = control.at(ArchiveLayout.lock)
    let descriptor = openat(control.descriptor, ArchiveLayout.lock, flags, 0o644)
    guard descriptor >= 0 else { throw .file(errno, "open", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let message = ArchiveLock.message(descriptor, archive: archive)
      close(descriptor)
      if code == EWOULDBLOCK { throw StorageError(.locked, message) }
      throw .file(code, "lock", path)
    }
    return descriptor
  }

  deinit {
    // Unlock explicitly. A child that another thread is spawning shares the descriptor until exec,
    // so `close` alone could leave the archive locked.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Whether the process that last took the lock beside a catalog is alive, as far as this host can
  /// tell. Takes no lock.
  static func isHeld(besides catalog: String) -> Bool {
    let path = catalog.dropLast(ArchiveLayout.catalog.utf8.count) + ArchiveLayout.lock
    let descriptor = openPath(String(path), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let lines = label(descriptor)
    guard lines.count == 4, let process = pid_t(lines[1]) else { return false }
    return lines[2] != host || kill(process, 0) == 0 || errno == EPERM
  }

  /// Whether a run holds the lock of an archive. Takes the lock for an instant if no process has it, so call it only
  /// if a run seems to be in progress.
  static func isHeldByRun(in control: Folder) -> Bool {
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openat(control.descriptor, ArchiveLayout.lock, flags)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
      flock(descriptor, LOCK_UN)
      return false
    }
    // On a file system without locks, nothing proves that the run died.
    return errno != EWOULDBLOCK || label(descriptor).first == "run"
  }

  /// Returns holder, pid, host and start time.
  private static func label(_ descriptor: Int32) -> [String] {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  private static func message(_ descriptor: Int32, archive: String) -> String {
    let lines = label(descriptor)
    guard lines.count == 4 else { return "another process holds \(archive)" }
    let place = lines[2] == host ? "" : " on \(lines[2])"
    return "another \(lines[0]) (pid \(lines[1])\(place), since \(lines[3])) holds \(archive)"
  }

  private static var host: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
