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
  /// Writes new files past the system's memory (`O_DIRECT` of open(2)) while their owner goes on
  /// (io_submit(2)).
  ///
  /// What nobody is going to read soon need not push out of memory what others read, and what is on its
  /// way to the disk already is not waited for when a batch is made durable. Who has bytes to write never
  /// waits here: while as many writes are under way as do a disk good, it is told to write as usual.
  /// What lies on the disk afterwards still needs a flush, for its size, its name and the drive's cache.
  final class DirectWriter: Sendable {
    /// Bytes from which on a file is worth it.
    static let smallest = 32 << 10
    /// Writes under way at once.
    private static let width = 16

    /// A write under way; its place among `State.writes` is its number for the kernel.
    private struct Write {
      /// Which of all writes it is.
      let order: Int
      /// Whether the kernel has it.
      var isUnderWay = false
      let file: SharedFile
      /// Where its first byte goes.
      let offset: Int
      let buffer: WriteBuffer
      let done: @Sendable (WriteBuffer) -> Void

      /// Bytes that go directly, the first ones of the buffer.
      var length: Int { buffer.blockBytes }
    }

    private struct State {
      /// What the kernel keeps of its part; made for the first write.
      var context: aio_context_t?
      /// The order of the newest write.
      var newest = 0
      /// Writes that the kernel took.
      var begun = 0
      var writes = [Write?](repeating: nil, count: width)
      /// Places that nobody has.
      var idle = Array(0..<width)
      /// Whether somebody waits for the kernel, who is then the only one to take what has ended.
      var isAwaited = false
      var failure: StorageError?
    }

    /// What tests make of the bytes that the kernel says it wrote.
    private let result: @Sendable (Int) -> Int
    /// Held for moments only: those who write many files at once all come here.
    private let state = Mutex(State())
    /// Whether the file system turned a write down.
    private let isRefused = Atomic(false)
    /// Held by who waits.
    private let waiting = Mutex(())

    /// Writes to the file system that a folder is on; `nil` where it is none that is known to do well by
    /// it.
    ///
    /// Those are ext4 and XFS, which set room aside for a file before its bytes come and then write
    /// several at once. Others take the flag and copy all the same, or answer only when a server has it.
    convenience init?(for folder: Folder) {
      var status = statfs()
      // The numbers of ext4 and XFS in statfs(2).
      guard fstatfs(folder.descriptor, &status) == 0,
        [0xEF53, 0x5846_5342].contains(Int(status.f_type))
      else { return nil }
      self.init()
    }

    /// Writes wherever it is told to.
    init(result: @escaping @Sendable (Int) -> Int = { $0 }) {
      self.result = result
    }

    deinit {
      if let context = state.withLock({ $0.context }) { archiver_writes_end(context) }
    }

    /// How many writes were begun.
    var begunCount: Int { state.withLock { $0.begun } }

    /// How many of them nobody has seen the end of.
    var underWayCount: Int { state.withLock { $0.writes.count { $0 != nil } } }

    /// Whether files of so many bytes are to be written here at all.
    func isWorthWhile(_ byteCount: Int) -> Bool {
      byteCount >= DirectWriter.smallest && !isRefused.load(ordering: .relaxed)
    }

    /// Begins to write what a buffer holds to a place in a file that has room set aside for it
    /// (`OpenFile.reserve`); `done` is called when the buffer is free again.
    ///
    /// Returns false, with nothing written, when enough is under way or there is too little to write.
    /// A later failure is told by `finish`.
    func write(
      _ buffer: WriteBuffer, to file: SharedFile, at offset: Int,
      done: @escaping @Sendable (WriteBuffer) -> Void
    ) throws(StorageError) -> Bool {
      guard buffer.count >= DirectWriter.smallest, offset.isMultiple(of: WriteBuffer.alignment),
        let place = takePlace()
      else { return false }
      do throws(StorageError) {
        // The rest is less than a block, which the disk takes from memory only.
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

    /// Waits until all that was begun before has ended. Fails when a write failed, now or earlier: what
    /// was to be made durable is not all there.
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

    /// Gives back what the kernel keeps ready, when nothing is under way: the end of a process waits for
    /// that, some hundredths of a second, and nobody waits for it here. A later write asks for it again.
    func rest() {
      let context: aio_context_t? = state.withLock { state in
        guard state.idle.count == DirectWriter.width else { return nil }
        defer { state.context = nil }
        return state.context
      }
      guard let context else { return }
      DispatchQueue(label: "archiver.direct-writer").async { archiver_writes_end(context) }
    }

    /// Returns a place that nobody has; `nil` when there is none, or no sense in one.
    private func takePlace() -> Int? {
      guard !isRefused.load(ordering: .relaxed) else { return nil }
      let (place, done): (Int?, [Write]) = state.withLock { state in
        var done: [Write] = []
        if let context = state.context {
          // Who waits would wait in vain for what somebody else took.
          if !state.isAwaited { done = take(ended(context, atLeast: 0), &state) }
        } else {
          var context: aio_context_t = 0
          guard archiver_writes_begin(UInt32(DirectWriter.width), &context) == 0 else {
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

    /// Gives the kernel a write, made with its order, which takes as long as some dozen calls.
    private func begin(at place: Int, _ makeWrite: (Int) -> Write) -> Bool {
      let (write, context) = state.withLock { state in
        state.newest += 1
        let write = makeWrite(state.newest)
        // Known before the kernel has it, which may be done with it at once.
        state.writes[place] = write
        return (write, state.context)
      }
      let isTaken =
        context.map {
          archiver_writes_add(
            $0, write.file.file.descriptor, write.buffer.bytes.baseAddress, write.length,
            off_t(write.offset), UInt64(place)) == 1
        } ?? false
      state.withLock { state in
        if isTaken { state.begun += 1 }
        // It may have ended already, and another be in its place.
        guard state.writes[place]?.order == write.order else { return }
        if isTaken {
          state.writes[place]?.isUnderWay = true
        } else {
          state.writes[place] = nil
        }
      }
      return isTaken
    }

    /// Returns what has ended, by place and by the bytes written or the error number below zero.
    private func ended(
      _ context: aio_context_t, atLeast least: Int
    ) -> [(place: Int, result: Int)] {
      withUnsafeTemporaryAllocation(of: io_event.self, capacity: DirectWriter.width) { events in
        let count = archiver_writes_ended(context, least, DirectWriter.width, events.baseAddress)
        return events.prefix(max(0, Int(count))).map { (Int($0.data), Int($0.res)) }
      }
    }

    /// Returns writes that have ended; for `release`.
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

    /// Lets go of the files and buffers of writes that have ended, while nobody waits: a file that is closed
    /// costs as much as all else.
    private func release(_ ended: [Write]) {
      for write in ended { write.done(write.buffer) }
    }

    /// Writes as usual what was cut short: the system does it, or says why it cannot be done.
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
    /// Gives an empty file room for so many bytes, and that size; false where the file system sets none
    /// aside.
    func reserve(_ byteCount: Int) throws(StorageError) -> Bool {
      if fallocate(descriptor, 0, 0, byteCount) == 0 { return true }
      if [EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) { return false }
      throw .file(errno, "write", path)
    }

    /// Returns what `body` returns, whose writes the system is told to take directly; false where it
    /// cannot be told.
    fileprivate func isTakenDirectly(_ body: () -> Bool) -> Bool {
      guard fcntl(descriptor, F_SETFL, ARCHIVER_DIRECT) == 0 else { return false }
      // Cannot fail where the other did not; if it did, the next write to the file would tell.
      defer { _ = fcntl(descriptor, F_SETFL, 0) }
      return body()
    }
  }
#endif
