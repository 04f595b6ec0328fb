import ArchiverCore
import ArchiverStorage

/// The lock of a bucket, which admits one archiver at a time.
///
/// If the server honours conditional requests, the lock is one object, `_archiver/lock`. It is
/// created with `If-None-Match: *`, taken over and renewed with `If-Match`, and released by writing
/// an expired one. A journal that finds the lock as it left it knows that no other archiver has
/// published meanwhile.
///
/// On other servers each journal has an object in `_archiver/locks`: each run writes its own, lists
/// all and gives way if there is another.
///
/// Each run has a token, which is in the journal before it is in the lock. The journal therefore
/// recognises the lock of its own run that was killed. A copy of the journal, such as one from a
/// backup, does not count: it cannot know whether that run is alive or how far it came.
///
/// A run whose last request wrote the manifest needs no release: the manifest contains the run's
/// token (`runField`), and a lock with the same token is not in force.
actor S3Lock {
  /// How the server treats conditional requests.
  private enum Conditions: String {
    case honoured
    /// Honoured, but `If-Match` takes the ETag without quotes.
    case unquoted
    case ignored
    /// Ignored, and the user was notified.
    case ignoredAndTold

    var isWeak: Bool { self == .ignored || self == .ignoredAndTold }
  }

  private struct Content: Codable {
    /// The token of the run that wrote the lock.
    var token: String
    var holder: String
    /// The time of expiry in seconds since 1970; 0 after the release.
    var expires: Int
  }

  private struct Held {
    /// The ETag of the lock; `nil` if each journal has an object of its own.
    var etag: String?
    var renewed: Date
  }

  static let folder = "_archiver/"
  /// The header field of the manifest with the token of the run that wrote it.
  static let runField = "x-amz-meta-run"
  private static let key = folder + "lock"
  private static let probeKey = folder + "probe"
  private static let lockFolder = folder + "locks/"
  private static let lifetime = 1_800.0
  private static let renewal = 300.0
  private static let attempts = 3

  private let client: S3Client
  private let journal: PublishJournal
  private let clock: ArchiverClock
  private let holder: String
  /// The token of this run.
  nonisolated let token = UUID().uuidString
  private var held: Held?
  /// Whether the manifest contains this run's token and nothing was changed after it.
  private var isEndKnown = false

  init(_ client: S3Client, _ journal: PublishJournal, _ clock: ArchiverClock, holder: String) {
    self.client = client
    self.journal = journal
    self.clock = clock
    self.holder = holder
  }

  /// Acquires the lock; throws `PublishError.locked` if another archiver holds it.
  ///
  /// - Returns: Whether it is certain that no other archiver has published since the journal was written.
  func acquire() async throws -> Bool {
    if held != nil { return true }
    let left = try leftTokens()
    try record(left.union([token]))
    let isTrusted =
      try await conditions().isWeak ? acquireOwnObject() : acquireSharedObject(left)
    try record([token])
    return isTrusted
  }

  /// Whether this run has the lock, or no other archiver has published since the journal was
  /// written. Writes nothing, so it works if the target is full.
  func isUndisturbed() async throws -> Bool {
    if held != nil { return true }
    guard try journal.mark(.audited).flatMap({ Double($0) }) ?? 0 > 0 else { return false }
    let left = try leftTokens()
    if try await conditions().isWeak {
      let page = try await client.list(S3Lock.folder).page
      return try foreign(page).isEmpty && hasKnownManifest(page)
    }
    guard let (content, etag, _) = try await read() else { return false }
    let isReleased = try etag == journal.mark(.lockETag)
    return isReleased || left.contains(content.token) && content.expires > 0
  }

  // MARK: Tokens

  /// Returns the tokens of runs that recorded in this journal that they would acquire the lock, and
  /// neither that they acquired nor that they released it. Empty if the journal is a copy.
  private func leftTokens() throws -> Set<String> {
    let words = (try journal.mark(.writer) ?? "").split(separator: " ").map(String.init)
    return words.first == place ? Set(words.dropFirst()).subtracting([token]) : []
  }

  private func record(_ tokens: Set<String>) throws {
    try journal.set(.writer, ([place] + tokens.sorted()).joined(separator: " "))
  }

  /// The inode of the journal's file, which differs in a copy.
  private var place: String {
    var status = stat()
    return stat(journal.path, &status) == 0 ? String(status.st_ino) : "0"
  }

  /// Makes a comparison due. Call it before writing the lock, which hides that another archiver may have published.
  private func distrust() throws { try journal.set(.audited, "0") }

  /// Renews the lock if it was written more than five minutes ago. Throws if another archiver has taken it.
  func renew() async throws {
    guard let current = held, clock.now().timeIntervalSince(current.renewed) > S3Lock.renewal else {
      return
    }
    held?.renewed = clock.now()
    guard let etag = current.etag else {
      _ = try await client.send(ownObject(.put))
      return
    }
    if let new = try await write(expires: true, match: etag) { return try hold(new) }
    guard let (content, etag, _) = try await read(), content.token == token else {
      held = nil
      throw PublishError(.locked, "\(client.location.name): another archiver took over the lock")
    }
    try hold(etag)
  }

  /// Records whether the manifest contains this run's token and nothing will change after it.
  func note(isEndKnown: Bool) { self.isEndKnown = isEndKnown }

  /// Releases the lock; a no-op without it. Sends no request if the manifest shows that this run has ended.
  func release() async throws {
    guard let current = held else { return }
    held = nil
    if let etag = current.etag {
      let left = isEndKnown ? etag : try await write(expires: false, match: etag)
      try journal.set(.lockETag, left)
    } else if !isEndKnown {
      _ = try await client.send(ownObject(.delete), accepting: [404])
    }
    try record([])
  }

  /// Returns the token of a run that ended with the manifest as its last request; `nil` if there is none.
  private func endedRun() async throws -> String? {
    let response = try await client.send(
      S3Request(.head, S3Target.manifestKey), accepting: [404])
    return response.isSuccess ? response.headers[S3Lock.runField] : nil
  }

  /// Whether to warn the user that only the weaker lock is possible: if that was not done yet or,
  /// with `again`, in any case.
  func isWarningDue(again: Bool) throws -> Bool {
    let known = try journal.mark(.conditions).flatMap { Conditions(rawValue: $0) }
    return known == .ignored || again && known == .ignoredAndTold
  }

  /// Records that the user was warned.
  func noteWarning() throws {
    try journal.set(.conditions, Conditions.ignoredAndTold.rawValue)
  }

  // MARK: Conditional requests

  private func hold(_ etag: String) throws {
    held = Held(etag: etag, renewed: clock.now())
    // A killed run leaves its lock; the next run of this journal recognises it by its token.
    try journal.set(.lockETag, nil)
  }

  /// Tests, once per journal, how the server treats conditional requests.
  private func conditions() async throws -> Conditions {
    if let known = try journal.mark(.conditions).flatMap({ Conditions(rawValue: $0) }) {
      return known
    }
    let found = try await probe()
    try journal.set(.conditions, found.rawValue)
    return found
  }

  private func probe() async throws -> Conditions {
    func put(_ headers: HTTPHeaders, accepting: Set<Int>) async throws -> HTTPResponse {
      try await client.send(
        S3Request(
          .put, S3Lock.probeKey, headers: headers, body: .bytes(Array("probe\n".utf8))),
        accepting: accepting)
    }
    _ = try await put([:], accepting: [])
    var result = Conditions.ignored
    if try await put(["If-None-Match": "*"], accepting: [412, 501]).status == 412 {
      let wrong: HTTPHeaders = ["If-Match": "\"00000000000000000000000000000000\""]
      if try await !put(wrong, accepting: [404, 412, 501]).isSuccess { result = .honoured }
    }
    _ = try await client.send(S3Request(.delete, S3Lock.probeKey), accepting: [404])
    return result
  }

  private func acquireSharedObject(_ left: Set<String>) async throws -> Bool {
    if let etag = try journal.mark(.lockETag),
      let new = try await write(expires: true, match: etag)
    {
      try hold(new)
      return true
    }
    return try await takeOver(left)
  }

  /// Takes over a lock that is released, expired, or was left by a run of this journal.
  private func takeOver(_ left: Set<String>) async throws -> Bool {
    for _ in 0..<S3Lock.attempts {
      guard let (content, etag, now) = try await read() else {
        try distrust()
        if let new = try await write(expires: true, match: nil) {
          try hold(new)
          return false
        }
        continue
      }
      let isOwn = left.contains(content.token)
      if content.token == token {
        // The response to the request that wrote it was lost.
        try hold(etag)
        return false
      }
      let isOver =
        if isOwn || Double(content.expires) < now.timeIntervalSince1970 {
          true
        } else {
          try await content.token == endedRun()
        }
      guard isOver else { throw locked(by: content.holder, until: content.expires) }
      // Another run, which has released the lock since this journal was written, may have changed objects.
      let isTrusted = isOwn && content.expires > 0
      if !isTrusted { try distrust() }
      if let new = try await write(expires: true, match: etag) {
        try hold(new)
        return isTrusted
      }
    }
    throw PublishError(
      .locked, "\(client.location.name): another archiver is publishing there")
  }

  private func locked(by holder: String, until time: Int) -> PublishError {
    let date = Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)
    return PublishError(
      .locked,
      "\(client.location.name): another archiver is publishing there (\(DisplayLine.of(holder)), "
        + "locked until \(date) at most)")
  }

  private func read() async throws -> (content: Content, etag: String, now: Date)? {
    let response = try await client.send(S3Request(.get, S3Lock.key), accepting: [404])
    guard response.isSuccess else { return nil }
    // An unreadable lock is not in force.
    let content =
      (try? JSONDecoder().decode(Content.self, from: Data(response.body)))
      ?? Content(token: "", holder: "", expires: 0)
    let etag = S3Listing.unquoted(response.headers["ETag"] ?? "")
    return (content, etag, response.headers.date ?? clock.now())
  }

  /// Writes the lock if its ETag is `etag` or, with `nil`, if it does not exist. Returns its new
  /// ETag; `nil` if the condition is not met.
  private func write(expires: Bool, match etag: String?) async throws -> String? {
    let end = clock.now().addingTimeInterval(S3Lock.lifetime).timeIntervalSince1970
    let content = Content(token: token, holder: holder, expires: expires ? Int(end) : 0)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = Array(try encoder.encode(content)) + [0x0A]
    let isUnquoted = try journal.mark(.conditions) == Conditions.unquoted.rawValue
    for quote in isUnquoted ? [""] : ["\"", ""] {
      var headers: HTTPHeaders = [
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store",
      ]
      if let etag {
        headers["If-Match"] = quote + etag + quote
      } else {
        headers["If-None-Match"] = "*"
      }
      let request = S3Request(
        .put, S3Lock.key, headers: headers, body: .bytes(bytes), md5: Digest.md5(bytes))
      let response = try await client.send(request, accepting: [404, 409, 412])
      if response.isSuccess {
        if quote.isEmpty, !isUnquoted {
          try journal.set(.conditions, Conditions.unquoted.rawValue)
        }
        return S3Listing.unquoted(response.headers["ETag"] ?? "")
      }
      // Some servers compare the field literally with an ETag without quotes.
      guard etag != nil, response.status == 412, try await isCurrent(etag) else { return nil }
    }
    return nil
  }

  /// Whether the lock still has this ETag.
  private func isCurrent(_ etag: String?) async throws -> Bool {
    let response = try await client.send(S3Request(.head, S3Lock.key), accepting: [404])
    return response.isSuccess && S3Listing.unquoted(response.headers["ETag"] ?? "") == etag
  }

  // MARK: An object per journal

  private func ownKey() throws -> String { S3Lock.lockFolder + (try name()) }

  /// The name of this journal's object: the same in each run, and another one in a copy of the journal.
  private func name() throws -> String {
    let words = (try journal.mark(.lockName) ?? "").split(separator: " ").map(String.init)
    if words.count == 2, words.first == place { return words[1] }
    let name = UUID().uuidString
    try journal.set(.lockName, "\(place) \(name)")
    return name
  }

  private func ownObject(_ method: HTTPRequest.Method) throws -> S3Request {
    S3Request(method, try ownKey(), body: method == .put ? .bytes(Array(token.utf8)) : .none)
  }

  /// Returns the locks of other archivers, in force or not.
  private func foreign(_ page: S3Listing) throws -> [S3Object] {
    let own = try ownKey()
    return page.objects.filter { $0.key.hasPrefix(S3Lock.lockFolder) && $0.key != own }
  }

  private func hasKnownManifest(_ page: S3Listing) throws -> Bool {
    let manifest = page.objects.first { $0.key == S3Target.manifestKey }?.etag
    return try manifest == journal.mark(.manifestETag)
  }

  /// Whether none of these locks is in force.
  private func areOver(_ locks: [S3Object], at time: Date) async throws -> Bool {
    for lock in locks {
      if let date = lock.modified, time.timeIntervalSince(date) > S3Lock.lifetime { continue }
      let response = try await client.send(S3Request(.get, lock.key), accepting: [404])
      guard response.isSuccess else { continue }
      let run = String(decoding: response.body, as: UTF8.self)
      guard try await run == endedRun() else { return false }
    }
    return true
  }

  private func acquireOwnObject() async throws -> Bool {
    for attempt in 1...S3Lock.attempts {
      _ = try await client.send(ownObject(.put))
      let (page, now) = try await client.list(S3Lock.folder)
      let foreign = try foreign(page)
      if try await areOver(foreign, at: now ?? clock.now()) {
        // A lock of another archiver shows that it published, or was killed while it did.
        let isTrusted = try foreign.isEmpty && hasKnownManifest(page)
        if !isTrusted { try distrust() }
        for key in foreign.map(\.key) {
          _ = try await client.send(S3Request(.delete, key), accepting: [404])
        }
        held = Held(etag: nil, renewed: clock.now())
        return isTrusted
      }
      _ = try await client.send(ownObject(.delete), accepting: [404])
      if attempt < S3Lock.attempts {
        try await clock.sleep(.milliseconds(Int.random(in: 500...4_000)))
      }
    }
    throw PublishError(
      .locked,
      "\(client.location.name): another archiver is publishing there, or died there less than "
        + "30 minutes ago")
  }
}
