import ArchiverCore

/// A validated value of an option.
enum OptionValue: Sendable, Hashable {
  case count(Int)
  case text(String)
  case integer(Int)
  case number(Double)
  case duration(Duration)
  case bytes(Int)

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var duration: Duration? { if case .duration(let value) = self { value } else { nil } }
  var bytes: Int? { if case .bytes(let value) = self { value } else { nil } }

  /// The value for `config show`.
  var json: JSONValue {
    switch self {
    case .count: true
    case .text(let text): .string(text)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .duration(let time): .string(Quantity.time(time))
    case .bytes(let size): .string(Quantity.bytes(size))
    }
  }
}

extension Option.Value {
  /// Parses a value; the failure describes the accepted values.
  func parse(_ text: String) -> Result<OptionValue, Expected> {
    switch self {
    case .flag, .counter:
      .failure(Expected("no value"))
    case .text, .file, .directory, .source, .command:
      text.isEmpty ? .failure(Expected("a value that is not empty")) : .success(.text(text))
    case .url:
      WebURL(text) == nil
        ? .failure(Expected("a URL such as https://example.org")) : .success(.text(text))
    case .integer(let range):
      checked(Int(text).flatMap { range.contains($0) ? .integer($0) : nil }, Option.words(range))
    case .number(let range):
      checked(
        Double(text).flatMap { range.contains($0) ? .number($0) : nil },
        "a number from \(range.lowerBound) to \(range.upperBound)")
    case .duration:
      checked(Quantity.duration(text).map { .duration($0) }, "a time such as 90s, 15m, 4h or 2d")
    case .size:
      checked(Quantity.bytes(text).map { .bytes($0) }, "a size such as 500K, 100M or 2G")
    case .age:
      checked(Quantity.age(text).map { .duration($0) }, "an age such as 90d, 8w, 18mo or 2y")
    case .choice(let choices):
      choices.contains(text)
        ? .success(.text(text))
        : .failure(Expected("one of \(choices.joined(separator: ", "))", among: choices))
    }
  }

  private func checked(_ value: OptionValue?, _ words: String) -> Result<OptionValue, Expected> {
    value.map { .success($0) } ?? .failure(Expected(words))
  }

  /// The values that an option accepts.
  struct Expected: Error {
    let words: String
    /// The accepted values; empty if there are too many to list.
    let choices: [String]

    init(_ words: String, among choices: [String] = []) {
      self.words = words
      self.choices = choices
    }
  }
}

extension Option {
  /// Describes a range of whole numbers.
  static func words(_ range: ClosedRange<Int>) -> String {
    range.upperBound == .max
      ? "a whole number of at least \(range.lowerBound)"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }
}

/// Lists in environment variables: texts separated by commas, white space around them dropped.
enum CommaList {
  static func split(_ text: String) -> [String] {
    text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
  }
}

extension Bool {
  /// Parses the value of a flag in an environment variable; `nil` for anything else.
  init?(flag text: String) {
    switch text.lowercased() {
    case "1", "true", "yes", "on": self = true
    case "0", "false", "no", "off": self = false
    default: return nil
    }
  }
}
