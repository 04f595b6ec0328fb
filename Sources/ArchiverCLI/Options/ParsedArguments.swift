import ArchiverCore

/// Options and operands as given, checked against the table.
struct ParsedArguments: Sendable {
  /// The origin of an option's value.
  enum Origin: Sendable, Hashable {
    case commandLine
    case environment(String)
    /// A key of the configuration file that replaces the option.
    case file
  }

  private(set) var values: [String: [OptionValue]] = [:]
  private(set) var origins: [String: Origin] = [:]
  var operands: [String] = []

  mutating func add(_ value: OptionValue, to option: Option, from origin: Origin) {
    if option.isRepeatable {
      values[option.name, default: []].append(value)
    } else if case .count(let more) = value, case .count(let count)? = values[option.name]?.last {
      values[option.name] = [.count(count + more)]
    } else {
      values[option.name] = [value]
    }
    origins[option.name] = origin
  }

  /// Removes every option whose last value has this origin.
  mutating func removeAll(from origin: Origin) {
    for (name, found) in origins where found == origin {
      values[name] = nil
      origins[name] = nil
    }
  }

  /// Whether the option was given on the command line, by its variable or by a key of the file.
  func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// Returns how many times a flag was given.
  func count(_ option: Option) -> Int {
    if case .count(let count)? = values[option.name]?.last { count } else { 0 }
  }

  func text(_ option: Option) -> String? { texts(option).last }

  func texts(_ option: Option) -> [String] {
    (values[option.name] ?? []).compactMap(\.text)
  }

  func integer(_ option: Option) -> Int? { values[option.name]?.last?.integer }

  func duration(_ option: Option) -> Duration? { values[option.name]?.last?.duration }

  func number(_ option: Option) -> Double? { values[option.name]?.last?.number }

  func bytes(_ option: Option) -> Int? { values[option.name]?.last?.bytes }
}
