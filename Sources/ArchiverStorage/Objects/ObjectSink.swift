package import ArchiverCore
import Synchronization

/// Streams one response body into the object pool and hashes it in passing.
///
/// A body that fits a buffer is stored from it once complete; a larger one goes through buffers
/// into a file in staging. Memory stays under 256 KiB whatever the size, besides writes in flight,
/// whose number is bounded for all bodies together. An interrupted attempt is resumed with `Range`
/// and `If-Range` (RFC 9110) if the server sent a strong validator and no content coding. Call
/// `finish` or `discard` at the end; otherwise the release of the sink discards the body.
package final class ObjectSink: BodySink {
  /// The minimum prefix of the body that `prefix` keeps: enough to detect its type.
  package static let prefixLimit = 64 << 10

  /// Bytes written between two checks of the free space.
  private static let spaceInterval = 16 << 20

  private struct State {
    let digest = DigestStream()
    /// Received bytes that are not written yet.
    var buffer: WriteBuffer?
    /// The start of the body, once the buffer no longer holds it.
    var beginning: [UInt8]?
    var received = 0
    /// The declared size; 0 if there is none.
    var announced = 0
    /// The claimed bytes that are still to be written.
    var claimed = 0
    var writtenSinceCheck = 0
    var file: StagedFile?
    /// The bytes written to the file.
    var written = 0
    var validator: String?

    /// Keeps the start of the body before the buffer is reused.
    mutating func begin(_ bytes: UnsafeRawBufferPointer) {
      if beginning == nil { beginning = Array(bytes.prefix(ObjectSink.prefixLimit)) }
    }
  }

  private let pool: ObjectPool
  private let state = Mutex(State())

  init(pool: ObjectPool) {
    self.pool = pool
  }

  deinit {
    discard()
  }

  /// Returns the first `count` bytes received, or fewer; at least `prefixLimit` of them are kept.
  package func prefix(_ count: Int = ObjectSink.prefixLimit) -> [UInt8] {
    state.withLock { state in
      if let beginning = state.beginning { return Array(beginning.prefix(count)) }
      return state.buffer.map { Array($0.bytes.prefix(count)) } ?? []
    }
  }

  /// The bytes received in the current attempt and the attempts it resumed.
  package var byteCount: Int { state.withLock { $0.received } }

  package func attemptHeaders() -> HTTPHeaders {
    state.withLock { state in
      guard state.received > 0, let validator = state.validator else { return [:] }
      return ["Range": "bytes=\(state.received)-", "If-Range": validator]
    }
  }

  package func begin(_ head: HTTPResponseHead) throws {
    try state.withLock { state in
      if head.status == 206 {
        let start = "bytes \(state.received)-"
        guard state.received > 0, head.headers["Content-Encoding"] == nil,
          head.headers["Content-Range"]?.hasPrefix(start) == true
        else {
          state.validator = nil
          throw UnaskedPart()
        }
        return
      }
      try restart(&state)
      state.validator = ObjectSink.validator(of: head)
      state.announced = ObjectSink.announced(by: head)
      try pool.space.claim(state.announced, in: pool.staging.folder)
      state.claimed = state.announced
    }
  }

  package func receive(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      state.digest.update(bytes)
      state.received += bytes.count
      var rest = bytes[...]
      while !rest.isEmpty {
        if let buffer = state.buffer, buffer.room == 0 { try flush(buffer, &state) }
        let buffer = try state.buffer ?? pool.buffers.take()
        state.buffer = buffer
        let part = rest.prefix(buffer.room)
        buffer.append(UnsafeRawBufferPointer(rebasing: part))
        rest = rest.dropFirst(part.count)
      }
    }
  }

  /// Stores the body in the pool and empties the sink. The object becomes durable when a bundle
  /// that uses it is published.
  package func finish() throws(StorageError) -> StoredObject {
    try state.withLock { (state) throws(StorageError) -> StoredObject in
      if state.file == nil { return try put(&state) }
      if let buffer = state.buffer { try flush(buffer, &state) }
      let file = try stagedFile(&state)
      if file.reserved > state.written { try file.file.file.cut(to: state.written) }
      let name = file.name
      let object = StoredObject(sha256: state.digest.finish(), byteCount: state.received)
      state.file = nil
      reset(&state)
      do throws(StorageError) {
        try pool.take(name, as: object)
      } catch {
        pool.staging.discard(name)
        throw error
      }
      return object
    }
  }

  /// Stores a body that fits the buffer, as most images do, without a file in staging.
  private func put(_ state: inout State) throws(StorageError) -> StoredObject {
    let object = StoredObject(sha256: state.digest.finish(), byteCount: state.received)
    // The write below uses the claimed space.
    release(state.claimed, &state)
    let buffer = state.buffer
    state.buffer = nil
    reset(&state)
    if let buffer { try pool.put(buffer, as: object) } else { try pool.put([], as: object) }
    return object
  }

  /// Discards the body. A no-op if there is none.
  package func discard() {
    state.withLock { state in
      if let name = state.file?.name { pool.staging.discard(name) }
      state.file = nil
      reset(&state)
    }
  }

  private func restart(_ state: inout State) throws(StorageError) {
    if let name = state.file?.name {
      state.file = nil
      try pool.fileSystem.removeFile(name, in: pool.staging.folder)
    }
    reset(&state)
  }

  private func reset(_ state: inout State) {
    state.digest.restart()
    if let buffer = state.buffer { pool.buffers.give(buffer) }
    state.buffer = nil
    state.beginning = nil
    state.received = 0
    state.announced = 0
    release(state.claimed, &state)
    state.writtenSinceCheck = 0
    state.written = 0
    state.validator = nil
  }

  private func flush(_ buffer: WriteBuffer, _ state: inout State) throws(StorageError) {
    guard buffer.count > 0 else { return }
    state.begin(buffer.bytes)
    let size = buffer.count
    let file = try stagedFile(&state)
    if state.written + size > file.reserved {
      state.writtenSinceCheck += size
      if state.writtenSinceCheck >= ObjectSink.spaceInterval {
        state.writtenSinceCheck = 0
        try pool.space.require(size, in: pool.staging.folder)
      }
    }
    do throws(StorageError) {
      let isTaken = try pool.fileSystem.write(
        buffer, to: file.file, at: state.written, reserved: file.reserved
      ) { [buffers = pool.buffers] in buffers.give($0) }
      if isTaken { state.buffer = nil } else { buffer.removeAll() }
      state.written += size
      release(min(state.claimed, size), &state)
    } catch {
      let needed = max(state.announced, state.received)
      throw pool.space.explain(error, needed: needed, in: pool.staging.folder)
    }
  }

  private func release(_ size: Int, _ state: inout State) {
    guard size > 0 else { return }
    pool.space.release(size)
    state.claimed -= size
  }

  private func stagedFile(_ state: inout State) throws(StorageError) -> StagedFile {
    if let file = state.file { return file }
    try pool.space.require(state.received, in: pool.staging.folder)
    let name = pool.staging.uniqueName()
    let file = SharedFile(try pool.fileSystem.create(name, in: pool.staging.folder))
    // From here on `discard` removes the file.
    var staged = StagedFile(name: name, file: file)
    state.file = staged
    do throws(StorageError) {
      staged.reserved = try pool.fileSystem.reserve(state.announced, for: file)
    } catch {
      throw pool.space.explain(error, needed: state.announced, in: pool.staging.folder)
    }
    // Preallocated space need not be claimed as well.
    if staged.reserved > 0 { release(state.claimed, &state) }
    state.file = staged
    return staged
  }

  /// Returns the strong validator for resuming: an entity tag or a date.
  private static func validator(of head: HTTPResponseHead) -> String? {
    guard head.headers["Content-Encoding"] == nil else { return nil }
    if let tag = head.headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
    return head.headers["Last-Modified"]
  }
}

/// A file in staging that is being written.
extension ObjectSink {
  /// The server sent another range than was requested, or an unrequested one.
  package struct UnaskedPart: Error {}

  /// Returns the declared size of a body. With a content or transfer coding `Content-Length` is not
  /// the size of what arrives; trusting it would preallocate, or overflow, whatever a server
  /// claims.
  private static func announced(by head: HTTPResponseHead) -> Int {
    guard head.headers["Content-Encoding"] == nil, head.headers["Transfer-Encoding"] == nil else {
      return 0
    }
    return max(0, head.headers["Content-Length"].flatMap { Int($0) } ?? 0)
  }
}

private struct StagedFile {
  let name: String
  let file: SharedFile
  /// The number of preallocated bytes; then also the size of the file.
  var reserved = 0
}
