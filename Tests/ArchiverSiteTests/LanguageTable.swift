import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// Queries in seven languages with the expected results.
enum LanguageTable {
  static let texts = [
    "The old lighthouse keeper wrote letters to his sister every winter.",
    "Bridges of London: a history of engineering and of the people who built them.",
    "How to bake sourdough bread slowly, with a naïve oven and café music.",
    "Climate change and the rising sea: a report in 12,500 words.",
    "Der alte Leuchtturmwärter schrieb Briefe an seine Schwester.",
    "Die Brücken von Köln und die Straßen der Stadt; Größe ist nicht alles.",
    "Übersetzung und Rechtschreibung: Fußballspieler aus München.",
    "Das Bücherregal steht in der Küche, wo Äpfel und Öl lagern.",
    "Le gardien du phare écrivait des lettres à sa sœur.",
    "L'été à la plage : crème brûlée, garçon et forêt.",
    "Les journaux de l'après-guerre, œuvres complètes.",
    "Où est la bibliothèque ? Elle est près du château.",
    "El farero escribía cartas a su hermana en otoño.",
    "Mañana comeremos piñones; ¿cuándo vendrá el niño?",
    "La canción del corazón: una antología de poesía española.",
    "Los pingüinos del acuario y la cigüeña.",
    "灯塔守护人每年冬天给妹妹写信。", "北京的桥梁与城市规划，历史悠久。", "慢慢烤面包，需要耐心和时间。",
    "臺灣的圖書館與書店", "灯台守は毎年冬に妹へ手紙を書いた。",
    "東京の橋とデータセンター、ﾊﾝｶｸ文字もある。", "パンをゆっくり焼く。", "図書館で本を読む人々。ポスト",
    "كتب حارس المنارة رسائل إلى أخته كل شتاء.", "الجسور في المدينة القديمة وتاريخها.",
    "مَكْتَبَةٌ كبيرة في القاهرة.", "الخبز والملح ٢٠٢٤",
  ]

  /// A query and the numbers of the items that it finds, in any order.
  static let queries: [(query: String, found: Set<Int>)] = [
    // English.
    ("lighthouse ", [0]), ("LIGHTHOUSE", [0]), ("lighth", [0]), ("letter ", [0]),
    ("letters ", [0]), ("\"wrote letters\"", [0]), ("\"letters wrote\"", []), ("bridge ", [1]),
    ("bridges ", [1]), ("\"of the people\"", [1]), ("\"the people of\"", []),
    ("\"a history of\"", [1]),
    ("naive ", [2]), ("cafe ", [2]), ("café ", [2]), ("bread slowly", [2]), ("baking ", [2]),
    ("12500", [3]), ("12,500", [3]), ("\"and the rising\"", [3]), ("\"the rising and\"", []),
    ("climate OR bread ", [2, 3]), ("report -bread", [3]), ("sea -climate", []),
    // German.
    ("Leuchtturmwärter", [4]), ("leuchtturmwaerter ", [4]), ("leuchtturmwarter ", [4]),
    ("brücke ", [5]), ("bruecken ", [5]), ("brucken ", [5]), ("köln ", [5]), ("koeln ", [5]),
    ("koln ", [5]), ("strassen ", [5]), ("straßen ", [5]), ("straße ", [5]), ("groesse ", [5]),
    ("größe ", [5]), ("grosse ", [5]), ("GRÖSSE ", [5]), ("uebersetzung ", [6]),
    ("fussballspieler ", [6]), ("fußball", [6]), ("muenchen ", [6]), ("Mu\u{308}nchen ", [6]),
    ("buecherregal ", [7]), ("kueche ", [7]), ("aepfel ", [7]), ("oel ", [7]), ("öl ", [7]),
    ("\"in der Küche\"", [7]), ("\"der in Küche\"", []), ("lang:de brief", [4]),
    // French.
    ("soeur ", [8]), ("sœur ", [8]), ("ecrivait ", [8]), ("lettre ", [8]), ("phare ", [8]),
    ("l'été ", [9]), ("lete ", [9]), ("ete ", [9]), ("creme brulee ", [9]), ("garcon ", [9]),
    ("foret ", [9]), ("journal ", [10]), ("journaux ", [10]), ("apres-guerre ", [10]),
    ("oeuvres ", [10]), ("œuvre ", [10]), ("bibliotheque ", [11]),
    ("chateau ", [11]), ("châteaux ", [11]), ("\"à la plage\"", [9]), ("\"la à plage\"", []),
    ("\"elle est près du\"", [11]),
    // Spanish.
    ("otono ", [12]), ("otoño ", [12]), ("carta ", [12]), ("escribia ", [12]), ("manana ", [13]),
    ("niño ", [13]), ("nino ", [13]), ("ninos ", [13]), ("piñon ", [13]), ("cancion ", [14]),
    ("corazón ", [14]), ("antologia ", [14]), ("pinguino ", [15]), ("pingüinos ", [15]),
    ("cigueña ", [15]), ("\"a su hermana\"", [12]), ("\"su a hermana\"", []),
    ("farero OR pingüino ", [12, 15]),
    // Chinese.
    ("灯塔", [16]), ("写信", [16]), ("妹", [16, 20]), ("妹妹", [16]), ("北京", [17]), ("京北", []),
    ("桥梁 城市", [17]), ("\"城市规划\"", [17]), ("\"规划城市\"", []), ("面包", [18]), ("面 包", [18]),
    ("台灣", [19]), ("臺灣", [19]), ("圖書館", [19]), ("書店", [19]), ("冬天 OR 面包", [16, 18]),
    ("历史 -北京", []),
    // Japanese.
    ("灯台", [20]), ("手紙", [20]), ("\"手紙を書いた\"", [20]), ("東京", [21]), ("データ", [21]),
    ("ﾃﾞｰﾀ", [21]), ("でーた", [21]), ("ハンカク", [21]), ("はんかく", [21]), ("パン", [22]),
    ("ぱん", [22]), ("ゆっくり", [22]), ("ユックリ", [22]), ("図書館", [23]), ("ポスト", [23]),
    ("ホ\u{309A}スト", [23]), ("ほすと", []), ("人々", [23]),
    // Arabic.
    ("المنارة ", [24]), ("رسائل ", [24]), ("أخته ", [24]), ("اخته ", [24]),
    ("\"حارس المنارة\"", [24]),
    ("\"المنارة حارس\"", []), ("الجسور ", [25]), ("المدينة القديمة ", [25]), ("مكتبة ", [26]),
    ("مَكتَبة ", [26]), ("القاهـرة ", [26]), ("2024 ", [27]), ("٢٠٢٤", [27]),
    ("الخبز OR مكتبة ", [26, 27]),
  ]

  /// A misspelled query without results, and the suggestion.
  static let suggestions: [(query: String, better: String?)] = [
    ("lighthose ", "lighthouse "), ("bibliotheqe ", "bibliotheque "), ("schewster ", "schwester "),
    ("pinguinso ", "pinguinos "), ("灯海", nil),
    // Two wrong letters in a long word, after the first three.
    ("engeneerign ", "engineering "), ("Leuchturmwerter ", "leuchtturmwarter "),
    ("enganeerign", "engineering"), ("emgineerign ", nil), ("lettzz ", nil),
    // Other scripts.
    ("القاهرت ", "القاهره "),
  ]

  static func stage(_ root: String) throws -> SearchStage {
    var sample = SampleArchive(seed: 8)
    let stage = try SearchStage(root) { row in
      texts[Int(row.title.split(separator: " ").last ?? "0") ?? 0]
    }
    try stage.record(
      texts.indices.map { number in
        var item = sample.item(number)
        item.metadata.title = "Item \(number)"
        item.metadata.authors = []
        item.metadata.labels = []
        item.metadata.language = ["en", "de", "fr", "es", "zh", "ja", "ar"][number / 4]
        return item
      })
    _ = try stage.builder.update(isChanged: true)
    return stage
  }
}

@Suite struct LanguageSearchTests {
  @Test func `there are two hundred queries, and each finds what is wanted`() async throws {
    let count =
      LanguageTable.queries.count + ForgivingTable.queries.count + ExactTable.queries.count
      + FilterTable.queries.count
    #expect(count >= 200)
    try await TemporaryFolder.with("search") { root in
      let stage = try LanguageTable.stage(root)
      for (query, found) in LanguageTable.queries {
        let titles = try stage.titles(query)
        #expect(Set(titles) == Set(found.map { "Item \($0)" }), "\(query): \(titles)")
      }
      for (query, better) in LanguageTable.suggestions {
        #expect(try stage.find(query).suggestion == better, "\(query)")
      }
    }
  }
}

extension InBrowser.SearchInBrowserTests {
  @Test func `the page finds in seven languages what the command finds, in its order`()
    async throws
  {
    try await TemporaryFolder.with("search") { root in
      let stage = try LanguageTable.stage(root)
      try await browsing(root, in: LibraryBrowser.Name.ofTables) { open in
        for (query, _) in LanguageTable.queries {
          let shown = try await open(Self.hash(query)).titles
          #expect(try stage.titles(query) == shown, "\(query)")
        }
        for (query, better) in LanguageTable.suggestions {
          let page = try await open(Self.hash(query)).page
          #expect(page.contains("Did you mean:") == (better != nil), "\(query)")
          if let better { #expect(page.contains(">\(better)</a>"), "\(query)") }
        }
      }
    }
  }
}
