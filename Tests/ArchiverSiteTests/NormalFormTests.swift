import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct NormalFormTests {
  /// A text with letters that have several forms, in several scripts.
  static let texts = [
    "これは資料だ。ファイル名は「だれか.pdf」。か\u{3099}とが。",
    "서울 그리고 \u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}.pdf",
    "\u{1025}\u{102E} \u{1026}", "cafe\u{301} caf\u{E9}", "\u{921}\u{93C} \u{95C}",
    "\u{9AF}\u{9BC} \u{9DF} \u{9C7}\u{9BE} \u{9CB}", "\u{212B} \u{C5} A\u{30A}",
    "\u{64A}\u{654} \u{626}", "\u{5D0}\u{5BC} \u{FB30}", "\u{F40}\u{FB5} \u{F69}",
    "\u{11099}\u{110BA} \u{1109A}", "\u{B95}\u{BC6}\u{BBE} \u{B95}\u{BCA}",
  ]

  private static func stage(
    _ root: String, _ texts: [String], _ change: (inout CatalogItem) -> Void = { _ in }
  ) throws -> SearchStage {
    var sample = SampleArchive()
    let items = texts.indices.map { number in
      var item = sample.item(number)
      item.metadata.title = "Piece \(number)"
      change(&item)
      return item
    }
    let stage = try SearchStage(root) { row in
      texts[Int(row.title.split(separator: " ").last ?? "0") ?? 0]
    }
    try stage.record(items)
    _ = try stage.builder.update(isChanged: true)
    return stage
  }

  @Test func `a text with a word in two normal forms is indexed and found in either`() async throws
  {
    try await TemporaryFolder.with("search") { root in
      let stage = try Self.stage(root, Self.texts)
      for (query, number) in [
        ("が", 0), ("か\u{3099}", 0), ("서울", 1), ("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}", 1),
        ("\u{1026}", 2), ("\u{1025}\u{102E}", 2), ("\u{95C}", 4), ("\u{9CB}", 5),
        ("\u{B95}\u{BCA}", 11),
      ] {
        #expect(try stage.titles(query).contains("Piece \(number)"), "\(query)")
      }
    }
  }

  @Test func `compatibility forms are found by the plain word and the other way round`()
    async throws
  {
    try await TemporaryFolder.with("search") { root in
      let stage = try Self.stage(
        root, ["Oﬃce ﬁles and ﬂuﬀ", "ﾊﾝｶｸｶﾅ ﾃﾞｰﾀ", "H₂O and x₁ ①", "office データ h2o"])
      for (query, numbers) in [
        ("office", [0, 3]), ("oﬃce", [0, 3]), ("fluff", [0]), ("データ", [1, 3]), ("ﾃﾞｰﾀ", [1, 3]),
        ("ハンカク", [1]), ("h2o", [2, 3]), ("H₂O", [2, 3]), ("x1", [2]),
      ] {
        let found = try stage.titles(query)
        #expect(Set(found) == Set(numbers.map { "Piece \($0)" }), "\(query)")
      }
    }
  }

  @Test func `labels in two normal forms are one label, whichever came first`() async throws {
    try await TemporaryFolder.with("library") { root in
      let stage = try Self.stage(root, ["a", "b"]) { item in
        item.metadata.labels = [item.key.id == "id0" ? "caf\u{E9}" : "cafe\u{301}"]
      }
      #expect(try stage.titles("label:caf\u{E9}").count == 2)
      #expect(try stage.titles("label:cafe\u{301}").count == 2)
      let path = root + "/" + LabelName.path("cafe\u{301}")
      let page = try String(contentsOfFile: path, encoding: .utf8)
      #expect(page.contains("Piece 0") && page.contains("Piece 1"))
      #expect(LabelName.path("caf\u{E9}") == LabelName.path("cafe\u{301}"))
    }
  }

  @Test func `composed and decomposed texts have the same bytes in each normal form`() {
    for (one, other) in [
      ("が", "か\u{3099}"), ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
      ("\u{1EAD}", "a\u{323}\u{302}"), ("\u{1EAD}", "a\u{302}\u{323}"), ("\u{212B}", "A\u{30A}"),
      ("\u{9CB}", "\u{9C7}\u{9BE}"), ("각", "가\u{11A8}"),
    ] {
      #expect(one == other)
      let forms = [one, other].map { Array(NormalForms.shared.composed($0).utf8) }
      #expect(forms[0] == forms[1])
      let wide = [one, other].map { Array(NormalText.of($0).utf8) }
      #expect(wide[0] == wide[1])
    }
    #expect(NormalText.of("Foo™ ﬁ ½ ㎏ ⅷ ｈ").utf8.elementsEqual("Foo™ fi 1⁄2 ㎏ viii h".utf8))
  }

  @Test func `a part of a normalised text has its position in the original`() {
    let text = "x ﾃﾞｰﾀ y oﬃce ½ e\u{301}t\u{E9} \u{309F}z 한"
    let bytes = Array(text.utf8)
    let shown = TextPiece.all(in: text).map {
      "\($0.term)=\(String(decoding: bytes[$0.range], as: UTF8.self))"
    }
    #expect(
      shown == [
        "x=x", "で=ﾃﾞ", "ー=ｰ", "た=ﾀ", "y=y", "office=oﬃce", "1=½", "2=", "ete=e\u{301}t\u{E9}",
        "よ=\u{309F}", "り=", "z=z", "한=한",
      ])
    #expect(Snippet(text, SearchQuery("データ 2 り 한 "))?.text == text)
  }

  @Test func `every word of every script keeps the index whole beside its other normal form`() {
    // Each character alone and with its successor, composed and decomposed.
    for block in stride(from: UInt32(0xA0), to: 0x30000, by: 0x100) {
      let scalars = (block..<block + 0x100).compactMap(Unicode.Scalar.init)
      var text = ""
      for scalar in scalars {
        text.unicodeScalars.append(contentsOf: [scalar, " "])
        text.unicodeScalars.append(contentsOf: NormalForms.shared.compatible([scalar]))
        text.unicodeScalars.append(" ")
      }
      var builder = SegmentBuilder(itemCount: 1)
      for terms in PassageText(text, SearchFields(title: text)).terms { builder.add(terms) }
      #expect(!builder.shards().contains { $0.bytes.isEmpty })
    }
  }
}

extension NormalFormTests {
  @Test func `lookups and the index have the same terms`() {
    var random = SplitMix(state: 11)
    for _ in 0..<3_000 {
      var view = String.UnicodeScalarView()
      for _ in 0..<4 {
        let value = UInt32(random.below(random.below(2) == 0 ? 0x3200 : 0x23000))
        view.append(Unicode.Scalar(value) ?? "x")
      }
      let text = String(view)
      var tokenizer = Tokenizer()
      var indexed: Set<[UInt8]> = []
      tokenizer.tokens(of: text) { indexed.insert(Array($0.utf8)) }
      for term in TextPiece.terms(of: text) where !indexed.contains(Array(term.term.utf8)) {
        let codes = view.map { String($0.value, radix: 16) }
        let have = indexed.map {
          String(decoding: $0, as: UTF8.self).unicodeScalars.map { String($0.value, radix: 16) }
        }
        Issue.record(
          "\(codes) \(term.term.unicodeScalars.map { String($0.value, radix: 16) }) \(have)")
      }
    }
  }
}
