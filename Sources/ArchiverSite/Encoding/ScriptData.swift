import ArchiverCore

/// Data as a script file, which pages can load even if they cannot read other files.
enum ScriptData {
  /// Returns `NAME = JSON;`, in which no character can end a script element or a line.
  static func assignment(_ name: String, _ value: JSONValue) -> [UInt8] {
    var bytes = Array("\(name) = ".utf8)
    append(value, to: &bytes)
    bytes += ";\n".utf8
    return bytes
  }

  /// Returns `NAME(ARGUMENT, …);`.
  static func call(_ name: String, _ arguments: [JSONValue]) -> [UInt8] {
    var bytes = Array("\(name)(".utf8)
    append(arguments, to: &bytes)
    bytes += end
    return bytes
  }

  /// Returns a `call` whose last argument is an object with these members and a member `numbers`: a
  /// string of numbers of `PostingCode`, which need no escape.
  static func call(
    _ name: String, _ arguments: [JSONValue], _ members: [String: JSONValue], numbers: [UInt8]
  ) -> [UInt8] {
    var bytes = call(name, arguments + [.object(members)])
    bytes.removeLast(1 + end.count)
    bytes += (members.isEmpty ? "\"numbers\":\"" : ",\"numbers\":\"").utf8
    return bytes + numbers + "\"}".utf8 + end
  }

  /// The end of a call.
  private static let end = Array(");\n".utf8)

  /// Appends JSON with sorted members, and with `<` and line separators escaped.
  static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let value): bytes += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): append(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      append(values, to: &bytes)
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

  /// Appends values with commas between them.
  private static func append(_ values: [JSONValue], to bytes: inout [UInt8]) {
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(value, to: &bytes)
    }
  }

  /// Appends a JSON string with its quotes.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      var written = 0
      for place in text.indices where !isPlain[Int(text[place])] {
        guard let (escaped, length) = escape(text, at: place) else { continue }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written..<place]))
        bytes += escaped.utf8
        written = place + length
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Bytes that need no escape and begin no sequence that does.
  private static let isPlain: [Bool] = (0...255).map { (byte: UInt8) in
    byte >= 0x20 && !Array("\"\\<>&\u{7F}".utf8).contains(byte) && byte != 0xE2 && byte != 0xEF
  }

  /// Returns the escape of the character at this position, the first byte of which is not plain, and the
  /// character's length in bytes; `nil` if it needs no escape.
  private static func escape(
    _ text: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (String, length: Int)? {
    switch text[place] {
    case UInt8(ascii: "\""): return (#"\""#, 1)
    case UInt8(ascii: "\\"): return (#"\\"#, 1)
    case UInt8(ascii: "\n"): return (#"\n"#, 1)
    // The line and paragraph separators, and the byte order mark.
    case 0xE2 where text[place + 1] == 0x80 && text[place + 2] & 0xFE == 0xA8:
      return (text[place + 2] == 0xA8 ? #"\u2028"# : #"\u2029"#, 3)
    case 0xEF where text[place + 1] == 0xBB && text[place + 2] == 0xBF: return (#"\ufeff"#, 3)
    case 0xE2, 0xEF: return nil
    case let byte: return ((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16), 1)
    }
  }
}
