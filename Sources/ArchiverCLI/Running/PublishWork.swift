import ArchiverCore
import ArchiverExport
import ArchiverStorage
import Synchronization

/// One publication of the archive, for `archiver publish` and for runs.
struct PublishWork {
  let settings: PublishSettings
  let archive: String
  let invocation: Invocation
  var isPreview = false
  var deletesMany = false
  var audits = false

  /// Publishes or, with `isPreview`, returns what would be done. Holds the archive's lock, so that
  /// no run replaces bundles meanwhile.
  func perform() async throws -> Publisher.Outcome {
    let environment = invocation.environment
    let target = try PublishOpener(
      settings: settings, archive: archive, environment: environment,
      services: invocation.services, events: SilentEventSink(), isPreview: isPreview
    ).open()
    let publisher = Publisher(
      root: AtomicFile.target(of: archive), target: target,
      leavesOut: settings.leaveOut.map { Set($0) } ?? Publisher.unreferenced)
    do {
      if isPreview { return try await publisher.preview() }
      let held = try hold()
      let progress = PublishProgress(invocation, name: settings.target)
      defer { progress.end() }
      var outcome = try await publisher.publish(
        deletesMany: deletesMany, audits: audits, report: { progress.show($0) })
      withExtendedLifetime(held) {}
      if audits, let warning = await visitorsView() { outcome.warnings.append(warning) }
      return outcome
    } catch let error as ExportError {
      throw StorageError(.notWritable, error.description, underlying: error)
    } catch let error as CocoaError {
      throw StorageError(.notWritable, "\(settings.target): \(error)", underlying: error)
    }
  }

  /// Acquires the archive's lock; returns `nil` for an archive on a read-only disk, which no run can change.
  private func hold() throws(StorageError) -> Archive? {
    do throws(StorageError) {
      return try ExistingArchive.open(archive, holder: "publish", invocation)
    } catch {
      guard error.code == .notWritable else { throw error }
      return nil
    }
  }

  /// Compares the start page as visitors get it with the archive's; returns the difference.
  private func visitorsView() async -> String? {
    guard let address = settings.publicURL else { return nil }
    let base = address.absoluteString
    guard let url = WebURL(base.hasSuffix("/") ? base + "index.html" : base + "/index.html") else {
      return "the page of visitors was not compared: \(base) cannot be continued by index.html"
    }
    guard let page = FileManager.default.contents(atPath: archive + "/index.html") else {
      return "the page of visitors was not compared: the archive's index.html cannot be read"
    }
    let client = invocation.services.client(
      Services.ClientRequest(
        access: nil, policy: AddressPolicy(origins: [url.origin]), jobs: 1,
        events: SilentEventSink(), clock: invocation.environment.clock))
    do throws(HTTPError) {
      let response = try await client.send(HTTPRequest(.get, url))
      guard response.isSuccess else {
        return "visitors get the status \(response.status) for \(url.withoutQuery)"
      }
      return response.body == Array(page)
        ? nil
        : "visitors get another page at \(url.withoutQuery) than was published; perhaps from a cache"
    } catch {
      return "visitors cannot reach it: \(error.message)"
    }
  }

  // MARK: Texts

  /// Returns the result as a sentence.
  func line(_ outcome: Publisher.Outcome) -> String {
    let count = Quantity.count(outcome.put, "file")
    var text =
      "\(settings.target): \(count) (\(Quantity.bytes(outcome.byteCount))) "
      + "\(isPreview ? "to put" : "put"), \(Quantity.grouped(outcome.unchanged)) unchanged"
    if outcome.deleted > 0 {
      text += ", \(Quantity.grouped(outcome.deleted)) \(isPreview ? "to remove" : "removed")"
    }
    if outcome.leaving > 0 {
      text += ", \(Quantity.grouped(outcome.leaving)) to go later"
    }
    if outcome.requests > 0 { text += "; \(Quantity.count(outcome.requests, "request"))" }
    if let audit = outcome.audit { text += "; \(PublishWork.words(audit))" }
    if let url = settings.publicURL, !isPreview { text += "; see \(url.absoluteString)" }
    return text + "."
  }

  private static func words(_ audit: PublishAudit) -> String {
    var parts = ["\(Quantity.grouped(audit.listed)) compared"]
    if audit.missing > 0 { parts.append("\(Quantity.grouped(audit.missing)) were missing") }
    if audit.changed > 0 { parts.append("\(Quantity.grouped(audit.changed)) were different") }
    if audit.foreign > 0 {
      parts.append("\(Quantity.grouped(audit.foreign)) are not archiver's and left alone")
    }
    return parts.joined(separator: ", ")
  }

  /// Returns the result for programs.
  func json(_ outcome: Publisher.Outcome) -> JSONLine {
    var line: JSONLine = [
      "event": "published", "target": .string(settings.target), "dryRun": .bool(isPreview),
      "put": .integer(outcome.put), "bytes": .integer(outcome.byteCount),
      "unchanged": .integer(outcome.unchanged), "deleted": .integer(outcome.deleted),
      "leaving": .integer(outcome.leaving), "requests": .integer(outcome.requests),
    ]
    if let audit = outcome.audit {
      line.append(
        "audit",
        .object([
          "listed": .integer(audit.listed), "missing": .integer(audit.missing),
          "changed": .integer(audit.changed), "foreign": .integer(audit.foreign),
          "read": .integer(audit.read),
        ]))
    }
    return line
  }
}

/// Shows the progress of a publication on a terminal.
final class PublishProgress: Sendable {
  private let output: any TextOutput
  private let isShown: Bool
  private let name: String
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ invocation: Invocation, name: String) {
    output = invocation.environment.error
    let isDumb = invocation.environment.variables["TERM"] == "dumb"
    isShown =
      output.isTerminal && !isDumb && !invocation.arguments.has(.json)
      && !invocation.arguments.has(.quiet)
    self.name = name
  }

  /// Replaces the progress line, at most ten times a second.
  func show(_ progress: Publisher.Progress) {
    guard isShown else { return }
    let isDue = last.withLock { last in
      guard last.map({ .now - $0 > .milliseconds(100) }) ?? true else { return false }
      last = .now
      return true
    }
    guard isDue else { return }
    let text =
      "\(DisplayText.line(name)): \(Quantity.grouped(progress.files)) of "
      + "\(Quantity.count(progress.totalFiles, "file")), \(Quantity.bytes(progress.byteCount)) of "
      + "\(Quantity.bytes(progress.totalBytes))"
    let line = TextWidth.truncate(text, to: (output.columns ?? 80) - 1, ellipsis: "…")
    output.write("\r\u{1B}[K" + line)
  }

  /// Erases the progress line.
  func end() {
    let wasShown = last.withLock { $0 != nil }
    if wasShown { output.write("\r\u{1B}[K") }
  }
}
