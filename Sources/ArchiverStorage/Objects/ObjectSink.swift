package import ArchiverCore
import Synchronization

/// Streams one response body into the object pool and hashes it in passing.
///
/// A body that fits the buffer is stored from it once complete; a larger one goes through it into a
/// file in staging. Memory stays under 256 KiB whatever the size. An interrupted attempt is
/// resumed with `Range` and `If-Range` (RFC 9110) if the server sent a strong validator and no
/// content coding. Call `finish` or `discard` at the end; otherwise the release of the sink discards
/// the body.
package final class ObjectSink: BodySink {
  /// The minimum prefix of the body that `prefix` keeps: enough to detect its type.
  package static let prefixLimit = 64 << 10

  /// The capacity of the buffer in bytes.
  static let bufferSize = 128 << 10

  /// Bytes written between two checks of the free space.
  private static let spaceInterval = 16 << 20

  private struct State {
    let digest = DigestStream()
    /// Received bytes that are not written yet.
    var buffer: [UInt8] = []
    /// The start of the body, once the buffer no longer holds it.
    var beginning: [UInt8]?
    var received = 0
    /// The declared size; 0 if there is none.
    var announced = 0
    /// The claimed bytes that are still to be written.
    var claimed = 0
    var writtenSinceCheck = 0
    var file: StagedFile?
    var validator: String?
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
      Array((state.beginning ?? state.buffer).prefix(count))
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
        if state.buffer.count == ObjectSink.bufferSize { try flush(&state) }
        if state.buffer.isEmpty { state.buffer.reserveCapacity(ObjectSink.bufferSize) }
        let part = rest.prefix(ObjectSink.bufferSize - state.buffer.count)
        state.buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
        rest = rest.dropFirst(part.count)
      }
    }
  }

  /// Stores the body in the pool and empties the sink. The object becomes durable when a bundle
  /// that uses it is published.
  package func finish() throws(StorageError) -> StoredObject {
    try state.withLock { (state) throws(StorageError) -> StoredObject in
      guard let name = state.file?.name else { return try put(&state) }
      try flush(&state)
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
    defer { reset(&state) }
    try pool.put(state.buffer, as: object)
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
    state.buffer = []
    state.beginning = nil
    state.received = 0
    state.announced = 0
    release(state.claimed, &state)
    state.writtenSinceCheck = 0
    state.validator = nil
  }

  /// Writes the buffer to the file in staging and empties it.
  private func flush(_ state: inout State) throws(StorageError) {
    let size = state.buffer.count
    guard size > 0 else { return }
    if state.beginning == nil {
      state.beginning = Array(state.buffer.prefix(ObjectSink.prefixLimit))
    }
    let file = try stagedFile(&state)
    state.writtenSinceCheck += size
    if state.writtenSinceCheck >= ObjectSink.spaceInterval {
      state.writtenSinceCheck = 0
      try pool.space.require(size, in: pool.staging.folder)
    }
    do throws(StorageError) {
      try pool.fileSystem.announce(.write, file.file.path)
      try file.file.write(state.buffer[...])
      state.buffer.removeAll(keepingCapacity: true)
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
    let file = StagedFile(
      name: name, file: try pool.fileSystem.create(name, in: pool.staging.folder))
    // From here on `discard` removes the file.
    state.file = file
    return file
  }

  /// Returns the strong validator for resuming: an entity tag or a date.
  private static func validator(of head: HTTPResponseHead) -> String? {
    guard head.headers["Content-Encoding"] == nil else { return nil }
    if let tag = head.headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
    return head.headers["Last-Modified"]
  }
}

extension ObjectSink {
  /// The server sent another range than was requested, or an unrequested one.
  package struct UnaskedPart: Error {}

  /// Returns the declared size of a body. With a content or transfer coding `Content-Length` is not
  /// the size of what arrives; trusting it would claim whatever a server declares.
  private static func announced(by head: HTTPResponseHead) -> Int {
    guard head.headers["Content-Encoding"] == nil, head.headers["Transfer-Encoding"] == nil else {
      return 0
    }
    return max(0, head.headers["Content-Length"].flatMap { Int($0) } ?? 0)
  }
}

/// A file in staging that is being written.
private final class StagedFile: Sendable {
  let name: String
  let file: OpenFile

  init(name: String, file: consuming OpenFile) {
    self.name = name
    self.file = file
  }
}
