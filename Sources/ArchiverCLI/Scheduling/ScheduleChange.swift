import ArchiverCore

/// Changes the arguments and the variables of a scheduled run, and keeps what is not asked for.
struct ScheduleChange: Sendable {
  /// The arguments of the program.
  private(set) var words: [String]
  /// What the line or the unit sets of the environment, in the order it is written.
  private(set) var variables: [(name: String, value: String)]

  /// Starts from what is scheduled, or from the standard run.
  init(_ run: ScheduledRun?) {
    words = run?.words ?? ["run", "--quiet", "--wait-online", "5m"]
    variables = (run?.variables ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Sets the value of an option in place of the one that is there.
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

  /// Sets a variable. Values of options that other users of the machine must not read go here:
  /// they can read command lines.
  mutating func set(variable name: String, _ value: String) {
    variables.removeAll { $0.name == name }
    variables.append((name, value))
  }

  /// Sets an option by its variable, and takes it out of the arguments, which would be stronger.
  mutating func set(_ option: Option, variable name: String, _ value: String) {
    remove(option)
    set(variable: name, value)
  }
}
