import ArchiverCore
import ArchiverPipeline

/// The rules of a source of any kind: limits, retention and schedule.
///
/// If a kind has a setting of the same name, the key is the kind's.
struct SourceRules: Sendable, Hashable {
  /// Whether runs include the source by default.
  var isEnabled = true
  /// The other values that are set, by key.
  private var values: [String: OptionValue] = [:]

  /// The maximum number of new or changed items per run.
  var max: Int? { values["max"]?.integer }
  /// The maximum size of its bundles in bytes.
  var maxBytes: Int? { values["maxSize"]?.bytes }
  /// The number of bytes to keep free on the archive's disk.
  var minFree: Int? { values["minFree"]?.bytes }
  /// The number of items to keep after a run: those added to their source last.
  var keep: Int? { values["keep"]?.integer }
  /// The maximum age of an item before a run removes it.
  var olderThan: Duration? { values["olderThan"]?.duration }
  /// The minimum interval between two runs of the source.
  var every: Duration? { values["every"]?.duration }
  /// The number of earlier versions of each item.
  var keepVersions: Int? { values["keepVersions"]?.integer }

  /// The keys, as written in the file.
  static let keys = ConfigurationTemplate.perSource.map(\.key)

  /// Sets one key; returns the accepted values if the value is invalid.
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
    case .success(let value): values[key] = value
    case .failure(let expected): return expected
    }
    return nil
  }

  /// The rules that are set, for `config show`.
  var shown: [(key: String, value: JSONValue)] {
    var shown: [(key: String, value: JSONValue)] = isEnabled ? [] : [("enabled", false)]
    for key in ["max", "keep", "keepVersions", "maxSize", "minFree", "olderThan", "every"] {
      if let value = values[key] { shown.append((key, value.json)) }
    }
    return shown
  }

  /// Whether a source that was last reached at that time is due again.
  ///
  /// A tenth of the interval is tolerated: nightly timers are not exact to the second.
  func isDue(lastSuccess: Date?, now: Date) -> Bool {
    guard let every, let lastSuccess else { return true }
    // A time in the future comes from a wrong clock and is ignored.
    return lastSuccess > now || now.timeIntervalSince(lastSuccess) >= every / .seconds(1) * 0.9
  }
}

// The options that describe the keys; only some of them are options of a command too.
extension Option {
  static let enabled = Option("enabled", help: "Include the source in runs that do not name it")
  static let keep = Option(
    "keep", .integer(0...Int.max), valueName: "N", withoutVariable: Reason.once,
    help: "Keep this many items, those added to their source most recently"
  )
  static let everySource = Option(
    "every", .duration, valueName: "TIME",
    help: "Skip the source in runs that do not name it until this much time has passed")
  static let olderThan = Option(
    "older-than", .age, valueName: "AGE", withoutVariable: Reason.once,
    help: "Remove what was archived longer ago than this, such as 90d, 18mo or 2y")
}
