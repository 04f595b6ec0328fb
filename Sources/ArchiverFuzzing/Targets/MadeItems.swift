import ArchiverCore
import ArchiverStorage

/// Items of an archive generated from bytes: extreme numbers and times, and words of all scripts in
/// all normal forms, each in several fields.
struct MadeItems {
  private let bytes: [UInt8]
  private var place = 0
  /// Continues at the end of the bytes.
  private var random: SeededGenerator
  /// Earlier words, in any form.
  private var words: [[Unicode.Scalar]] = []

  private(set) var items: [CatalogItem] = []
  /// The text of each item.
  private(set) var texts: [String] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    random = SeededGenerator(seed: UInt64(bytes.count))
    let count = 1 + below(6)
    for number in 0..<count { add(number) }
  }

  private mutating func below(_ bound: Int) -> Int {
    guard place < bytes.count else { return Int.random(in: 0..<bound, using: &random) }
    place += 1
    return Int(bytes[place - 1]) % bound
  }

  private mutating func add(_ number: Int) {
    let kinds = ItemMetadata.Kind.allCases
    var metadata = ItemMetadata(kind: kinds[below(kinds.count)], title: "T \(text(4))")
    metadata.site = below(2) == 0 ? nil : text(1)
    metadata.siteName = below(2) == 0 ? nil : text(2)
    metadata.authors = (0..<below(3)).map { _ in "A \(text(2))" }
    metadata.language = below(3) == 0 ? nil : ["de", "ja", "ko", "", "x"][below(5)]
    metadata.labels = (0..<below(4)).map { _ in text(1) }
    (metadata.added, metadata.published, metadata.modified) = (time(), time(), time())
    (metadata.wordCount, metadata.readingTime) = (self.number(), self.number())
    metadata.readProgress = self.number()
    metadata.properties = [ItemProperty("Series", "\(text(1)) [\(self.number() ?? 0)]")]
    var item = CatalogItem(
      key: ItemKey(source: ["a", "b"][below(2)], id: "\(number) \(text(1))"), revision: "1",
      folder: "a/\(number)", metadata: metadata,
      firstArchived: time() ?? Date(timeIntervalSince1970: 0),
      lastArchived: time() ?? Date(timeIntervalSince1970: 0), contentHash: "h\(number)")
    item.state = ItemState.allCases[below(ItemState.allCases.count)]
    item.byteCount = self.number() ?? 0
    item.imageCount = self.number() ?? 0
    item.missingImages = self.number() ?? 0
    if below(2) == 0 {
      item.thumbnail = CatalogItem.Thumbnail(
        path: "a.png", width: self.number(), height: self.number())
    }
    item.annotations = (0..<below(3)).map { index in
      Annotation(id: "\(index)", text: text(3), note: text(2), color: text(1), created: time())
    }
    items.append(item)
    texts.append(text(40))
  }

  private mutating func number() -> Int? {
    let numbers = [nil, .max, .max - 1, .max / 2 + 1, .min, -1, 0, 1, 255, 1 << 31, 1 << 53]
    return numbers[below(numbers.count)]
  }

  private mutating func time() -> Date? {
    let times = [
      1e300, -1e300, 1e19, -1e19, 253_402_300_799, -62_135_596_801, 0, -1, 1_795_251_600,
    ]
    let index = below(times.count + 1)
    return index == times.count ? nil : Date(timeIntervalSince1970: times[index])
  }

  /// Returns at most a number of words.
  private mutating func text(_ most: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<below(most + 1) {
      let word = word()
      words.append(word)
      text.append(contentsOf: word)
      if below(4) > 0 { text.append([" ", "-", "\n", "。", "™", "\u{200B}"][below(6)]) }
    }
    return String(text)
  }

  /// Returns an earlier word, possibly in another form, or a new one.
  private mutating func word() -> [Unicode.Scalar] {
    if !words.isEmpty, below(3) == 0 {
      let known = words[below(words.count)]
      return below(2) == 0 ? known : known.flatMap(MadeLetters.takenApart)
    }
    return (0...below(6)).flatMap { _ in letters() }
  }

  private mutating func letters() -> [Unicode.Scalar] {
    switch below(4) {
    case 0: return [MadeLetters.composed[below(MadeLetters.composed.count)].whole]
    case 1: return MadeLetters.composed[below(MadeLetters.composed.count)].parts
    case 2:
      let syllable = 0xAC00 + UInt32(below(256) * 43 + below(43))
      return [Unicode.Scalar(min(syllable, 0xD7A3)) ?? "가"]
    default:
      // Any code point of the planes that have letters.
      let value = UInt32(below(3) << 16 | below(256) << 8 | below(256))
      return [Unicode.Scalar(value) ?? "\u{FFFD}"]
    }
  }
}

/// Letters of many scripts with composed and decomposed forms.
enum MadeLetters {
  static let composed: [(whole: Unicode.Scalar, parts: [Unicode.Scalar])] = [
    ("が", ["か", "\u{3099}"]), ("ぱ", ["は", "\u{309A}"]), ("ヴ", ["ウ", "\u{3099}"]),
    ("ガ", ["カ", "\u{3099}"]), ("パ", ["ハ", "\u{309A}"]), ("é", ["e", "\u{301}"]),
    ("Å", ["A", "\u{30A}"]), ("\u{212B}", ["A", "\u{30A}"]), ("ậ", ["a", "\u{323}", "\u{302}"]),
    ("ς", ["ς"]), ("ά", ["α", "\u{301}"]), ("й", ["и", "\u{306}"]), ("ﬁ", ["f", "i"]),
    ("ﬃ", ["f", "f", "i"]), ("ﾃ", ["テ"]), ("²", ["2"]), ("\u{95C}", ["\u{921}", "\u{93C}"]),
    ("\u{9CB}", ["\u{9C7}", "\u{9BE}"]), ("\u{BCA}", ["\u{BC6}", "\u{BBE}"]),
    ("\u{CC0}", ["\u{CBF}", "\u{CD5}"]), ("\u{D4A}", ["\u{D46}", "\u{D3E}"]),
    ("\u{DDA}", ["\u{DD9}", "\u{DCA}"]), ("\u{F69}", ["\u{F40}", "\u{FB5}"]),
    ("\u{1026}", ["\u{1025}", "\u{102E}"]), ("\u{1B06}", ["\u{1B05}", "\u{1B35}"]),
    ("\u{626}", ["\u{64A}", "\u{654}"]), ("\u{FB30}", ["\u{5D0}", "\u{5BC}"]),
    ("\u{1109A}", ["\u{11099}", "\u{110BA}"]), ("豈", ["\u{F900}"]), ("½", ["1", "⁄", "2"]),
    ("\u{309F}", ["よ", "り"]), ("\u{FDFA}", ["ص"]), ("ﾡ", ["ㄱ"]), ("\u{1D518}", ["U"]),
  ]

  private static let parts: [Unicode.Scalar: [Unicode.Scalar]] = Dictionary(
    composed.map { ($0.whole, $0.parts) }, uniquingKeysWith: { first, _ in first })

  /// Returns the decomposition of a character.
  static func takenApart(_ letter: Unicode.Scalar) -> [Unicode.Scalar] {
    guard (0xAC00...0xD7A3).contains(letter.value) else { return parts[letter] ?? [letter] }
    // Section 3.12 of the Unicode Standard.
    let index = letter.value - 0xAC00
    let values = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
    return values.prefix(index % 28 == 0 ? 2 : 3).compactMap(Unicode.Scalar.init)
  }
}
