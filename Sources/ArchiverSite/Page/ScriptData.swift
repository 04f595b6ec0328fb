import ArchiverCore

/// Data as a script that can stand in a file and be loaded where pages may not read files.
enum ScriptData {
  /// Returns `NAME = JSON;`, where nothing in the JSON can end a script element or a line.
  static func assignment(_ name: String, _ value: JSONValue) -> [UInt8] {
    var bytes = Array("\(name) = ".utf8)
    append(value, to: &bytes)
    bytes += ";\n".utf8
    return bytes
  }

  /// Returns `NAME(ARGUMENT, …);`.
  static func call(_ name: String, _ arguments: [JSONValue]) -> [UInt8] {
    var bytes = Array("\(name)(".utf8)
    for (index, argument) in arguments.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(argument, to: &bytes)
    }
    bytes += ");\n".utf8
    return bytes
  }

  /// Returns the last string among the arguments of what `call` wrote; `nil` when there is none.
  static func lastString(_ script: [UInt8]) -> String? {
    // `");` and a line feed follow it; what stands in it has its quotes escaped.
    guard script.count > 4, let comma = script.firstRange(of: Array("\",\"".utf8)) else {
      return nil
    }
    let json = Data(script[(comma.lowerBound + 2)..<(script.count - 3)])
    // Bytes that are not ours hold no text.
    return try? JSONDecoder().decode(String.self, from: json)
  }

  /// Appends JSON with members in the order of their names, `<` and the line separators escaped.
  static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let value): bytes += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): append(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Appends a JSON string, quotes included.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Numbers of items are long texts in which nothing is escaped.
    var text = text
    let isPlain = text.withUTF8 { utf8 in
      guard utf8.allSatisfy(stays) else { return false }
      bytes += utf8
      return true
    }
    if isPlain {
      bytes.append(UInt8(ascii: "\""))
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += #"\""#.utf8
      case "\\": bytes += #"\\"#.utf8
      case "\n": bytes += #"\n"#.utf8
      case "<", ">", "&", "\u{7F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{0}"..."\u{1F}":
        let hex = String(scalar.value, radix: 16)
        bytes += #"\u"#.utf8
        bytes += String(repeating: "0", count: 4 - hex.utf8.count).utf8
        bytes += hex.utf8
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a byte is a character of its own that is written as it is.
  private static func stays(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "&"):
      false
    default: (0x20...0x7E).contains(byte)
    }
  }
}
