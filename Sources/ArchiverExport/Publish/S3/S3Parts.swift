import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// The division of a large file into parts.
struct S3Parts {
  let byteCount: Int
  let partSize: Int

  /// The maximum number of parts that S3 allows.
  private static let limit = 10_000
  private static let usualSize = 16 << 20

  init(byteCount: Int) {
    self.byteCount = byteCount
    let least = (byteCount + S3Parts.limit - 1) / S3Parts.limit
    let mebibyte = 1 << 20
    partSize = max(S3Parts.usualSize, (least + mebibyte - 1) / mebibyte * mebibyte)
  }

  var count: Int { (byteCount + partSize - 1) / partSize }

  /// Returns a part of the file at a path; the first has the number 1.
  func slice(_ number: Int, path: String) -> FileSlice {
    let offset = (number - 1) * partSize
    return FileSlice(path: path, offset: offset, byteCount: min(partSize, byteCount - offset))
  }

  /// Returns the ETag that most servers give an object of these parts.
  func etag(path: String) throws(PublishError) -> String? {
    var all: [UInt8] = []
    for number in 1...max(1, count) {
      guard let md5 = try FileContent(slice(number, path: path)).digest().md5 else { return nil }
      all += md5
    }
    return Digest.md5(all).map { "\(hex($0))-\(count)" }
  }
}

extension S3Target {
  /// The age in seconds at which an incomplete upload counts as abandoned.
  private static let uploadAge = 7 * 86_400.0

  /// Sends a large file in parts and returns its ETag. Continues an upload of the same content that was
  /// interrupted.
  func putParts(_ file: PublishedFile, sha256: String) async throws -> String {
    let parts = S3Parts(byteCount: file.byteCount)
    let upload: PublishJournal.Upload
    var done: [Int: String] = [:]
    switch try await resume(file, sha256: sha256, parts) {
    case .complete(let etag): return etag
    case .begun(let known, let confirmed): (upload, done) = (known, confirmed)
    case .nothing: upload = try await startUpload(file, sha256: sha256, parts)
    }
    for number in 1...parts.count where done[number] == nil {
      try Task.checkCancellation()
      try await lock.renew()
      let slice = parts.slice(number, path: "\(root)/\(file.key)")
      let (digest, md5) = try FileContent(slice).digest()
      let response = try await client.send(
        S3Request(
          .put, file.key,
          query: [
            (name: "partNumber", value: String(number)), (name: "uploadId", value: upload.id),
          ], body: .file(slice, sha256: digest), md5: md5))
      let etag = S3Listing.unquoted(response.headers["ETag"] ?? "")
      try journal.save(part: number, of: file.key, etag: etag)
      done[number] = etag
    }
    let etag = try await complete(upload, done)
    try journal.end(uploadOf: file.key)
    return etag
  }

  private func startUpload(
    _ file: PublishedFile, sha256: String, _ parts: S3Parts
  ) async throws -> PublishJournal.Upload {
    let response = try await client.send(
      S3Request(
        .post, file.key, query: [(name: "uploads", value: "")],
        headers: headers(file.key, sha256: sha256)))
    guard let id = XMLText.value("UploadId", in: response.body), !id.isEmpty else {
      throw PublishError(.refused, "\(name): the server gave an upload no name")
    }
    let upload = PublishJournal.Upload(
      key: file.key, id: id, sha256: sha256, byteCount: file.byteCount, partSize: parts.partSize,
      begun: clock.now())
    try journal.begin(upload)
    return upload
  }

  /// The state of an interrupted upload.
  private enum Interrupted {
    case nothing
    /// The upload, and the ETags of the parts that the server has.
    case begun(PublishJournal.Upload, [Int: String])
    /// The ETag of the object.
    case complete(String)
  }

  /// Returns the state of an interrupted upload of the same content. Aborts an upload of other content.
  private func resume(
    _ file: PublishedFile, sha256: String, _ parts: S3Parts
  ) async throws -> Interrupted {
    guard let found = try journal.uploads().first(where: { $0.key == file.key }) else {
      return .nothing
    }
    guard found.sha256 == sha256, found.byteCount == file.byteCount,
      found.partSize == parts.partSize
    else {
      try await abort(found)
      return .nothing
    }
    let own = try journal.parts(of: file.key)
    if let there = try await listParts(found.key, found.id) {
      return .begun(found, own.filter { there[$0.key]?.etag == $0.value })
    }
    // The server forgets an upload when it is completed.
    let etag = try await etag(of: file.key, sha256: sha256)
    try journal.end(uploadOf: file.key)
    return etag.map { .complete($0) } ?? .nothing
  }

  /// Returns the ETag of an object if it has this content; `nil` otherwise.
  func etag(of key: String, sha256: String) async throws -> String? {
    let head = try await client.send(S3Request(.head, key), accepting: [404])
    guard head.isSuccess, head.headers["x-amz-meta-sha256"] == sha256 else { return nil }
    return S3Listing.unquoted(head.headers["ETag"] ?? "")
  }

  private struct Part {
    var etag: String
    /// The time of sending by the server's clock; `nil` if unknown.
    var modified: Date?
  }

  /// Returns the parts that the server has; `nil` if it does not know the upload.
  private func listParts(_ key: String, _ id: String) async throws -> [Int: Part]? {
    var found: [Int: Part] = [:]
    var marker: String?
    repeat {
      var query = [(name: "uploadId", value: id)]
      if let marker { query.append((name: "part-number-marker", value: marker)) }
      let response = try await client.send(S3Request(.get, key, query: query), accepting: [404])
      // An unreadable list has no parts: they are sent again.
      guard response.isSuccess, let root = try? XMLDocument(response.body).root else { return nil }
      for part in root.children("Part") {
        guard let number = part.child("PartNumber").flatMap({ Int($0.words) }) else { continue }
        found[number] = Part(
          etag: S3Listing.unquoted(part.child("ETag")?.words ?? ""),
          modified: S3Listing.time(part.child("LastModified")))
      }
      let next = root.child("NextPartNumberMarker")?.words
      marker = root.child("IsTruncated")?.words == "true" && next != marker ? next : nil
    } while marker != nil
    return found
  }

  private func complete(
    _ upload: PublishJournal.Upload, _ parts: [Int: String]
  ) async throws -> String {
    let list = parts.sorted { $0.key < $1.key }.map { number, etag in
      "<Part><PartNumber>\(number)</PartNumber><ETag>\"\(XMLText.escaped(etag))\"</ETag></Part>"
    }
    let text = "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
    let response = try await client.send(
      S3Request(
        .post, upload.key, query: [(name: "uploadId", value: upload.id)],
        headers: ["Content-Type": "application/xml"], body: .bytes(Array(text.utf8))),
      accepting: [404])
    if response.status == 404 { return try await completedBefore(upload, response) }
    // The status is sent before the parts are joined, so a failure comes with 200.
    if let failure = S3Failure(inSuccess: response, client.location, now: clock.now()) {
      throw failure
    }
    let etag = S3Listing.unquoted(
      XMLText.value("ETag", in: response.body) ?? response.headers["ETag"] ?? "")
    // Some servers leave it empty.
    return etag.isEmpty ? try await self.etag(of: upload.key, sha256: upload.sha256) ?? "" : etag
  }

  /// Returns the ETag of an object whose upload was completed although the response was lost.
  private func completedBefore(
    _ upload: PublishJournal.Upload, _ refusal: HTTPResponse
  ) async throws -> String {
    if let etag = try await etag(of: upload.key, sha256: upload.sha256) { return etag }
    // The next run begins a new upload.
    try journal.end(uploadOf: upload.key)
    throw S3Failure(refusal, client.location, now: clock.now())
  }

  private func abort(_ upload: PublishJournal.Upload) async throws {
    try await abort(upload.key, upload.id)
    try journal.end(uploadOf: upload.key)
  }

  private func abort(_ key: String, _ id: String) async throws {
    _ = try await client.send(
      S3Request(.delete, key, query: [(name: "uploadId", value: id)]), accepting: [404])
  }

  // MARK: Abandoned uploads

  /// Aborts this journal's uploads that were not continued for a week: stored parts are charged.
  func abortOldUploads() async throws {
    for upload in try journal.uploads() where isOld(upload.begun) {
      if try await isAbandoned(upload.key, upload.id) { try await abort(upload) }
    }
  }

  /// Aborts uploads that were not continued for a week and that no journal contains: from a run
  /// that was killed before it recorded the response, or from a lost journal. In a bucket without a
  /// prefix, aborts only those whose keys the archive or the journal contains: others may be
  /// another program's.
  func abortForgottenUploads(_ files: [PublishedFile]) async throws {
    let known = Set(try journal.uploads().map(\.id))
    let keys = client.location.prefix.isEmpty ? Set(files.map(\.key)) : []
    for upload in try await client.uploads() where !known.contains(upload.id) {
      guard upload.begun.map(isOld) ?? false else { continue }
      let isOwn =
        try !client.location.prefix.isEmpty || keys.contains(upload.key)
        || journal.record(upload.key) != nil
      guard isOwn, try await isAbandoned(upload.key, upload.id) else { continue }
      try await lock.renew()
      try await abort(upload.key, upload.id)
    }
  }

  private func isOld(_ time: Date) -> Bool {
    clock.now().timeIntervalSince(time) > S3Target.uploadAge
  }

  /// Whether no part of an old upload is younger than a week.
  private func isAbandoned(_ key: String, _ id: String) async throws -> Bool {
    guard let parts = try await listParts(key, id) else { return true }
    return parts.values.allSatisfy { $0.modified.map(isOld) ?? true }
  }
}
