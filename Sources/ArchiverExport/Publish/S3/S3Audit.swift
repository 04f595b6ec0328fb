import ArchiverCore
import ArchiverStorage
import Synchronization

extension S3Target {
  /// The number of objects that a comparison reads completely.
  private static let samples = 5

  /// Compares the target with the journal: lists all objects, and reads a sample of them. The run
  /// sends missing and different objects again. Objects that a lost journal had recorded are
  /// recognised by their content, or by the manifest.
  func compare(_ files: [PublishedFile]) async throws -> PublishAudit {
    try await abortForgottenUploads(files)
    var there = try await objects()
    var audit = PublishAudit(listed: there.count)
    var missing: [String] = []
    var changed: [String] = []
    var samples: [PublishJournal.Record] = []
    var unnamed: [(record: PublishJournal.Record, object: S3Object)] = []
    var strays: [(record: PublishJournal.Record, object: S3Object)] = []
    let wanted = Set(files.map(\.key))
    try journal.forEach { record in
      guard let object = there.removeValue(forKey: record.key) else {
        return missing.append(record.key)
      }
      guard record.state != .pending else { return }
      // Some servers list the MD5 of the whole object for one that was sent in parts.
      let isSame = object.etag == record.etag || !record.md5.isEmpty && object.etag == record.md5
      if object.byteCount != record.byteCount || !isSame {
        if !wanted.contains(record.key) {
          strays.append((record, object))
        } else if record.etag.isEmpty, object.byteCount == record.byteCount {
          unnamed.append((record, object))
        } else {
          changed.append(record.key)
        }
      } else if record.state == .published, !record.headers.isEmpty {
        samples.append(record)
      }
    }
    try await accept(strays)
    for (record, object) in unnamed {
      if try await !note(object, in: record) { changed.append(record.key) }
    }
    for record in samples.shuffled().prefix(S3Target.samples) {
      audit.read += 1
      if try await sha256(record) != record.sha256 { changed.append(record.key) }
    }
    audit.missing = missing.count
    audit.changed = changed.count + strays.count
    // Without a record, an object counts as new and is sent before the pages that refer to it.
    try journal.remove(missing)
    try journal.set(.pending, changed)
    audit.foreign = try await adopt(there, files)
    if there.count > audit.foreign || !missing.isEmpty || audit.changed > 0 {
      try journal.set(.isManifestOld, "1")
    }
    try noteAudit()
    return audit
  }

  /// Records the present state of objects that differ from what was sent and whose files the
  /// archive lacks, so that they can be deleted. A record without header fields does not prevent
  /// sending the file if it returns.
  private func accept(_ strays: [(record: PublishJournal.Record, object: S3Object)]) async throws {
    guard !strays.isEmpty else { return }
    let named = try await manifest()
    try journal.save(
      strays.map { record, object in
        PublishJournal.Record(
          key: record.key, byteCount: object.byteCount, modified: 0,
          sha256: named[record.key] ?? "", etag: object.etag, state: record.state)
      })
  }

  /// Records the ETag of an object whose upload was confirmed without one. Returns false if the object was
  /// sent with another content.
  private func note(
    _ object: S3Object, in record: PublishJournal.Record
  ) async throws -> Bool {
    try await lock.renew()
    guard try await etag(of: record.key, sha256: record.sha256) != nil else { return false }
    var record = record
    record.etag = object.etag
    try journal.save([record])
    return true
  }

  /// Returns all objects of the target by key, except those of `_archiver`.
  private func objects() async throws -> [String: S3Object] {
    var found: [String: S3Object] = [:]
    var token: String?
    repeat {
      try Task.checkCancellation()
      try await lock.renew()
      let page = try await client.list("", from: token).page
      for object in page.objects where !object.key.hasPrefix(S3Lock.folder) {
        found[object.key] = object
      }
      token = page.next == token ? nil : page.next
    } while token != nil
    return found
  }

  private func sha256(_ record: PublishJournal.Record) async throws -> String {
    let sink = DigestSink()
    let response = try await client.send(
      S3Request(.get, record.key, destination: .sink(sink, limit: record.byteCount)),
      accepting: [404])
    return response.isSuccess ? sink.finish() : ""
  }

  /// Records archiver's objects that the journal lacks. Returns the number of objects that are not archiver's.
  private func adopt(_ objects: [String: S3Object], _ files: [PublishedFile]) async throws -> Int {
    guard !objects.isEmpty else { return 0 }
    var rest = objects
    var records: [PublishJournal.Record] = []
    for file in files {
      guard let object = rest.removeValue(forKey: file.key) else { continue }
      try Task.checkCancellation()
      try await lock.renew()
      records.append(try record(file, object))
    }
    let own = rest.isEmpty ? [:] : try await manifest()
    for (key, object) in rest {
      guard let sha256 = own[key] else { continue }
      // The archive lacks the file, so the plan deletes the object.
      records.append(
        PublishJournal.Record(
          key: key, byteCount: object.byteCount, modified: 0, sha256: sha256, etag: object.etag,
          state: .published))
      rest[key] = nil
    }
    try journal.save(records)
    return rest.count
  }

  /// Returns the record of an object that has the key of a file: published if its content is the file's.
  private func record(
    _ file: PublishedFile, _ object: S3Object
  ) throws -> PublishJournal.Record {
    var record = PublishJournal.Record(
      key: file.key, byteCount: file.byteCount, modified: file.modified, changed: file.changed,
      headers: ContentHeaders(file.key).mark, etag: object.etag)
    guard object.byteCount == file.byteCount else { return record }
    let content = FileContent(root, file)
    let (sha256, md5) = try content.digest()
    record.sha256 = sha256
    record.md5 = md5.map(hex) ?? ""
    if object.etag == record.md5 {
      record.state = .published
    } else if file.byteCount > S3Target.partThreshold {
      let etag = try S3Parts(byteCount: file.byteCount).etag(path: content.slice.path)
      if etag == object.etag { record.state = .published }
    }
    return record
  }

  /// Returns the SHA-256 of the objects that the manifest names, by key; empty if there is none.
  private func manifest() async throws -> [String: String] {
    let response = try await client.send(
      S3Request(.get, S3Target.manifestKey, destination: .memory(limit: 1 << 30)),
      accepting: [404])
    guard response.isSuccess else { return [:] }
    var named: [String: String] = [:]
    for line in String(decoding: response.body, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].utf8.count == 64 else { continue }
      named[String(parts[1].drop { $0 == " " })] = String(parts[0])
    }
    return named
  }
}

/// Computes the SHA-256 of a body.
final class DigestSink: BodySink {
  private let digest = Mutex(ContentDigest())

  func begin(_ head: HTTPResponseHead) { digest.withLock { $0 = ContentDigest() } }

  func receive(_ bytes: UnsafeRawBufferPointer) {
    // The buffer may not leave the call; the digest does not keep it.
    nonisolated(unsafe) let bytes = bytes
    digest.withLock { $0.update(bytes) }
  }

  func finish() -> String { digest.withLock { $0.finish().sha256 } }
}
