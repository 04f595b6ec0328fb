import ArchiverCore
import Testing

/// What a strict decoder rejects as a whole costs no other member.
@Suite struct ForeignJSONTests {
  private func read(_ text: String) throws -> JSONValue {
    try ForeignJSON.decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test(arguments: [
    (#""x\ud83d""#, "x\u{FFFD}"), (#""\ude00\u0041""#, "\u{FFFD}A"),
    (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud83d\u00e9""#, "\u{FFFD}é"),
    (#""\\ud83d""#, "\\ud83d"), (#""\udcff.txt""#, "\u{FFFD}.txt"), (#""\uD83D\uDE00""#, "😀"),
    ("\"a\tb\nc\u{1}\"", "a\tb\nc\u{1}"),
  ])
  func `a text that is half a character, or has raw control characters, is read`(
    json: String, text: String
  ) throws {
    #expect(try read("{\"a\":[\(json)],\"b\":1}") == ["a": [.string(text)], "b": 1])
  }

  @Test func `bytes that are not UTF-8 cost their character`() throws {
    let bytes = Array("{\"a\":\"x".utf8) + [0xFF, 0xC3] + Array("y\",\"é\":2}".utf8)
    #expect(
      try ForeignJSON.decode(JSONValue.self, from: Data(bytes)) == [
        "a": "x\u{FFFD}\u{FFFD}y", "é": 2,
      ])
  }

  @Test func `numbers that fit no type cost themselves alone`() throws {
    let huge = String(repeating: "7", count: 400)
    let read = try read(
      "[1e999,-1e999,\(huge),NaN,-Infinity,Infinity,{\"a\":-0.5e-3},\"NaN 1e999\"]")
    let greatest = Double.greatestFiniteMagnitude
    #expect(
      read == [
        .number(greatest), .number(-greatest), .number(greatest), .null, .null, .null,
        ["a": .number(-0.5e-3)], "NaN 1e999",
      ])
  }

  @Test func `values nested too deeply cost themselves alone`() throws {
    let deep = String(repeating: "[", count: 3_000) + "{}" + String(repeating: "]", count: 3_000)
    var value = try #require(try read("{\"a\":1,\"b\":[\(deep)],\"c\":\(deep),\"d\":[2]}")["b"])
    var depth = 1
    while let inner = value[0] { (value, depth) = (inner, depth + 1) }
    #expect(value == "(nested too deeply)" && depth == 500)
    let whole = try read("{\"a\":1,\"b\":[\(deep)],\"c\":\(deep),\"d\":[2]}")
    #expect(whole["a"] == 1 && whole["d"] == [2])
  }

  @Test(arguments: [
    String(repeating: "[", count: 3_000), "", "{", "[nil]", "[Nope]", "[\"a]", "[--1]",
    "\u{0}", "[1-2]", #"["\u12"]"#, #"["\"#,
  ])
  func `what is not JSON stays an error`(text: String) {
    #expect(throws: DecodingError.self) { try read(text) }
  }

  @Test func `UTF-16 is read as before`() throws {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in "{\"ü\":\"\u{FC}\"}".utf16 {
      bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
    }
    #expect(try ForeignJSON.decode(JSONValue.self, from: Data(bytes)) == ["ü": "\u{FC}"])
  }

  /// Decoders that tolerate members would take a broken text for an absent one.
  @Test func `a tolerant decoder sees the mended text`() throws {
    struct Lenient: Decodable {
      let text: String?
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        text = try? container.decode(String.self, forKey: .text)
      }
      enum Key: String, CodingKey { case text }
    }
    let text = #"{"text":"cut \ud83d"}"#
    #expect(try ForeignJSON.decode(Lenient.self, from: Data(text.utf8)).text == "cut \u{FFFD}")
  }
}
