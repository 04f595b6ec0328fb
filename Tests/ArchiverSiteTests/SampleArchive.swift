import ArchiverCore
import ArchiverStorage

/// Items like a user's reading list, reproducible from the seed.
struct SampleArchive {
  private var random: SplitMix
  /// 21 November 2026, 09:00 UTC.
  static let now = Date(timeIntervalSince1970: 1_795_251_600)

  init(seed: UInt64 = 1) {
    random = SplitMix(state: seed)
  }

  private static let subjects = [
    "The quiet return of paper maps", "How tides remember", "Letters from a lighthouse",
    "What compilers know about time", "A short history of the footnote", "Bread, slowly",
    "Why bridges hum", "The garden at the end of winter", "Notes on carrying water",
    "An atlas of small islands", "Das Archiv der vergessenen Wege", "Über das Lesen im Gehen",
    "La memoria de las piedras", "Cartografía del silencio", "慢慢读书的人", "城市里的风",
    "ذاكرة المدن القديمة", "Émile and the art of repair",
    "Everything we learned from keeping ten thousand articles on one small disk for a decade",
  ]
  private static let sites = [
    ("longreads.example", "Long Reads"), ("tides.example", "The Tide Table"),
    ("machine.example", "Machine Letters"), ("atlas.example", "Atlas Quarterly"),
    ("lesen.example", "Lesezeichen"), ("kitchen.example", "Slow Kitchen"),
    ("gazette.example", "The Evening Gazette"),
  ]
  private static let labels = [
    "history", "craft", "computing", "sea", "food", "to re-read", "Übersetzung", "阅读", "cities",
  ]
  static let words = """
    the of and to in a is that it was for on as with by he at from his but an were are which not \
    this have had they you her she there been one all we their has would what if can when who \
    more no out so up into them then some could its only new time two may like other than our \
    harbour lantern morning winter paper river letter window garden machine memory island stone \
    bridge kitchen thread copper violin signal compass archive orchard tide chapter margin silver \
    quiet narrow distant ordinary patient familiar curious gentle ancient careful walked carried \
    remembered listened repaired translated measured wandered gathered folded answered promised
    """.split(separator: " ").map(String.init)

  /// Returns items saved over the last years, newest first.
  mutating func items(_ count: Int, source: String = "readeck") -> [CatalogItem] {
    (0..<count).map { item($0, source: source) }
  }

  mutating func item(_ index: Int, source: String = "readeck") -> CatalogItem {
    let subject = SampleArchive.subjects[random.below(SampleArchive.subjects.count)]
    let site = SampleArchive.sites[random.below(SampleArchive.sites.count)]
    var metadata = ItemMetadata(
      kind: random.below(12) == 0 ? .video : .article, title: "\(subject) \(index)")
    metadata.url = "https://\(site.0)/articles/\(index)"
    metadata.site = site.0
    metadata.siteName = site.1
    metadata.authors = random.below(3) == 0 ? [] : ["Ada Quill"]
    metadata.language = language(of: subject)
    let saved = SampleArchive.now.addingTimeInterval(-Double(index) * 40_000)
    metadata.added = saved
    metadata.published = saved.addingTimeInterval(-Double(random.below(4_000_000)))
    metadata.wordCount = 300 + random.below(2_400)
    metadata.readingTime = max(1, (metadata.wordCount ?? 0) / 220)
    let labelCount = random.below(4)
    metadata.labels = (0..<labelCount).map { _ in
      SampleArchive.labels[random.below(SampleArchive.labels.count)]
    }
    metadata.isFavourite = random.below(7) == 0
    metadata.isArchived = random.below(4) == 0
    metadata.readProgress = [0, 0, 40, 100][random.below(4)]
    return CatalogItem(
      key: ItemKey(source: source, id: "id\(index)"), revision: "1",
      folder: "\(source)/item-\(index)", metadata: metadata,
      firstArchived: SampleArchive.now.addingTimeInterval(Double(-index / 20) * 86_400),
      lastArchived: SampleArchive.now, contentHash: "h\(index)",
      byteCount: 40_000 + random.below(3_000_000), imageCount: random.below(20),
      missingImages: random.below(15) == 0 ? 2 : 0)
  }

  /// Returns running text of a number of words.
  mutating func text(_ count: Int) -> String {
    var text = ""
    for index in 0..<count {
      // The smaller of two random numbers, so that some words are frequent.
      let pick = min(
        random.below(SampleArchive.words.count), random.below(SampleArchive.words.count))
      if index > 0 { text += index % 14 == 0 ? ". " : " " }
      text += SampleArchive.words[pick]
    }
    return text
  }

  private func language(of subject: String) -> String {
    switch subject {
    case _ where subject.hasPrefix("Das") || subject.hasPrefix("Über"): "de"
    case _ where subject.hasPrefix("La ") || subject.hasPrefix("Cart"): "es"
    case "慢慢读书的人", "城市里的风": "zh"
    case "ذاكرة المدن القديمة": "ar"
    default: "en"
    }
  }
}

/// SplitMix64.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
