import ArchiverCore
import Testing

@testable import ArchiverCLI

@Suite struct DisplayTests {
  static let widths: [(String, Int)] = [
    ("", 0), ("plain", 5), ("Grüße", 5), ("e\u{301}", 1), ("保存网页", 8), ("한국어", 6),
    ("ｆｕｌｌ", 8), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("مرحبا", 5), ("\u{200D}", 0), ("…", 1), ("é", 1),
  ]

  @Test(arguments: widths)
  func `counts columns`(text: String, columns: Int) {
    #expect(TextWidth.of(text) == columns)
  }

  static let cuts: [(String, Int, String)] = [
    ("short", 10, "short"), ("a longer title", 8, "a longe…"), ("a b", 2, "a…"),
    ("保存网页", 5, "保存…"), ("保存网页", 4, "保…"), ("abc", 1, "…"), ("abc", 0, ""),
  ]

  @Test
  func `plain text is shown as it is, and only that`() {
    // A combining mark at the end selects the slow path; the test drops it and its letter.
    for number in 0..<2_000 {
      let text = String(
        decoding: (0..<(number % 9)).map { place in
          Array(" \t\u{7F}\u{1B}ab cd".utf8)[(number >> place + number * 7 + place) % 9]
        }, as: UTF8.self)
      let slowly = String(DisplayText.line(text + " e\u{301}").unicodeScalars.dropLast(2))
      let end = slowly.hasSuffix(" ") ? 1 : 0
      #expect(DisplayText.line(text) == String(slowly.dropLast(end)))
    }
    for length in 399...402 {
      let text = String(repeating: "x", count: length)
      #expect(DisplayText.line(text) == (length > 400 ? text.prefix(400) + "…" : text))
    }
  }

  @Test(arguments: cuts)
  func `cuts to columns`(text: String, columns: Int, cut: String) {
    #expect(TextWidth.truncate(text, to: columns) == cut)
    #expect(TextWidth.of(TextWidth.truncate(text, to: columns)) <= columns)
  }

  static let hostile: [(String, String)] = [
    ("\u{1B}[2J\u{1B}]0;owned\u{7}title", "[2J]0;ownedtitle"),
    ("one\ntwo\r\nthree\tfour\u{2028}five", "one two three four five"),
    ("archived: fake\u{8}\u{8}\u{8}", "archived: fake"),
    ("a\u{202E}txt.exe\u{202C}", "atxt.exe"),
    ("\u{2066}x\u{2069}\u{200E}\u{200F}\u{61C}", "x"),
    ("\u{9B}31mred", "31mred"),
    ("zero\u{200B}width\u{FEFF}", "zerowidth"),
    ("  spaces   within  ", "spaces within"),
    ("👩‍👩‍👧 stays", "👩‍👩‍👧 stays"),
    ("\u{E0041}tag", "tag"),
    ("", ""),
  ]

  @Test(arguments: hostile)
  func `untrusted text becomes one harmless line`(text: String, line: String) {
    #expect(DisplayText.line(text) == line)
  }

  @Test func `heaps of combining marks and endless titles are cut`() {
    let heap = "a" + String(repeating: "\u{301}", count: 5000)
    #expect(DisplayText.line(heap).unicodeScalars.count <= 12)
    #expect(DisplayText.line(String(repeating: "x", count: 5000)).count == 401)
    #expect(DisplayText.title(" \n", id: "id-1") == "id-1")
  }

  static let sizes: [(Int, String)] = [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_345, "12.3 kB"), (999_949, "999.9 kB"),
    (999_950, "1.0 MB"), (12_300_000, "12.3 MB"), (5_000_000_000, "5.0 GB"),
    (7_200_000_000_000_000, "7,200.0 TB"),
  ]

  @Test(arguments: sizes)
  func `writes sizes`(bytes: Int, text: String) {
    #expect(Quantity.bytes(bytes) == text)
  }

  static let times: [(Double, String)] = [
    (0, "0.0 s"), (0.44, "0.4 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.6, "1 min"),
    (185, "3 min 5 s"), (7800, "2 h 10 min"), (3600, "1 h"), (273_600, "3 d 4 h"),
  ]

  @Test(arguments: times)
  func `writes times`(seconds: Double, text: String) {
    #expect(Quantity.time(.seconds(seconds)) == text)
    if seconds < 1 { #expect(Quantity.time(.seconds(seconds), tenths: false) == "1 s") }
  }

  static let durations: [(String, Int?)] = [
    ("90", 90), ("90s", 90), ("15m", 900), ("4h", 14400), ("2d", 172_800), ("", nil), ("h", nil),
    ("1w", 604_800), ("1.5h", 5400), ("2 min", 120), ("1 h 5", nil), ("3M", nil), (".5h", nil),
    ("-5m", nil), ("4x", nil), ("99999999999999999999", nil), ("9999d", nil), ("٣", nil),
  ]

  @Test(arguments: durations)
  func `reads times`(text: String, seconds: Int?) {
    #expect(Quantity.duration(text) == seconds.map { .seconds($0) })
  }

  static let amounts: [(String, Int?)] = [
    ("1000", 1000), ("500K", 500_000), ("100 MB", 100_000_000), ("2g", 2_000_000_000),
    ("1.5G", 1_500_000_000), ("20GiB", 20 << 30), ("64 KiB", 65536), ("1.K", nil), ("1..5G", nil),
    ("3i", nil), ("1T", 1_000_000_000_000), ("", nil), ("K", nil), ("9999999T", nil), ("-1", nil),
  ]

  @Test(arguments: amounts)
  func `reads sizes`(text: String, bytes: Int?) {
    #expect(Quantity.bytes(text) == bytes)
  }

  @Test func `counts have the right number`() {
    #expect(Quantity.count(1, "picture") == "1 picture")
    #expect(Quantity.count(0, "picture") == "0 pictures")
    #expect(Quantity.count(1_234_567, "entry", "entries") == "1,234,567 entries")
  }

  @Test func `a table is aligned by columns and cut to the width`() {
    var table = TextTable([
      .init("name"), .init("size", isNumber: true), .init("title", isFlexible: true),
    ])
    table.rows = [
      ["readeck", "5", "保存网页的方法与工具"], ["a", "12,345", "A title that goes on and on"],
    ]
    #expect(
      table.text(width: nil, styles: .plain) == """
        name       size  title
        readeck       5  保存网页的方法与工具
        a        12,345  A title that goes on and on

        """)
    #expect(
      table.text(width: 34, styles: .plain) == """
        name       size  title
        readeck       5  保存网页的方法与…
        a        12,345  A title that goe…

        """)
  }

  @Test func `a table too wide for the terminal becomes lines that fit`() {
    var table = TextTable([
      .init("source"), .init("pictures", isNumber: true), .init("size", isNumber: true),
      .init("title", isFlexible: true),
    ])
    table.rows = [
      ["readeck", "5", "3.1 kB", "保存网页的方法与工具：长期保存"],
      [TextTable.Cell("notes", style: .red), "", "2.0 kB", "A title that goes on"],
    ]
    let styles = Styles(hasColour: true, isUnicode: true)
    let text = table.text(width: 30, styles: styles)
    #expect(
      text == """
        readeck  pictures 5  3.1 kB
          保存网页的方法与工具：长期保
          存
        \u{1B}[31mnotes\u{1B}[0m  2.0 kB
          A title that goes on

        """)
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.shown($0) <= 30 })
    let narrow = table.text(width: 20, styles: .plain)
    #expect(narrow.split(separator: "\n").allSatisfy { TextWidth.of($0) <= 20 }, "\(narrow)")
  }

  static let colours: [(Bool, [String: String], Bool)] = [
    (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
    (true, ["NO_COLOR": ""], true), (true, ["CLICOLOR": "0"], false),
    (false, ["CLICOLOR_FORCE": "1"], true), (false, ["CLICOLOR_FORCE": "0"], false),
    (true, ["TERM": "dumb"], false), (true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
  ]

  @Test(arguments: colours)
  func `colours follow the conventions`(isTerminal: Bool, variables: [String: String], has: Bool) {
    #expect(Styles(isTerminal: isTerminal, variables: variables).hasColour == has)
  }

  @Test func `a line of JSON keeps its order and escapes what could harm`() throws {
    let line: JSONLine = [
      "b": "q\"\\\n\u{1B}\u{9B}\u{2028}ü", "a": .array([1, .number(0.5), .null, true]),
      "c": .object(["y": 1, "x": 2]), "d": .number(.infinity),
    ]
    #expect(
      line.text
        == #"{"b":"q\"\\\n\u001b\u009b\u2028ü","a":[1,0.5,null,true],"c":{"x":2,"y":1},"d":null}"#
        + "\n")
    let read = try JSONDecoder().decode(JSONValue.self, from: Data(line.text.utf8))
    #expect(read["b"]?.string == "q\"\\\n\u{1B}\u{9B}\u{2028}ü")
  }
}
