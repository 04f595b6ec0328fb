import ArchiverCore
import ArchiverStorage

@testable import ArchiverSite

/// Texts and queries for all spelling variants, with the expected results.
enum ForgivingTable {
  static let texts = [
    "A bridge over the river, by O\u{2019}Reilly.",
    "Two bridges. Don't use the Wi-Fi for e-mail.",
    "It cost 2,500 crowns. ISBN 978-3-16-148410-0.",
    "C++ and C# are languages; C is one more.",
    "To be, or not to be: that is the question.",
    "Herr M\u{FC}ller liest. Die Stra\u{DF}e ist lang.",
    "Mueller wrote stories about oﬃce life and H₂O.",
    "ﾃﾞｰﾀ と が",
    "The story of email and wifi; to run is to be.",
    "He was running; she stopped. Les journaux, le journal.",
    "Coral reefs, and a plated carol.",
    "One more carol: a harmonica may hormonise a plated planet.",
  ]

  /// A query and the numbers of the items that it finds, in any order.
  static let queries: [(query: String, found: Set<Int>)] = [
    ("bridges ", [0, 1]), ("bridge ", [0, 1]), ("bridges", [0, 1]), ("oreilly", [0]),
    ("O'Reilly", [0]), ("o’reilly ", [0]), ("dont", [1]), ("don't", [1]), ("wifi", [1, 8]),
    ("Wi-Fi ", [1, 8]), ("email", [1, 8]), ("e-mail ", [1, 8]), ("2500", [2]), ("2,500", [2]),
    ("9783161484100", [2]), ("978-3-16-148410-0", [2]), ("C++", [3]), ("c# ", [3]), ("C++ c#", [3]),
    ("\"to be or not to be\"", [4]), ("\"to be\"", [4, 8]), ("\"that is the question\"", [4]),
    ("mueller ", [5, 6]), ("müller ", [5, 6]), ("strasse", [5]), ("straße", [5]),
    ("story ", [6, 8]),
    ("stories ", [6, 8]), ("office", [6]), ("h2o", [6]), ("データ", [7]), ("か\u{3099}", [7]),
    ("run ", [8, 9]), ("running ", [8, 9]), ("stop ", [9]), ("journal ", [9]), ("journaux ", [9]),
    ("author:quill bridge ", [0, 1]), ("author:\"ada quill\"", [0, 1, 2, 3]), ("lang:de", [5, 6]),
    ("lang:de,ja", [5, 6, 7]), ("lang:xx", []), ("is:unlabelled", [0, 9]),
    ("-is:unlabelled bridge ", [1]), ("label:sea label:land", [2, 3]),
    ("label:sea,land", [1, 2, 3, 4]),
    ("-label:sea -label:land", [0, 5, 6, 7, 8, 9, 10, 11]),
    ("-author:quill -lang:de", [4, 7, 8, 9, 10, 11]),
    ("lighthouse", [8]), ("remember", [7]), ("sea ", [1, 2, 3]), ("-C++ languages", []),
    ("lable:x bridge ", [0, 1]), ("https://example.org", []), ("wi-f", [1]),
  ]

  /// A misspelled query without results, and the suggestion.
  static let suggestions: [(query: String, better: String?)] = [
    ("brigde", "bridge"), ("rivr ", "river "), ("questoin lang:en", "question lang:en"),
    ("langauges ", "languages "), ("brdge rivver ", "bridge river "), ("xqzt", nil), ("bri", nil),
    ("bridge question ", nil), ("brigde rivver questoin ", "bridge river question "),
    ("brigde xqzt ", "bridge "), ("teh rivr ", "river "), ("xqzt brigde", "bridge"),
    ("bridge xqzt ", nil), ("\"brigde rivver\"", "\"bridge river\""),
    ("brigde OR rivver ", "bridge OR river "),
    // The first three letters count more than the number of items.
    ("corol ", "coral "), ("crol ", "carol "),
    ("site:rivver brigde rivver ", "site:rivver bridge river "),
    // A wrong letter after the fourth comes before one at the fourth.
    ("planed ", "planet "),
    // Two wrong letters at the end come before one at the start.
    ("harmonise ", "harmonica "), ("hermonise ", "hormonise "),
    // The first letters of one word only may be wrong.
    ("brdge rver ", "bridge "), ("rver brigde ", "river bridge "),
  ]

  static func items() -> [CatalogItem] {
    var sample = SampleArchive(seed: 4)
    return texts.indices.map { number in
      var item = sample.item(number)
      item.metadata.title = "Item \(number)"
      item.metadata.kind = .article
      item.metadata.authors = number < 4 ? ["Ada Quill"] : ["Bo Stone"]
      item.metadata.language = [5: "de-AT", 6: "de", 7: "ja"][number] ?? "en"
      item.metadata.labels =
        [1: ["sea"], 2: ["sea", "land"], 3: ["land", "sea"], 4: ["land"]][number] ?? ["other"]
      if number == 0 || number == 9 { item.metadata.labels = [] }
      if number == 8 {
        item.annotations = [Annotation(id: "a", text: "wifi", note: "like a lighthouse")]
      }
      if number == 7 { item.annotations = [Annotation(id: "a", text: "remember this")] }
      return item
    }
  }

  static func stage(_ root: String) throws -> SearchStage {
    let stage = try SearchStage(root) { row in
      texts[Int(row.title.split(separator: " ").last ?? "0") ?? 0]
    }
    try stage.record(items())
    _ = try stage.builder.update(isChanged: true)
    return stage
  }
}
