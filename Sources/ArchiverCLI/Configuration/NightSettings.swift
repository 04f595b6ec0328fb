import ArchiverCore

/// Keys of the configuration file that have the same effect as options of `run` and `watch`:
/// notifications, waits and time limits.
///
/// An option or its variable takes precedence over the key. Relative paths are relative to the
/// file's directory.
struct NightSettings: Sendable {
  /// The keys, with an example of each and the option that each replaces.
  static let documented: [(key: String, example: String, option: Option)] = [
    ("pingURL", "\"https://hc-ping.com/…\"", .pingURL),
    ("notify", "\"mail -s \\\"archiver: $ARCHIVER_SUMMARY\\\" me\"", .notify),
    ("metrics", "\"~/metrics/archiver.prom\"", .metrics),
    ("metricsName", "\"anna\"", .metricsName),
    ("logFile", "\"~/archiver.log\"", .logFile), ("maxTime", "\"2h\"", .maxTime),
    ("waitOnline", "\"5m\"", .waitOnline), ("retryLock", "\"10m\"", .retryLock),
    ("background", "true", .background),
  ]

  /// The values that are set, by key.
  private(set) var values: [String: OptionValue] = [:]

  /// Returns the option that a key replaces; `nil` for other keys.
  static func option(of key: String) -> Option? {
    documented.first { $0.key == key }?.option
  }

  /// Sets one key; returns the accepted values if the value is invalid. `folder` is the file's
  /// directory.
  mutating func take(_ key: String, _ json: JSONValue, folder: String) -> Option.Value.Expected? {
    guard let option = NightSettings.option(of: key) else { return .init("nothing") }
    if !option.takesValue {
      guard case .bool(let flag) = json else { return .init("true or false") }
      values[key] = flag ? .count(1) : nil
      return nil
    }
    switch option.value.parse(json.string ?? json.integer.map { String($0) } ?? "") {
    case .success(.text(let path)) where option.value == .file:
      let isRooted = path.hasPrefix("/") || path == "~" || path.hasPrefix("~/")
      values[key] = .text(isRooted ? path : "\(folder)/\(path)")
    case .success(let value): values[key] = value
    case .failure(let expected): return expected
    }
    return nil
  }

  /// Every key for `config show`, `null` if it is not set. The URL to ping is a secret: only its
  /// host is shown.
  var shown: [(key: String, value: JSONValue)] {
    NightSettings.documented.map { key, _, option in
      guard option.value == .url, let text = values[key]?.text else {
        return (key, values[key]?.json ?? .null)
      }
      return (key, .string(WebURL(text).map { "\($0.host)/…" } ?? "…"))
    }
  }
}
