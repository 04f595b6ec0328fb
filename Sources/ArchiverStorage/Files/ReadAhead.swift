import ArchiverCore
import CFileSystem
import Dispatch

/// Reads files into the page cache that will be read soon.
///
/// Reading thousands of small files sequentially waits for the disk each time: for the directory,
/// the inode, the bytes. Several threads request the next files concurrently, so that several
/// requests are queued at the disk. If two samples are in the page cache, the other files are
/// assumed to be, as asking would cost as much as reading. Nothing is kept, and errors are left to
/// the reader.
package final class ReadAhead: Sendable {
  /// The number of requests queued at the disk.
  private static let width = 8

  private let root: String
  /// Serial queues: each gets a thread of its own that may block.
  private let queues: [DispatchQueue]

  /// Reads files of the archive at `root`.
  package init(root: String) {
    self.root = root
    queues = (0..<ReadAhead.width).map { DispatchQueue(label: "archiver.read-ahead.\($0)") }
  }

  /// Begins to read files, given by their paths relative to the archive. Returns at once.
  package func read(_ paths: [String]) {
    guard let first = paths.first else { return }
    let (root, queues) = (root, queues)
    queues[0].async {
      let samples = [first, paths[paths.count / 2]]
      guard samples.contains(where: { ArchiveFile($0, in: root).readAhead() }) else { return }
      for (number, queue) in queues.enumerated() {
        queue.async {
          for place in stride(from: number, to: paths.count, by: queues.count) {
            ArchiveFile(paths[place], in: root).readAhead()
          }
        }
      }
    }
  }
}

extension ArchiveFile {
  /// Asks the system to read the whole file, without waiting. Returns whether it was not in the
  /// page cache.
  @discardableResult
  func readAhead() -> Bool {
    // Errors are left to the reader of the file.
    guard let (parent, name) = place, let file = try? OpenFile.reading(name, in: parent),
      !file.isInMemory
    else { return false }
    #if canImport(Glibc)
      posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_WILLNEED)
    #else
      var range = radvisory(ra_offset: 0, ra_count: .max)
      _ = fcntl(file.descriptor, F_RDADVISE, &range)
    #endif
    return true
  }
}

extension OpenFile {
  /// Whether the file's first byte is in the page cache; false if the system does not tell.
  var isInMemory: Bool {
    #if os(Linux)
      var byte: UInt8 = 0
      return withUnsafeMutableBytes(of: &byte) { bytes in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: 1)
        return preadv2(descriptor, &part, 1, 0, ARCHIVER_READ_NOWAIT) >= 0
      }
    #else
      false
    #endif
  }
}
