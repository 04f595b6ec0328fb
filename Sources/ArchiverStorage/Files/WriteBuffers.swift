import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A buffer in which a body is gathered before it is written. Its memory is a mapping of its own,
/// so the system gets it back on release.
///
/// Unchecked: it has one owner at a time, the sink that fills it or the writer that empties it.
final class WriteBuffer: @unchecked Sendable {
  /// The capacity in bytes.
  static let capacity = 128 << 10
  /// The alignment in bytes that direct I/O needs on any disk (open(2)); no machine has smaller
  /// pages.
  static let alignment = 4_096

  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init() throws(StorageError) {
    let start = mmap(
      nil, WriteBuffer.capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else {
      throw StorageError(.io, "out of memory: cannot allocate a write buffer")
    }
    memory = UnsafeMutableRawBufferPointer(start: start, count: WriteBuffer.capacity)
  }

  deinit {
    munmap(memory.baseAddress, WriteBuffer.capacity)
  }

  /// The available capacity in bytes.
  var room: Int { WriteBuffer.capacity - count }

  /// The number of bytes in whole blocks of a disk.
  var blockBytes: Int { count / WriteBuffer.alignment * WriteBuffer.alignment }

  /// The content; valid until the buffer changes or is released.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Appends bytes, which must fit.
  func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= room, "the buffer is full")
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
  }

  func removeAll() {
    count = 0
  }
}

/// A pool of buffers: mapping and unmapping the same pages thousands of times costs more than
/// copying them.
final class WriteBuffers: Sendable {
  /// The maximum number of idle buffers: about as many as bodies may arrive at once.
  private static let most = 32

  private let idle = Mutex<[WriteBuffer]>([])

  /// Returns an empty buffer.
  func take() throws(StorageError) -> WriteBuffer {
    if let buffer = idle.withLock({ $0.popLast() }) { return buffer }
    return try WriteBuffer()
  }

  /// Returns a buffer to the pool.
  func give(_ buffer: WriteBuffer) {
    buffer.removeAll()
    idle.withLock { idle in
      if idle.count < WriteBuffers.most { idle.append(buffer) }
    }
  }

  /// Frees the buffers kept for reuse, up to 4 MB after many concurrent bodies.
  func release() {
    idle.withLock { $0 = [] }
  }
}
