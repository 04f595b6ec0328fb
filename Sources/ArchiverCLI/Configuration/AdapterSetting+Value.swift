import ArchiverCore

extension AdapterSetting {
  /// Whether messages must not show the value.
  var isSecret: Bool { value == .secret || value == .headers }

  /// The option of `archiver run` that sets it; `nil` if there is none.
  ///
  /// Secrets never have one: other users of the machine can read command lines.
  func commandOption(group: String) -> Option? {
    guard let option, !isSecret else { return nil }
    let name = String(option.drop { $0 == "-" })
    let kind: (value: Option.Value, name: String?) =
      switch value {
      case .text, .list, .secret, .headers: (.text, "TEXT")
      case .url: (.url, "URL")
      case .flag: (.flag, nil)
      case .integer(let range): (.integer(range), "N")
      case .number(let range): (.number(range), "N")
      case .choice(let choices): (.choice(choices), name.uppercased())
      }
    return Option(
      name, kind.value, valueName: kind.name, isRepeatable: value == .list,
      withoutVariable: Option.Reason.setting, defaultText: value == .flag ? nil : defaultValue,
      help: help, group: group)
  }

  /// Parses the value from an environment variable or an option.
  ///
  /// The failure describes the accepted values.
  func parse(_ text: String) -> Result<JSONValue, Option.Value.Expected> {
    switch value {
    case .text, .secret: return .success(.string(text))
    case .list: return .success(.array(CommaList.split(text).map { .string($0) }))
    case .headers: return parseHeaders(text)
    case .flag:
      guard let flag = Bool(flag: text) else { return .failure(.init("true or false")) }
      return .success(.bool(flag))
    case .url: return Option.Value.url.parse(text).map { _ in .string(text) }
    case .choice(let choices):
      return Option.Value.choice(choices).parse(text).map { _ in .string(text) }
    case .integer(let range):
      return Option.Value.integer(range).parse(text).map { _ in .integer(Int(text) ?? 0) }
    case .number(let range):
      return Option.Value.number(range).parse(text).map { _ in .number(Double(text) ?? 0) }
    }
  }

  /// Validates a value of the configuration file; returns the accepted values if it is invalid.
  func expectation(_ json: JSONValue) -> Option.Value.Expected? {
    switch (value, json) {
    case (.text, .string), (.secret, .string), (.flag, .bool): return nil
    case (.url, .string(let text)), (.choice, .string(let text)):
      if case .failure(let expected) = parse(text) { return expected }
      return nil
    case (.integer, .integer(let number)):
      if case .failure(let expected) = parse(String(number)) { return expected }
      return nil
    case (.number(let range), _):
      if let number = json.number, range.contains(number) { return nil }
    case (.list, .array(let elements)):
      if elements.allSatisfy({ $0.string != nil }) { return nil }
    case (.headers, .object(let members)):
      if members.values.allSatisfy({ $0.string != nil }) { return nil }
    default: break
    }
    return .init(expectedWords)
  }

  private var expectedWords: String {
    switch value {
    case .text: "a text in quotes"
    case .secret: "a text in quotes: the secret, or \"env:NAME\", \"file:/path\" or \"command:…\""
    case .flag: "true or false"
    case .url: "a URL in quotes such as \"https://example.org\""
    case .choice(let choices): "one of \(choices.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .integer(let range): Option.words(range)
    case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
    case .list: "a list of texts: [\"one\", \"two\"]"
    case .headers: "an object of texts: { \"Name\": \"value\" }"
    }
  }

  private func parseHeaders(_ text: String) -> Result<JSONValue, Option.Value.Expected> {
    var fields: [String: JSONValue] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      let name = parts.first.map { $0.filter { !$0.isWhitespace } } ?? ""
      guard parts.count == 2, !name.isEmpty else {
        return .failure(.init("header fields, one per line: Name: value"))
      }
      fields[name] = .string(String(parts[1].drop(while: \.isWhitespace)))
    }
    return .success(.object(fields))
  }
}
