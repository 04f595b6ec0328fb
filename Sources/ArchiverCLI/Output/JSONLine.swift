import ArchiverCore

/// A JSON object on one line whose keys keep their order, for readability.
struct JSONLine: Sendable {
  private var members: [(key: String, value: JSONValue)]

  init(_ members: [(key: String, value: JSONValue)]) {
    self.members = members
  }

  mutating func append(_ key: String, _ value: JSONValue) {
    members.append((key: key, value: value))
  }

  /// The object as text, with a line feed.
  var text: String { JSONLine.object(members) + "\n" }

  private static func object(_ members: [(key: String, value: JSONValue)]) -> String {
    "{" + members.map { "\(quoted($0.key)):\(encoded($0.value))" }.joined(separator: ",") + "}"
  }

  private static func encoded(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): value.isFinite ? String(value) : "null"
    case .string(let value): quoted(value)
    case .array(let elements): "[" + elements.map(encoded).joined(separator: ",") + "]"
    case .object(let members): object(members.sorted { $0.key < $1.key })
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

  /// Returns a string in the form of RFC 8259 section 7. Control characters, including DEL and C1,
  /// and direction characters are escaped, so that a line is safe on a terminal.
  static func quoted(_ string: String) -> String {
    var text = "\""
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
    return text + "\""
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
