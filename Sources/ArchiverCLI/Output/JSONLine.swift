import ArchiverCore

/// A JSON object on one line whose keys keep their order, for readability.
struct JSONLine: Sendable {
  private(set) var members: [(key: String, value: JSONValue)] = []

  init(_ members: [(key: String, value: JSONValue)]) {
    self.members = members
  }

  mutating func append(_ key: String, _ value: JSONValue) {
    members.append((key: key, value: value))
  }

  /// The object as text, with a line feed.
  var text: String {
    var text = "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      JSONLine.write(string: member.key, to: &text)
      text += ":"
      JSONLine.write(member.value, to: &text)
    }
    return text + "}\n"
  }

  private static func write(_ value: JSONValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? String(value) : "null"
    case .string(let value): write(string: value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        write(element, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, key) in members.keys.sorted().enumerated() {
        if index > 0 { text += "," }
        write(string: key, to: &text)
        text += ":"
        write(members[key] ?? .null, to: &text)
      }
      text += "}"
    }
  }

  /// Whether the character controls a terminal or changes the order of the following text.
  private static func isUnsafe(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    case 0x200E, 0x200F, 0x61C, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Writes a string in the form of RFC 8259 section 7. Control characters, including DEL and C1,
  /// and direction characters are escaped, so that a line is safe on a terminal.
  private static func write(string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      default:
        let value = scalar.value
        if isUnsafe(value) {
          let hex = String(value, radix: 16)
          text += "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}

extension JSONLine: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSONValue {
  /// Returns a time in RFC 3339 in UTC; `null` for `nil`.
  static func time(_ date: Date?) -> JSONValue {
    date.map { .string(UTCTime.text($0)) } ?? .null
  }

  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  static func count(_ number: Int?) -> JSONValue { number.map { .integer($0) } ?? .null }
}
