package import ArchiverCore

/// An archive on the start page of several, from its `library/status.js`.
package struct PortalArchive: Sendable {
  /// The state of a source or archive, as in the library.
  package enum Level: String, Sendable, Comparable {
    case good, warn, bad

    package static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }
    private var rank: Int { self == .good ? 0 : self == .warn ? 1 : 2 }
  }

  struct Source: Sendable {
    /// Why the source needs attention.
    enum Trouble: Sendable, Hashable {
      case neverRun
      case offline(since: Date)
      case died(Date)
      case interrupted(Date)
      case failing(Int)
      case old(Date)
    }

    let name: String
    let itemCount: Int
    let byteCount: Int
    let incomplete: Int
    /// The time of the last successful run, or else of the last one that ended.
    let updated: Date?
    fileprivate let recorded: Trouble?

    /// Returns the trouble that its runs recorded, or that the last successful one was before `limit`.
    func trouble(_ limit: Date) -> Trouble? {
      if let recorded { return recorded }
      return updated.flatMap { $0 < limit ? .old($0) : nil }
    }

    func level(_ limit: Date) -> Level {
      switch trouble(limit) {
      case nil: .good
      case .offline: .bad
      case .neverRun, .died, .interrupted, .failing, .old: .warn
      }
    }
  }

  /// The name of the archive's folder.
  package let name: String
  /// The sources, in the natural order of their names.
  let sources: [Source]
  let hasProblemsPage: Bool

  package var itemCount: Int { sources.map(\.itemCount).clampedSum }
  package var byteCount: Int { sources.map(\.byteCount).clampedSum }
  /// The time of the newest successful run of its sources.
  package var updated: Date? { sources.compactMap(\.updated).max() }

  /// Returns the worst level of its sources.
  package func level(_ limit: Date) -> Level { sources.map { $0.level(limit) }.max() ?? .good }
}

extension PortalArchive {
  /// The members of `library/status.js` that are read.
  private struct Status: Decodable {
    struct Run: Decodable {
      let started: String
      let finished: String?
      let outcome: String?
    }

    struct Source: Decodable {
      let source: String
      let items: Int
      let bytes: Int
      let failing: Int
      let incomplete: Int?
      let lastSuccess: String?
      let failingSince: String?
      let runs: [Run]
    }

    let sources: [Source]
  }

  /// Reads the sources of a status script; `nil` if it has another form.
  static func sources(_ script: [UInt8]) -> [Source]? {
    let start = "var archiverStatus = ".utf8
    let end = ";\n".utf8
    guard script.starts(with: start), script.suffix(end.count).elementsEqual(end),
      let status = try? JSONDecoder().decode(
        Status.self, from: Data(script.dropFirst(start.count).dropLast(end.count)))
    else { return nil }
    let sources = status.sources.map(source)
    return sources.map { ($0, NaturalOrder($0.name)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  private static func source(_ status: Status.Source) -> Source {
    // A run in progress has no outcome yet.
    let last = status.runs.first { $0.outcome != nil }
    let ended = last.flatMap { UTCTime.date($0.finished ?? $0.started) }
    return Source(
      name: status.source, itemCount: max(0, status.items), byteCount: max(0, status.bytes),
      incomplete: max(0, status.incomplete ?? 0),
      updated: status.lastSuccess.flatMap { UTCTime.date($0) } ?? ended,
      recorded: trouble(status, last))
  }

  private static func trouble(_ status: Status.Source, _ last: Status.Run?) -> Source.Trouble? {
    guard let last else { return .neverRun }
    if let since = status.failingSince.flatMap({ UTCTime.date($0) }) {
      return .offline(since: since)
    }
    let started = UTCTime.date(last.started) ?? Date(timeIntervalSince1970: 0)
    switch last.outcome {
    case "died": return .died(started)
    case "interrupted": return .interrupted(started)
    default: return status.failing > 0 ? .failing(status.failing) : nil
    }
  }
}
