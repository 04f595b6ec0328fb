import ArchiverCore
import CFileSystem
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

#if os(Linux)
  /// Writes new files with asynchronous direct I/O (`O_DIRECT`, io_submit(2)), bypassing the page
  /// cache.
  ///
  /// Files that will not be read soon evict nothing from the page cache, and a flush finds most of
  /// a batch on disk already. `write` never waits for earlier writes: if too many are in flight it
  /// returns false, and the caller uses buffered I/O. Written files still need a flush, for their
  /// size, their name and the drive's cache.
  final class DirectWriter: Sendable {
    /// The minimum size of a buffer that is written directly, in bytes.
    static let smallest = 32 << 10
    /// The maximum number of writes in flight.
    private static let width = 16

    /// A write in flight. Its index in `State.writes` is its id for the kernel.
    private struct Write {
      /// The sequence number of the write.
      let order: Int
      /// Whether the kernel has accepted it.
      var isUnderWay = false
      let file: SharedFile
      /// The file offset of its first byte.
      let offset: Int
      let buffer: WriteBuffer
      let done: @Sendable (WriteBuffer) -> Void

      /// The number of bytes that are written directly: the whole blocks at the start of the
      /// buffer.
      var length: Int { buffer.blockBytes }
    }

    private struct State {
      /// The kernel's AIO context; created for the first write.
      var context: aio_context_t?
      /// The sequence number of the newest write.
      var newest = 0
      /// The number of writes that the kernel has accepted.
      var begun = 0
      var writes = [Write?](repeating: nil, count: width)
      /// The free slots of `writes`.
      var idle = Array(0..<width)
      /// Whether `finish` is waiting for completions; it is then the only one to reap them.
      var isAwaited = false
      var failure: StorageError?
    }

    /// Replaces the byte count that the kernel returns, for tests.
    private let result: @Sendable (Int) -> Int
    /// Held for moments only: all threads that write files contend for it.
    private let state = Mutex(State())
    /// Whether the file system has refused a direct write.
    private let isRefused = Atomic(false)
    /// Held while waiting in `finish`.
    private let waiting = Mutex(())

    /// Makes a writer for a directory's file system; `nil` if direct writes are not known to pay
    /// there.
    ///
    /// Those file systems are ext4 and XFS, which preallocate space for a file and then accept
    /// several writes at once. Others accept the flag and copy anyway, or block until a server
    /// answers.
    convenience init?(for folder: Folder) {
      var status = statfs()
      // The numbers of ext4 and XFS in statfs(2).
      guard fstatfs(folder.descriptor, &status) == 0,
        [0xEF53, 0x5846_5342].contains(Int(status.f_type))
      else { return nil }
      self.init()
    }

    /// Makes a writer for any file system.
    init(result: @escaping @Sendable (Int) -> Int = { $0 }) {
      self.result = result
    }

    deinit {
      if let context = state.withLock({ $0.context }) { archiver_aio_destroy(context) }
    }

    /// The number of writes submitted.
    var submittedCount: Int { state.withLock { $0.begun } }

    /// The number of writes whose completion has not been reaped.
    var inFlightCount: Int { state.withLock { $0.writes.count { $0 != nil } } }

    /// Whether files of this size should be written directly.
    func shouldWriteDirectly(_ byteCount: Int) -> Bool {
      byteCount >= DirectWriter.smallest && !isRefused.load(ordering: .relaxed)
    }

    /// Submits a buffer for an offset in a file whose space is preallocated (`OpenFile.reserve`).
    /// Calls `done` when the buffer may be reused.
    ///
    /// Returns false, with nothing written, if too many writes are in flight or the buffer is too
    /// small. `finish` reports later failures.
    func write(
      _ buffer: WriteBuffer, to file: SharedFile, at offset: Int,
      done: @escaping @Sendable (WriteBuffer) -> Void
    ) throws(StorageError) -> Bool {
      guard buffer.count >= DirectWriter.smallest, offset.isMultiple(of: WriteBuffer.alignment),
        let place = acquireSlot()
      else { return false }
      do throws(StorageError) {
        // The rest is less than a block; direct I/O accepts whole blocks only.
        try file.file.write(
          UnsafeRawBufferPointer(rebasing: buffer.bytes[buffer.blockBytes...]),
          at: offset + buffer.blockBytes)
        let isTaken = file.file.isTakenDirectly {
          begin(at: place) {
            Write(order: $0, file: file, offset: offset, buffer: buffer, done: done)
          }
        }
        if isTaken { return true }
      } catch {
        state.withLock { $0.idle.append(place) }
        throw error
      }
      isRefused.store(true, ordering: .relaxed)
      state.withLock { $0.idle.append(place) }
      return false
    }

    /// Waits until all writes submitted before have completed. Fails if any write failed, now or
    /// earlier: not all data would be made durable.
    func finish() throws(StorageError) {
      let last = state.withLock { $0.newest }
      waiting.withLock { _ in
        while true {
          let context: aio_context_t? = state.withLock { state in
            state.isAwaited = state.writes.contains {
              $0.map { $0.isUnderWay && $0.order <= last } ?? false
            }
            return state.isAwaited ? state.context : nil
          }
          guard let context else { return }
          let ended = ended(context, atLeast: 1)
          release(state.withLock { take(ended, &$0) })
        }
      }
      if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Destroys the AIO context on another thread, if no write is in flight. Otherwise the exit of
    /// the process would wait for it, some hundredths of a second. A later write creates another.
    func rest() {
      let context: aio_context_t? = state.withLock { state in
        guard state.idle.count == DirectWriter.width else { return nil }
        defer { state.context = nil }
        return state.context
      }
      guard let context else { return }
      DispatchQueue(label: "archiver.direct-writer").async { archiver_aio_destroy(context) }
    }

    /// Returns a free slot; `nil` if there is none or direct writes were refused.
    private func acquireSlot() -> Int? {
      guard !isRefused.load(ordering: .relaxed) else { return nil }
      let (place, done): (Int?, [Write]) = state.withLock { state in
        var done: [Write] = []
        if let context = state.context {
          // While `finish` waits, only it may reap completions; otherwise it could block on one
          // already reaped.
          if !state.isAwaited { done = take(ended(context, atLeast: 0), &state) }
        } else {
          var context: aio_context_t = 0
          guard archiver_aio_setup(UInt32(DirectWriter.width), &context) == 0 else {
            isRefused.store(true, ordering: .relaxed)
            return (nil, [])
          }
          state.context = context
        }
        return (state.idle.popLast(), done)
      }
      release(done)
      return place
    }

    /// Submits a write, made with its sequence number. A submission costs as much as dozens of
    /// system calls, so the lock is not held meanwhile.
    private func begin(at place: Int, _ makeWrite: (Int) -> Write) -> Bool {
      let (write, context) = state.withLock { state in
        state.newest += 1
        let write = makeWrite(state.newest)
        // Stored before the submission: the write may complete at once.
        state.writes[place] = write
        return (write, state.context)
      }
      let isTaken =
        context.map {
          archiver_aio_submit(
            $0, write.file.file.descriptor, write.buffer.bytes.baseAddress, write.length,
            off_t(write.offset), UInt64(place)) == 1
        } ?? false
      state.withLock { state in
        if isTaken { state.begun += 1 }
        // The write may have completed and its slot been reused.
        guard state.writes[place]?.order == write.order else { return }
        if isTaken {
          state.writes[place]?.isUnderWay = true
        } else {
          state.writes[place] = nil
        }
      }
      return isTaken
    }

    /// Reaps completions: the slot of each, and the bytes written or the negative error number.
    private func ended(
      _ context: aio_context_t, atLeast least: Int
    ) -> [(place: Int, result: Int)] {
      withUnsafeTemporaryAllocation(of: io_event.self, capacity: DirectWriter.width) { events in
        let count = archiver_aio_getevents(context, least, DirectWriter.width, events.baseAddress)
        return events.prefix(max(0, Int(count))).map { (Int($0.data), Int($0.res)) }
      }
    }

    /// Frees the slots of completed writes and returns these writes, for `release`.
    private func take(
      _ ended: [(place: Int, result: Int)], _ state: inout State
    ) -> [Write] {
      ended.compactMap { place, result in
        guard let write = state.writes[place] else { return nil }
        if self.result(result) != write.length { repair(write, &state) }
        state.writes[place] = nil
        state.idle.append(place)
        return write
      }
    }

    /// Releases files and buffers of completed writes, outside the lock: closing a file costs as
    /// much as everything else.
    private func release(_ ended: [Write]) {
      for write in ended { write.done(write.buffer) }
    }

    /// Repeats a short or failed write with buffered I/O, which completes it or reports the error.
    private func repair(_ write: Write, _ state: inout State) {
      isRefused.store(true, ordering: .relaxed)
      do throws(StorageError) {
        try write.file.file.write(
          UnsafeRawBufferPointer(rebasing: write.buffer.bytes[..<write.length]), at: write.offset)
      } catch {
        if state.failure == nil { state.failure = error }
      }
    }
  }

  extension OpenFile {
    /// Preallocates an empty file to this size. Returns false if the file system does not support
    /// that.
    func reserve(_ byteCount: Int) throws(StorageError) -> Bool {
      if fallocate(descriptor, 0, 0, byteCount) == 0 { return true }
      if [EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) { return false }
      throw .file(errno, "write", path)
    }

    /// Runs `body` with `O_DIRECT` set on the file. Returns what `body` returns, or false if the
    /// flag is refused.
    fileprivate func isTakenDirectly(_ body: () -> Bool) -> Bool {
      guard fcntl(descriptor, F_SETFL, ARCHIVER_DIRECT) == 0 else { return false }
      // Cannot fail if setting it succeeded; if it did, the next buffered write would report it.
      defer { _ = fcntl(descriptor, F_SETFL, 0) }
      return body()
    }
  }
#endif
