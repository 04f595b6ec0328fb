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
    private static let width = 32

    /// A write under way; its place among `State.writes` is its number for the kernel.
    private struct Write {
      /// Which of all writes it is.
      var order = 0
      let file: SharedFile
      let buffer: WriteBuffer
      let done: @Sendable (WriteBuffer) -> Void

      /// Bytes that go directly.
      var length: Int { buffer.count / WriteBuffer.alignment * WriteBuffer.alignment }
    }

    private struct State {
      /// What the kernel keeps of its part; made for the first write.
      var context: aio_context_t?
      var begun = 0
      var writes = [Write?](repeating: nil, count: width)
      /// Places that nobody has.
      var idle = Array(0..<width)
      /// Whether somebody waits for the kernel, who is then the only one to take what has ended.
      var isAwaited = false
      var failure: StorageError?
      /// Whether the file system turned a write down.
      var isRefused = false
    }

    /// What tests make of the bytes that the kernel says it wrote.
    private let result: @Sendable (Int) -> Int
    private let state = Mutex(State())
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

    /// Begins to write a new, empty file; `done` is called when the buffer is free again.
    ///
    /// Returns false, with nothing written, when enough is under way or the file is too small. Fails
    /// when there is no room for it. A later failure is told by `finish`.
    func write(
      _ buffer: WriteBuffer, to file: SharedFile, done: @escaping @Sendable (WriteBuffer) -> Void
    ) throws(StorageError) -> Bool {
      guard buffer.count >= DirectWriter.smallest, let place = reserve() else { return false }
      do throws(StorageError) {
        let write = Write(file: file, buffer: buffer, done: done)
        if try file.file.prepareDirectWrite(of: buffer.bytes, whole: write.length),
          begin(write, at: place)
        {
          return true
        }
        state.withLock { state in
          state.idle.append(place)
          state.isRefused = true
        }
        try file.file.endDirectWrite()
        return false
      } catch {
        state.withLock { $0.idle.append(place) }
        throw error
      }
    }

    /// Waits until all that was begun before has ended. Fails when a write failed, now or earlier: what
    /// was to be made durable is not all there.
    func finish() throws(StorageError) {
      let last = state.withLock { $0.begun }
      waiting.withLock { _ in
        while true {
          let context: aio_context_t? = state.withLock { state in
            state.isAwaited = state.writes.contains { $0.map { $0.order <= last } ?? false }
            return state.isAwaited ? state.context : nil
          }
          guard let context else { return }
          let ended = ended(context, atLeast: 1)
          state.withLock { take(ended, &$0) }
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
    private func reserve() -> Int? {
      state.withLock { state in
        guard !state.isRefused else { return nil }
        if let context = state.context {
          // Who waits would wait in vain for what somebody else took.
          if !state.isAwaited { take(ended(context, atLeast: 0), &state) }
        } else {
          var context: aio_context_t = 0
          guard archiver_writes_begin(UInt32(DirectWriter.width), &context) == 0 else {
            state.isRefused = true
            return nil
          }
          state.context = context
        }
        return state.idle.popLast()
      }
    }

    private func begin(_ write: Write, at place: Int) -> Bool {
      state.withLock { state in
        var write = write
        write.order = state.begun + 1
        // Known before the kernel has it, which may be done with it at once.
        state.writes[place] = write
        guard let context = state.context,
          archiver_writes_add(
            context, write.file.file.descriptor, write.buffer.bytes.baseAddress, write.length,
            UInt64(place)) == 1
        else {
          state.writes[place] = nil
          return false
        }
        state.begun += 1
        return true
      }
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

    private func take(_ ended: [(place: Int, result: Int)], _ state: inout State) {
      for (place, result) in ended {
        guard let write = state.writes[place] else { continue }
        if self.result(result) != write.length { repair(write, &state) }
        state.writes[place] = nil
        state.idle.append(place)
        write.done(write.buffer)
      }
    }

    /// Writes as usual what was cut short: the system does it, or says why it cannot be done.
    private func repair(_ write: Write, _ state: inout State) {
      state.isRefused = true
      do throws(StorageError) {
        try write.file.file.endDirectWrite()
        try write.file.file.write(write.buffer.bytes)
      } catch {
        if state.failure == nil { state.failure = error }
      }
    }
  }

  extension OpenFile {
    /// Gives an empty file its room, its size and what follows its `whole` bytes, and makes it ready for
    /// these to be written directly; false where the file system does not do that.
    fileprivate func prepareDirectWrite(
      of bytes: UnsafeRawBufferPointer, whole: Int
    ) throws(StorageError) -> Bool {
      guard fallocate(descriptor, 0, 0, bytes.count) == 0 else {
        if [EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) { return false }
        throw .file(errno, "write", path)
      }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[whole...])
      if !rest.isEmpty,
        pwrite(descriptor, rest.baseAddress, rest.count, off_t(whole)) != rest.count
      {
        return false
      }
      return fcntl(descriptor, F_SETFL, ARCHIVER_DIRECT) == 0
    }

    /// Makes the file one to write as usual again, from its beginning.
    fileprivate func endDirectWrite() throws(StorageError) {
      guard fcntl(descriptor, F_SETFL, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
        throw .file(errno, "write", path)
      }
    }
  }

  /// An open file that several own, closed when the last of them lets it go.
  final class SharedFile: Sendable {
    let file: OpenFile

    init(_ file: consuming OpenFile) {
      self.file = file
    }
  }
#endif
