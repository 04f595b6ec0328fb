import ArchiverCore
import ArchiverPipeline

/// What the file says of one source whatever its kind: limits, retention and schedule.
///
/// A kind that has a setting of the same name keeps it: then the key is the kind's.
struct SourceRules: Sendable, Hashable {
  /// Whether runs take the source that do not name it.
  var isEnabled = true
  /// Most new or changed items of one run.
  var max: Int?
  /// Most bytes that its bundles may take.
  var maxBytes: Int?
  /// Bytes that are to stay free on the archive's disk.
  var minFree: Int?
  /// Items that stay when a run has ended, those that came to their source last.
  var keep: Int?
  /// How old an item gets before the run removes it.
  var olderThan: Duration?
  /// The minimum interval between two runs of the source.
  var every: Duration?
  /// Earlier versions of each item.
  var keepVersions: Int?

  /// The keys as the file has them.
  static let keys = ConfigurationTemplate.perSource.map(\.key)

  /// Takes one key; returns what it takes instead when the value is wrong.
  mutating func take(_ key: String, _ json: JSONValue) -> Option.Value.Expected? {
    if key == "enabled" {
      guard case .bool(let flag) = json else { return .init("true or false") }
      isEnabled = flag
      return nil
    }
    guard let rule = ConfigurationTemplate.perSource.first(where: { $0.key == key }) else {
      return .init("nothing")
    }
    let text = json.string ?? json.integer.map { String($0) } ?? ""
    switch rule.option.value.parse(text) {
    case .success(let value): set(key, value)
    case .failure(let expected): return expected
    }
    return nil
  }

  private mutating func set(_ key: String, _ value: OptionValue) {
    switch (key, value) {
    case ("max", .integer(let number)): max = number
    case ("keep", .integer(let number)): keep = number
    case ("keepVersions", .integer(let number)): keepVersions = number
    case ("maxSize", .bytes(let size)): maxBytes = size
    case ("minFree", .bytes(let size)): minFree = size
    case ("olderThan", .duration(let age)): olderThan = age
    case ("every", .duration(let time)): every = time
    default: break
    }
  }

  /// The rules that are set, for `config show`.
  var shown: [(key: String, value: JSONValue)] {
    var shown: [(key: String, value: JSONValue)] = []
    if !isEnabled { shown.append(("enabled", false)) }
    for (key, number) in [("max", max), ("keep", keep), ("keepVersions", keepVersions)] {
      if let number { shown.append((key, .integer(number))) }
    }
    for (key, size) in [("maxSize", maxBytes), ("minFree", minFree)] {
      if let size { shown.append((key, .string(Quantity.bytes(size)))) }
    }
    for (key, time) in [("olderThan", olderThan), ("every", every)] {
      if let time { shown.append((key, .string(Quantity.time(time)))) }
    }
    return shown
  }

  /// Whether a source that was last reached then is due again.
  ///
  /// A tenth of the time is let off: a timer of the night never comes to the second.
  func isDue(lastSuccess: Date?, now: Date) -> Bool {
    guard let every, let lastSuccess else { return true }
    // A time in the future is a clock that was wrong; it proves nothing.
    return lastSuccess > now || now.timeIntervalSince(lastSuccess) >= every / .seconds(1) * 0.9
  }
}

extension RunSource {
  /// Takes over what file, environment and command line say of the source.
  mutating func follow(_ settings: RunSettings, now: Date) {
    let rules = settings.rules(of: name)
    maxItems = settings.max(of: name)
    keepVersions = settings.keepVersions(of: name)
    guard rules.keep != nil || rules.olderThan != nil else { return }
    retention = RetentionPolicy(
      keep: rules.keep,
      archivedBefore: rules.olderThan.map { now.addingTimeInterval(-($0 / .seconds(1))) },
      sources: [name])
  }
}

// The options that explain the keys; only some of them are options of a command too.
extension Option {
  static let enabled = Option("enabled", help: "Whether runs take it that do not name it")
  static let keep = Option(
    "keep", .integer(0...Int.max), valueName: "N", withoutVariable: Reason.once,
    help: "Keep this many items, those that came to their source last"
  )
  static let everySource = Option(
    "every", .duration, valueName: "TIME",
    help: "Leave it out of runs that do not name it until this much time has passed")
  static let olderThan = Option(
    "older-than", .age, valueName: "AGE", withoutVariable: Reason.once,
    help: "Remove what was archived longer ago than this, such as 90d, 18mo or 2y")
}
