import ArchiverCore
import ArchiverStorage

/// `library/data/labels-N-of-COUNT.js` and `sites-N-of-COUNT.js`: the items of each label and of each site
/// of a library with columns, so that a filter loads those of its names only.
///
///     archiverNames.lists(KIND, N, {"numbers": "…"});
///
/// Names are known by their keys (`Place`), as the pages have the names themselves: of labels in `FacetData`, of sites
/// in `SiteNames`. `numbers` has numbers of `PostingCode`: how many lists there are; then for each list, sorted by key,
/// the gap from the key before, how many items it has, and from each to the next the number of items between them.
/// Lists with the same key, those of names with one key and of the sites of one name, are sorted by the bytes of their
/// names.
struct NameLists {
  enum Kind: String {
    case labels, sites
  }

  /// The location of the list of a name: the number of the file, and the key in the file. Both are bits of the name's
  /// hash, the first ones and the last 24. The hash is multiplied first, because the hashes of similar names differ
  /// little.
  struct Place: Equatable {
    let number: Int
    let key: Int

    /// - Parameter count: The number of files, a power of two.
    init(_ name: String, of count: Int) {
      let bits = Fingerprint.short(name.utf8) &* 0x9e37_79b1
      number = Int((UInt64(bits) * UInt64(count)) >> 32)
      key = Int(bits & 0xff_ffff)
    }
  }

  static func path(_ kind: Kind, _ number: Int, of count: Int) -> String {
    "library/data/\(kind.rawValue)-\(number)-of-\(count).js"
  }

  private let kind: Kind
  private var files: [[(key: Int, items: [Int32])]]

  /// - Parameter count: The number of files.
  init(_ kind: Kind, count: Int) {
    self.kind = kind
    files = Array(repeating: [], count: count)
  }

  /// Adds a label, or a site by its name, with its items' numbers in order. Those of one key must be added in
  /// the order of their names.
  mutating func add(_ name: String, _ items: [Int32]) {
    let place = Place(name, of: files.count)
    files[place.number].append((place.key, items))
  }

  /// Calls `body` with the path and the bytes of each file that has lists.
  func forEach<Failure>(
    _ body: (String, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for (number, lists) in files.enumerated() where !lists.isEmpty {
      try body(
        NameLists.path(kind, number, of: files.count),
        ScriptData.call(
          "archiverNames.lists", [.string(kind.rawValue), .integer(number)], [:],
          numbers: NameLists.code(lists)))
    }
  }

  private static func code(_ lists: [(key: Int, items: [Int32])]) -> [UInt8] {
    var bytes: [UInt8] = []
    var last = 0
    PostingCode.append(lists.count, to: &bytes)
    // Lists with the same key keep their order.
    for list in lists.sorted(by: { $0.key < $1.key }) {
      PostingCode.append(list.key - last, to: &bytes)
      PostingCode.append(gapsOf: list.items.map(Int.init), to: &bytes)
      last = list.key
    }
    return bytes
  }
}
