package import ArchiverCore
package import ArchiverStorage
import Synchronization

/// A bucket of an S3-compatible storage, or a folder in one.
///
/// `_archiver/` in it contains the lock and the manifest: a line per object with its SHA-256, in
/// the format of `sha256sum -c`. A `PublishJournal` in the archive records what was sent.
package final class S3Target: PublishTarget {
  static let manifestKey = S3Lock.folder + "manifest"
  /// The size in bytes above which a file is sent in parts.
  static let partThreshold = 64 << 20
  /// The size in bytes below which a file is read once, into memory.
  private static let memoryThreshold = 1 << 20
  /// The age at which the comparison with the journal is due, in seconds.
  private static let auditAge = 7 * 86_400.0
  private static let deleteBatch = 1_000

  package let width = 8
  let root: String
  let client: S3Client
  let journal: PublishJournal
  let clock: ArchiverClock
  let lock: S3Lock
  /// Whether the journal may be changed.
  private let isPreview: Bool

  /// - Parameters:
  ///   - root: The archive's path.
  ///   - location: The bucket.
  ///   - credentials: The credentials for it.
  ///   - http: Sends requests; retries after brief failures.
  ///   - journal: The records of what was sent there.
  ///   - clock: The clock of signatures and locks.
  ///   - holder: Describes this process to another one that finds the lock.
  ///   - isPreview: Whether nothing will be sent.
  ///   - patience: The maximum time of retries if the server has responded before.
  package init(
    root: String, location: S3Location, credentials: S3Credentials, http: any HTTPClient,
    journal: PublishJournal, clock: ArchiverClock, holder: String, isPreview: Bool = false,
    patience: Duration = .seconds(120)
  ) {
    self.root = root
    self.journal = journal
    self.clock = clock
    self.isPreview = isPreview
    client = S3Client(location, credentials, http, clock, patience: patience)
    lock = S3Lock(client, journal, clock, holder: holder)
  }

  package var name: String { client.location.name }
  package var requestCount: Int { client.requestCount }

  /// Returns warnings that were not given yet; for a preview all.
  package func takeWarnings() async throws -> [String] {
    guard try await lock.isWarningDue(again: isPreview) else { return [] }
    if !isPreview { try await lock.noteWarning() }
    return [
      "\(name): the server ignores conditional requests, so a weaker lock is used; let only one "
        + "machine publish there"
    ]
  }

  package func known() throws -> [String: PublishedFile] {
    var found: [String: PublishedFile] = [:]
    try journal.forEach { record in
      found[record.key] = PublishedFile(
        key: record.key, byteCount: record.byteCount, modified: record.modified,
        changed: record.changed,
        isLeaving: record.state == .leaving ? true : nil,
        isStale: record.state == .pending || record.headers != ContentHeaders(record.key).mark,
        isUnconfirmed: record.state == .pending && record.sha256.isEmpty && record.etag.isEmpty)
    }
    return found
  }

  package func isSame(_ file: PublishedFile, as known: PublishedFile) throws -> Bool {
    guard var record = try journal.record(file.key), record.state != .pending,
      record.byteCount == file.byteCount, record.headers == ContentHeaders(file.key).mark
    else { return false }
    // A record of an earlier version gets the change time without reading the whole archive.
    let isOld = known.changed == nil && file.looksSame(as: known)
    guard try isOld || FileContent(root, file).digest().sha256 == record.sha256 else {
      return false
    }
    if !isPreview {
      record.modified = file.modified
      record.changed = file.changed
      record.state = .published
      try journal.save([record])
    }
    return true
  }

  package func hasOpenWork(isAsked: Bool) throws -> Bool {
    try isAsked || journal.mark(.isManifestOld) != nil || isAuditDue()
  }

  package func requests(puts byteCounts: [Int], deletes: Int, isSmall: Bool) -> Int {
    let puts = byteCounts.reduce(0) { count, size in
      count + (size > S3Target.partThreshold ? 2 + S3Parts(byteCount: size).count : 1)
    }
    if isSmall { return puts + 1 }
    // Requests for the lock, the manifest, and the release after deletions.
    return puts + (deletes + S3Target.deleteBatch - 1) / S3Target.deleteBatch
      + (deletes > 0 ? 3 : 2)
  }

  package func begin(
    _ files: [PublishedFile], isSmall: Bool, audits: Bool
  ) async throws -> PublishAudit? {
    if isSmall {
      if try await hasKnownManifest() { return nil }
      try journal.set(.audited, "0")
    }
    let isKnown = try journal.mark(.audited) != nil
    let isFresh = isKnown ? false : try await isUnused()
    let isTrusted = try await lock.acquire()
    try await abortOldUploads()
    if isFresh {
      try noteAudit()
      return nil
    }
    // A manifest that is outdated because a run was interrupted needs no comparison.
    guard try audits || !isKnown || !isTrusted || isAuditDue() else { return nil }
    return try await compare(files)
  }

  /// Whether the manifest at the target is the one that was sent last. If not, the target was
  /// emptied or another archiver has published there.
  private func hasKnownManifest() async throws -> Bool {
    let response = try await client.send(S3Request(.head, S3Target.manifestKey), accepting: [404])
    guard response.isSuccess else { return false }
    return try S3Listing.unquoted(response.headers["ETag"] ?? "") == journal.mark(.manifestETag)
  }

  package func sweeps() throws -> Bool { try isAuditDue() }

  private func isAuditDue() throws -> Bool {
    guard let time = try journal.mark(.audited).flatMap({ Double($0) }) else { return true }
    return clock.now().timeIntervalSince1970 - time > S3Target.auditAge
  }

  func noteAudit() throws {
    try journal.set(.audited, String(Int(clock.now().timeIntervalSince1970)))
  }

  /// Whether the target is empty. Throws if its content is not archiver's.
  private func isUnused() async throws -> Bool {
    guard try await !client.list("", limit: 1).page.objects.isEmpty else { return true }
    guard try await !client.list(S3Lock.folder, limit: 1).page.objects.isEmpty else {
      throw PublishError(
        .foreign,
        "\(name) is not empty and was not published by archiver; choose another bucket or prefix")
    }
    return false
  }

  package func announce(_ files: [PublishedFile]) throws {
    let keys = files.map(\.key)
    if keys != [PublishPlan.status] { try journal.set(.isManifestOld, "1") }
    try journal.set(.pending, keys)
  }

  package func put(_ file: PublishedFile) async throws {
    try await lock.renew()
    let content = FileContent(root, file)
    var record = PublishJournal.Record(
      key: file.key, byteCount: file.byteCount, modified: file.modified, changed: file.changed,
      headers: ContentHeaders(file.key).mark, state: .published)
    let bytes = file.byteCount <= S3Target.memoryThreshold ? try content.bytes() : nil
    let (sha256, md5) = try bytes.map(FileContent.digest) ?? content.digest()
    record.sha256 = sha256
    record.md5 = md5.map(hex) ?? ""
    if file.byteCount > S3Target.partThreshold {
      record.etag = try await putParts(file, sha256: sha256)
    } else {
      let body: S3Request.Body =
        bytes.map { .bytes($0) } ?? .file(content.slice, sha256: sha256)
      let response = try await client.send(
        S3Request(
          .put, file.key, headers: headers(file.key, sha256: sha256), body: body, md5: md5))
      record.etag = S3Listing.unquoted(response.headers["ETag"] ?? "")
    }
    try journal.save([record])
  }

  func headers(_ key: String, sha256: String) -> HTTPHeaders {
    let content = ContentHeaders(key)
    return [
      "Content-Type": content.type, "Cache-Control": content.cacheControl,
      "x-amz-meta-sha256": sha256,
    ]
  }

  package func commit(leaving: [PublishedFile], deleting: [PublishedFile]) async throws {
    try journal.set(.leaving, leaving.map(\.key))
    if !deleting.isEmpty { try journal.set(.isManifestOld, "1") }
    guard try journal.mark(.isManifestOld) != nil else { return }
    let gone = Set(deleting.map(\.key))
    var lines: [UInt8] = []
    try journal.forEach { record in
      // The content of an object that another archiver may have written partially is unknown.
      guard record.state != .pending, !record.sha256.isEmpty, record.key != PublishPlan.status,
        !gone.contains(record.key)
      else { return }
      lines += Array("\(record.sha256)  \(record.key)\n".utf8)
    }
    var headers: HTTPHeaders = [
      "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
    ]
    // The run ends with the manifest unless deletions follow.
    if deleting.isEmpty { headers[S3Lock.runField] = lock.token }
    let response = try await client.send(
      S3Request(
        .put, S3Target.manifestKey, headers: headers, body: .bytes(lines), md5: Digest.md5(lines)))
    try journal.set(.manifestETag, S3Listing.unquoted(response.headers["ETag"] ?? ""))
    try journal.set(.isManifestOld, nil)
    await lock.note(isEndKnown: deleting.isEmpty)
  }

  package func makeRoom(_ files: [PublishedFile]) async throws -> Bool {
    guard try await lock.isUndisturbed() else { return false }
    try journal.set(.isManifestOld, "1")
    try await remove(files)
    return true
  }

  package func remove(_ files: [PublishedFile]) async throws {
    var rest = files.map(\.key)[...]
    while !rest.isEmpty {
      try await lock.renew()
      let batch = Array(rest.prefix(S3Target.deleteBatch))
      rest = rest.dropFirst(batch.count)
      // Without the response it is unknown whether an object exists, as for one that was never confirmed.
      try journal.save(batch.map { PublishJournal.Record(key: $0, byteCount: 0, modified: 0) })
      try await client.delete(batch)
      try journal.remove(batch)
    }
  }

  package func finish(isComplete: Bool) async throws {
    if !isComplete { await lock.note(isEndKnown: false) }
    try await lock.release()
  }
}

extension S3Client {
  /// Deletes up to 1,000 objects; missing ones are not an error.
  func delete(_ keys: [String]) async throws {
    let (plain, special) = (keys.filter(XMLText.holds), keys.filter { !XMLText.holds($0) })
    if !plain.isEmpty { try await deleteTogether(plain) }
    try await deleteSingly(special)
  }

  private func deleteSingly(_ keys: [String]) async throws {
    for key in keys { _ = try await send(S3Request(.delete, key), accepting: [404]) }
  }

  private func deleteTogether(_ keys: [String]) async throws {
    let objects = keys.map { key in
      "<Object><Key>\(XMLText.escaped(location.prefix + key))</Key></Object>"
    }
    let bytes = Array("<Delete><Quiet>true</Quiet>\(objects.joined())</Delete>".utf8)
    let response = try await send(
      S3Request(
        .post, query: [(name: "delete", value: "")], headers: ["Content-Type": "application/xml"],
        body: .bytes(bytes), md5: Digest.md5(bytes)),
      accepting: [501])
    guard response.status != 501 else { return try await deleteSingly(keys) }
    guard let failure = XMLText.deleteFailure(response.body) else { return }
    throw PublishError(
      .refused, "\(location.name): an object could not be deleted: \(DisplayLine.of(failure))")
  }
}
