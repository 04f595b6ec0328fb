import ArchiverCore

/// JSON values at the edges of what a member can hold, chosen by a reproducible generator.
///
/// A value is raw JSON text, so that numbers need not fit a type of Swift.
package struct ExtremeValues: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// The seed is made from a text.
  package init(seed text: String) {
    state = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns a number from 0 to `count - 1`.
  package mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }

  /// Returns a value of any kind.
  package mutating func value() -> String { ExtremeValues.all[next(ExtremeValues.all.count)] }

  /// Returns an object's members with one to three values replaced by extreme ones.
  package mutating func altered(_ object: [(name: String, value: String)]) -> String {
    var object = object
    for _ in 0...next(3) { object[next(object.count)].value = value() }
    return "{" + object.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  /// Returns the members of a JSON object as raw JSON, sorted by their names.
  package static func members(of text: String) throws -> [(name: String, value: String)] {
    let object = try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return try object.sorted { $0.key < $1.key }.map { name, value in
      (name, String(decoding: try encoder.encode(value), as: UTF8.self))
    }
  }

  /// All values.
  package static let all: [String] = {
    let texts = [
      "", " ", "x", "\u{202E}evil\u{202C}", "か\u{3099}\u{3099}", "が", "e\u{301}\u{301}", "👩‍👩‍👧‍👦", "𝕬",
      "../../etc", "CON", "-", "#", "a/b\\c", "<script>alert(1)</script>", "</title>&amp;\"'",
      "\u{2028}\n\r\t", "\u{FFFF}\u{FFFD}", String(repeating: "9", count: 500),
      String(repeating: "long ", count: 14_000), String(repeating: "w", count: 20_000),
      "2026-13-45", "0000-00-00T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:60Z",
      "+292277026596-01-01T00:00:00Z", "2026-01-01T00:00:00+99:99", "2026-02-30",
      "https://[::1", "http://h:99999999/", "javascript:alert(1)", "data:text/html,x", "//e",
      "file:///etc/passwd", "http://169.254.169.254/", "article", "update", "delete",
    ]
    let numbers = [
      "0", "-0", "-1", "1", "0.5", "9007199254740993", "9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "1e308", "-1e308", "1e999", "5e-324",
      String(repeating: "7", count: 400),
    ]
    let others = [
      "null", "true", "false", "[]", "{}", "[\"a\",1,null,{}]", "[[[[]]]]", "{\"src\":7}",
      "{\"src\":\"\",\"width\":-1,\"height\":9223372036854775807}", "\"\\u0000\\u0001\"",
      "\"\\ud83d\"",
      String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
      String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000),
    ]
    return texts.map(quoted) + numbers + others
  }()

  private static func quoted(_ text: String) -> String { JSONText.string(text) }
}
