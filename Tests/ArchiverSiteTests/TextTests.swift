import ArchiverCore
import Testing

@testable import ArchiverSite

@Suite struct CivilDateTests {
  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (1_795_251_600, "2026-11-21T09:00:00Z"),
    (-1, "1969-12-31T23:59:59Z"), (-2_203_977_600, "1900-02-28T00:00:00Z"),
    (4_107_542_400, "2100-03-01T00:00:00Z"), (1e300, "9999-12-31T23:59:59Z"),
  ])
  func `takes dates apart as the calendar does`(seconds: Double, text: String) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(UTCTime.text(date) == text)
    #expect(CivilDate(date).dayText == text.prefix(10))
  }
}

@Suite struct ScriptDataTests {
  @Test func `keeps strangers' text inside its string and inside its script`() {
    let text = "</script><!--\u{2028}\u{2029}\"\\\n\r\u{0}&"
    let script = ScriptData.call("archiverSearch.text", [.string("k"), .string(text)])
    let written = String(decoding: script, as: UTF8.self)
    #expect(!written.contains("<"))
    #expect(!written.unicodeScalars.contains("\u{2028}"))
    #expect(written.components("\n") == 2)
    #expect(PassageFile(script)?.text == text)
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""),
    ("ä€ \u{FF21} 𝄞\u{2027}\u{202A}", "ä€ \u{FF21} 𝄞\u{2027}\u{202A}"),
    ("\u{2028}x\u{2029}\u{FEFF}", #"\u2028x\u2029\ufeff"#),
    ("a\nb\t\u{7F}\u{1}", #"a\nb\u0009\u007f\u0001"#),
    ("<b>\"&\\", #"\u003cb\u003e\"\u0026\\"#), ("\u{FEFE}\u{2018}€", "\u{FEFE}\u{2018}€"),
  ])
  func `escapes what could end a string and nothing else`(text: String, written: String) {
    var bytes: [UInt8] = []
    ScriptData.append(text, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "\"\(written)\"")
  }

  @Test func `writes members in the order of their names`() {
    let script = ScriptData.assignment("a", ["z": 1, "b": [true, .null], "k": "x"])
    #expect(
      String(decoding: script, as: UTF8.self) == "a = {\"b\":[true,null],\"k\":\"x\",\"z\":1};\n")
  }
}

@Suite struct TokenizerTests {
  private func terms(_ text: String) -> [String] {
    var tokenizer = Tokenizer()
    var terms: [String] = []
    tokenizer.tokens(of: text) { terms.append($0) }
    return terms
  }

  @Test(arguments: [
    ("Hello, World 42!", ["hello", "world", "42"]),
    ("Éclair naïve Łódź STRASSE Straße", ["eclair", "naive", "lodz", "strasse", "strasse"]),
    ("e\u{301}clair", ["eclair"]),
    ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
    ("Ёлка", ["елка"]),
    ("مُدُن", ["مدن"]),
    ("ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
    ("慢读书", ["慢读", "读书", "书"]),
    ("书", ["书"]),
    ("Swift和书", ["swift", "和书", "书"]),
    ("x\u{1F600}y", ["x", "y"]),
    ("Bundes\u{AD}regierung", ["bundesregierung"]),
    ("a\u{AD}é\u{2060}b\u{200D}c\u{FEFF}d\u{FE0F}e\u{202B}f\u{E0101}", ["aebcdef"]),
    ("\u{AD} a\u{200B}b \u{200E}", ["a", "b"]),
    ("葛\u{E0100}城\u{FE00}", ["葛城", "城"]),
    ("किताब की", ["किताब", "की"]),
    ("ക്\u{200D}ഷ தமிழ்", ["ക്ഷ", "தமிழ்"]),
    ("\u{958}\u{9CB} क़ো", ["क\u{93C}\u{9C7}\u{9BE}", "क\u{93C}\u{9C7}\u{9BE}"]),
    ("ٱلْعَٰلَمِينَۖ", ["العلمين"]),
    ("ភាសា\u{200B}ខ្មែរ", ["ភា", "ាស", "សា", "ា", "ខ្", "្ម", "មែ", "ែរ", "រ"]),
    ("", []),
  ])
  func `cuts and folds text into terms`(text: String, expected: [String]) {
    #expect(terms(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test func `cuts overlong words without breaking a character`() {
    let term = terms(String(repeating: "я", count: 500))
    #expect(term.map(\.utf8.count) == [Tokenizer.longest])
    #expect(term.allSatisfy { !$0.contains("\u{FFFD}") })
    for count in [Tokenizer.longest, Tokenizer.longest + 1, 500] {
      let word = String(repeating: "Ab", count: count).prefix(count)
      #expect(terms("a \(word) b") == ["a", word.prefix(Tokenizer.longest).lowercased(), "b"])
    }
  }
}

@Suite struct PassageTermsTests {
  @Test func `counts every term once, however many there are`() {
    var counter = TermCounter()
    for round in 1...2 {
      for number in 0..<5_000 { counter.add("Wört\(number) and \(number)", weight: round) }
      #expect(counter.length == 15_000)
      var counts: [String: Int] = [:]
      counter.drain { bytes, count in
        let term = String(decoding: bytes, as: UTF8.self)
        #expect(counts[term] == nil)
        counts[term] = count
      }
      #expect(counts.count == 10_001)
      #expect(counts["wort17"] == round)
      #expect(counts["and"] == 5_000 * round)
      #expect(counts["4999"] == round)
    }
  }

  @Test func `a word of the title weighs more`() {
    var counter = TermCounter()
    let terms = PassageTerms(
      "harbour hall, one hall", SearchFields(title: "harbour"), &counter)
    var levels: [String: Int] = [:]
    terms.forEach { levels[String(decoding: $0, as: UTF8.self)] = $1 }
    let pairs = levels.keys.filter { WordPair.isTerm($0.utf8) }
    #expect(Set(levels.keys).subtracting(pairs) == ["hall", "harbour", "one"])
    #expect(pairs.count == 3 && pairs.allSatisfy { levels[$0] == 0 })
    #expect(levels["harbour", default: 0] > levels["hall", default: 0])
  }

  @Test func `keys are ordered by their bytes`() {
    let texts = [
      "", "a", "ab", "abcdefgh", "abcdefgha", "abcdefghb", "é", "が", "\u{304B}\u{3099}", "𝄞",
    ]
    for one in texts {
      for other in texts {
        let isFirst = one.utf8.lexicographicallyPrecedes(other.utf8)
        #expect((ByteKey(one) < ByteKey(other)) == isFirst)
        #expect((ByteKey(one) == ByteKey(other)) == one.utf8.elementsEqual(other.utf8))
      }
    }
  }
}

@Suite struct PassagesTests {
  @Test func `cuts long text at white space and loses nothing`() {
    var sample = SampleArchive()
    let text = sample.text(20_000)
    let passages = Passages.cut(text)
    #expect(passages.count > 5)
    #expect(passages.joined() == text)
    #expect(passages.allSatisfy { $0.utf8.count <= Passages.size })
  }

  @Test func `cuts text without white space between characters`() {
    let text = String(repeating: "读", count: 30_000)
    let passages = Passages.cut(text)
    #expect(passages.joined() == text)
    #expect(passages.allSatisfy { !$0.contains("\u{FFFD}") })
  }

  @Test func `gives an empty text one empty passage`() {
    #expect(Passages.cut("") == [""])
  }
}

@Suite struct SegmentTests {
  @Test(arguments: [0, 1, 31, 32, 33, 255, 256, 1_023, 1_024, 2_400, 10_000])
  func `covers every item once, in order`(count: Int) {
    let ranges = SearchIndex.Sizes().ranges(count)
    #expect(ranges.flatMap { Array($0) } == Array(0..<count))
  }

  @Test func `keeps all full segments when items are added`() {
    let before = SearchIndex.Sizes().ranges(2_405)
    let after = SearchIndex.Sizes().ranges(2_410)
    #expect(before.dropLast() == after.dropLast())
    #expect(after.count == 7)
  }

  @Test func `writes numbers without a character that needs an escape`() {
    var bytes: [UInt8] = []
    for number in [0, 45, 46, 91, 92, 4_000, 1_000_000] { PostingCode.append(number, to: &bytes) }
    #expect(PostingCode.digits.count == 92)
    #expect(!bytes.contains { [0x22, 0x5C, 0x3C].contains($0) || $0 < 0x20 || $0 > 0x7E })
  }

  private func words(_ text: String) -> PassageTerms {
    var counter = TermCounter()
    return PassageTerms(text, nil, &counter)
  }

  @Test func `shares beginnings between neighbouring terms`() {
    var builder = SegmentBuilder(itemCount: 1)
    builder.add(words("archive archived archiver"))
    let shards = builder.shards()
    #expect(shards.count == 1)
    let text = String(decoding: shards[0].bytes, as: UTF8.self)
    // Three words and two pairs, each with its postings.
    #expect(text.split(separator: "\t").count == 10)
    #expect(text.components("archive") == 2)
  }

  /// The decoded terms of shards, and the lengths of their postings.
  private func terms(_ shards: [ShardWriter.Shard]) -> [[(term: String, size: Int)]] {
    shards.map { shard in
      var previous = ""
      let parts = String(decoding: shard.bytes, as: UTF8.self).split(separator: "\t")
      return stride(from: 0, to: parts.count, by: 2).map { at in
        let shared = PostingCode.digits.firstIndex(of: parts[at].utf8.first ?? 0) ?? 0
        previous = String(previous.prefix(shared)) + parts[at].dropFirst()
        return (previous, parts[at + 1].utf8.count)
      }
    }
  }

  @Test func `one entry covers the words of a prefix if they take much space`() {
    var builder = SegmentBuilder(itemCount: 1)
    for number in 0..<100 {
      let words = (0..<40).map { "ha\(number * 40 + $0) quiet\($0 % 3)" }
      builder.add(self.words(words.joined(separator: " ")))
    }
    let shards = builder.shards()
    let all = terms(shards).flatMap { $0 }
    let names = all.map(\.term)
    #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    for beginning in ["h*", "ha*", "ha1*"] { #expect(names.contains(beginning)) }
    for beginning in ["q*", "quiet*", "ha10*", "ha11*"] { #expect(!names.contains(beginning)) }
    // No query looks for all pairs whose terms begin alike.
    #expect(names.count { WordPair.isTerm($0.utf8) } > 3_000)
    #expect(!names.contains { $0.hasPrefix(WordForms.mark) && $0.hasSuffix("*") })
    // Every passage has a word with this prefix, and a digit has two passages.
    #expect(all.contains { $0.term == "ha*" && $0.size == 2 + 100 / 2 })
  }

  @Test(arguments: [(300, false), (600, true)])
  func `a prefix has an entry once its words take 4,000 bytes`(count: Int, hasEntry: Bool) {
    var builder = SegmentBuilder(itemCount: 1)
    builder.add(words((0..<count).map { "con\(1_000 + $0)" }.joined(separator: " ")))
    let names = terms(builder.shards()).flatMap { $0 }.map(\.term)
    #expect(names.contains("con*") == hasEntry)
  }

  @Test func `a shard's start lies between its terms and those before`() {
    var builder = SegmentBuilder(itemCount: 1)
    builder.add(words((0..<3_000).map { "wörd\($0)" }.joined(separator: " ")))
    let shards = builder.shards()
    let terms = terms(shards)
    #expect(shards.count > 3)
    for number in shards.indices.dropFirst() {
      let start = shards[number].start
      #expect(terms[number - 1].last.map { $0.term < start } ?? false)
      #expect(terms[number].first.map { start <= $0.term } ?? false)
    }
    #expect(shards[2].start.utf8.count < 9)
  }
}

@Suite struct WordsTests {
  @Test(arguments: Words.all.map(\.language))
  func `has every word with the same places for values`(language: String) {
    let words = Words.of(language)
    #expect(words.months.count == 12)
    for (key, text) in Words.english.texts where !key.hasSuffix(".one") {
      let other = words.texts[key] ?? ""
      #expect(!other.isEmpty, "\(key)")
      for place in ["%1", "%2"] {
        #expect(text.contains(place) == other.contains(place), "\(key)")
      }
    }
    for (key, text) in words.texts {
      guard key.hasSuffix(".one") else {
        #expect(Words.english.texts[key] != nil, "\(key)")
        continue
      }
      // Only a singular form that differs is a separate string.
      let plural = words.texts[String(key.dropLast(4))] ?? ""
      #expect(text.contains("1") && !plural.isEmpty && text != plural.filled("1"), "\(key)")
    }
  }

  @Test(arguments: [
    ("en", "1 attempt", "2 attempts"), ("de", "1 Versuch", "2 Versuche"),
    ("es", "1 intento", "2 intentos"), ("zh-Hans", "已尝试 1 次", "已尝试 2 次"),
  ])
  func `says one thing in the singular`(language: String, one: String, two: String) {
    let words = Words.of(language)
    #expect(words.counted("attempts", 1) == one)
    #expect(words.counted("attempts", 2) == two)
    // Without a singular form, the plural is used.
    #expect(words.counted("failing", 1) == words.text("failing", "1"))
  }

  @Test func `has every word that the scripts ask for`() {
    for (name, bytes) in LibraryAssets.files where name.hasSuffix(".js") {
      var rest = String(decoding: bytes, as: UTF8.self)[...]
      while let start = rest.firstRange(of: " w(\"") ?? rest.firstRange(of: "(w(\"") {
        rest = rest[start.upperBound...]
        let key = String(rest.prefix { $0 != "\"" })
        let isWhole = rest.dropFirst(key.count + 1).first.map { "),".contains($0) } ?? false
        if isWhole { #expect(Words.english.texts[key] != nil, "\(name): \(key)") }
      }
    }
  }

  @Test(arguments: [
    ("en", "1,234", "12,345,678", "1.5 MB"), ("de", "1.234", "12.345.678", "1,5 MB"),
    ("es", "1234", "12.345.678", "1,5 MB"), ("zh-Hans", "1,234", "12,345,678", "1.5 MB"),
  ])
  func `writes numbers as the language does`(
    language: String, thousands: String, millions: String, size: String
  ) {
    let words = Words.of(language)
    #expect(words.number(1_234) == thousands)
    #expect(words.number(12_345_678) == millions)
    #expect([0, 999, -5].map(words.number) == ["0", "999", "-5"])
    #expect(words.bytes(1_460_000) == size)
    #expect(
      [0, 999, 3_000, 12_400_000, 999_600].map(words.bytes)
        == ["0 B", "999 B", "3 kB", "12 MB", "1 MB"])
  }

  @Test func `puts values in their places`() {
    #expect("%2 of %1, 100% %9".filled("a", "b") == "b of a, 100% %9")
    #expect(Words.of("zh-CN").language == "zh-Hans")
    #expect(Words.of("xx").language == "en")
  }
}

@Suite struct TextPathTests {
  @Test(arguments: [0, 1, 12]) func `hashes a path without making it`(passage: Int) {
    var random = SplitMix(state: 3)
    for key in [0, 1, .max] + (0..<200).map({ _ in random.next() }) {
      let path = SearchIndex.textPath(LibraryRow.textName(key), passage)
      #expect(TextPath.hash(key, passage) == FileListing.hash(path), "\(path)")
    }
  }
}
