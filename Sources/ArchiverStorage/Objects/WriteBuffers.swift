import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Memory that one body is gathered in before it is written: a mapping of its own, so that the system
/// has it back as soon as it is let go.
///
/// Unchecked: it has one owner at a time, the sink that fills it or the writer that empties it.
final class WriteBuffer: @unchecked Sendable {
  /// Bytes that it holds.
  static let capacity = 128 << 10
  /// Where it lies in memory, in bytes: what direct writes want (open(2)) of any disk, and no more than
  /// the size of any machine's pages.
  static let alignment = 4_096

  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init() throws(StorageError) {
    let start = mmap(
      nil, WriteBuffer.capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else {
      throw StorageError(.io, "There is no memory left to gather a file in.")
    }
    memory = UnsafeMutableRawBufferPointer(start: start, count: WriteBuffer.capacity)
  }

  deinit {
    munmap(memory.baseAddress, WriteBuffer.capacity)
  }

  /// Bytes that it has room for.
  var room: Int { WriteBuffer.capacity - count }

  /// Bytes that it holds, less those at the end that are no whole block of a disk.
  var blockBytes: Int { count / WriteBuffer.alignment * WriteBuffer.alignment }

  /// What it holds; good until it changes or is let go.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Adds bytes, for which there has to be room.
  func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= room, "no room in the buffer")
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
  }

  func removeAll() {
    count = 0
  }
}

/// Buffers that are used again from one body to the next: taking and giving back the same pages
/// thousands of times costs more than copying them.
final class WriteBuffers: Sendable {
  /// Most buffers kept for later, as many as bodies may well arrive at once.
  private static let most = 32

  private let idle = Mutex<[WriteBuffer]>([])

  /// Returns an empty buffer.
  func take() throws(StorageError) -> WriteBuffer {
    if let buffer = idle.withLock({ $0.popLast() }) { return buffer }
    return try WriteBuffer()
  }

  /// Takes a buffer back.
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
