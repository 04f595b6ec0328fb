import ArchiverCore

/// Changes arguments and variables of a scheduled run, and keeps the others.
struct ScheduleChange: Sendable {
  /// The arguments of the program.
  private(set) var words: [String]
  /// The environment variables that the line or the unit sets, in order.
  private(set) var variables: [(name: String, value: String)]

  /// The default wait for the network, unless the configuration file sets one.
  private static let wait = [Option.waitOnline.flag, "5m"]

  /// Starts from the installed run, or from the default one. `fileWaits` says whether the file sets
  /// `waitOnline`, which the default option would override.
  init(_ run: ScheduledRun?, fileWaits: Bool = false) {
    words = run?.words ?? ["run", "--quiet"] + ScheduleChange.wait
    if fileWaits, let place = words.firstRange(of: ScheduleChange.wait) {
      words.removeSubrange(place)
    }
    variables = (run?.variables ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Sets the value of an option, replacing an existing one.
  mutating func set(_ option: Option, _ value: String) {
    remove(option)
    words += [option.flag, value]
  }

  private mutating func remove(_ option: Option) {
    var kept: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == option.flag || option.short.map({ word == "-\($0)" }) == true {
        _ = rest.popFirst()
      } else if !word.hasPrefix(option.flag + "=") {
        kept.append(word)
      }
    }
    words = kept
  }

  /// Sets a variable.
  mutating func set(variable name: String, _ value: String) {
    variables.removeAll { $0.name == name }
    variables.append((name, value))
  }

  /// Sets an option by its variable, and removes it from the arguments, which would take
  /// precedence.
  mutating func set(_ option: Option, variable name: String, _ value: String) {
    remove(option)
    set(variable: name, value)
  }

  /// Removes an option and its variable, as the configuration file sets it.
  mutating func leave(_ option: Option, variable name: String) {
    remove(option)
    variables.removeAll { $0.name == name }
  }
}
