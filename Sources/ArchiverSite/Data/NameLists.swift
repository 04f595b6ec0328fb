import ArchiverCore
import ArchiverStorage

/// `library/data/labels-N-of-COUNT.js` and `sites-N-of-COUNT.js`: the items of each label and of each site
/// of a library with columns, so that a filter loads those of its names only.
///
///     archiverData.lists(KIND, {"names": […], "numbers": "…"});
///
/// `number` says which of the files has a name; sites of one name and several hosts are in one file. For each name,
/// sorted by its bytes, `numbers` has numbers of `PostingCode`: the number of its items, and from each to the next the
/// number of items between them.
/// A site has two names, its own and its host; the host is empty if it equals the name.
///
/// `library/data/sites.js` has the names of all sites, of which queries find any part:
///
///     archiverData.sites({"names": "…", "numbers": "…"});
///
/// `names` are the two names of each site, sorted, each ended by a line feed, without the characters that
/// it begins with like the name, or the host, before it; `numbers` are the numbers of these, in UTF-16 units.
struct NameLists {
  enum Kind: String {
    case labels, sites
  }

  static let sitesPath = "library/data/sites.js"

  static func path(_ kind: Kind, _ number: Int, of count: Int) -> String {
    "library/data/\(kind.rawValue)-\(number)-of-\(count).js"
  }

  private let kind: Kind
  private var files: [(names: [String], numbers: [UInt8])]

  /// - Parameter count: The number of files.
  init(_ kind: Kind, count: Int) {
    self.kind = kind
    files = Array(repeating: ([], []), count: count)
  }

  /// Adds a name, or the two of a site, with its items' numbers in order.
  mutating func add(_ names: [String], _ items: some Collection<Int>) {
    let number = NameLists.number(names.first ?? "", of: files.count)
    files[number].names += names
    PostingCode.append(gapsOf: items, to: &files[number].numbers)
  }

  /// Returns the number of the file that has a label or a site, by its name, of a power of two: the first bits of the
  /// name's hash, multiplied, as they are much the same for similar names.
  static func number(_ name: String, of count: Int) -> Int {
    Int((UInt64(hash(name) &* 0x9e37_79b1) * UInt64(count)) >> 32)
  }

  /// FNV-1a with 32 bits, as scripts can multiply.
  static func hash(_ name: String) -> UInt32 {
    var hash: UInt32 = 0x811c_9dc5
    for byte in name.utf8 {
      hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    return hash
  }

  /// Calls `body` with the path and the bytes of each file that has names.
  func forEach<Failure>(
    _ body: (String, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for (number, file) in files.enumerated() where !file.names.isEmpty {
      try body(
        NameLists.path(kind, number, of: files.count),
        ScriptData.call(
          "archiverData.lists", [.string(kind.rawValue)],
          ["names": .array(file.names.map { .string($0) })], numbers: file.numbers))
    }
  }

  /// - Parameter sites: The two names of each site, sorted.
  static func sitesScript(_ sites: [ItemData.Site]) -> [UInt8] {
    var names = ""
    var numbers: [UInt8] = []
    var last = ItemData.Site(name: "", host: "")
    for site in sites {
      for (name, before) in [(site.name, last.name), (site.host, last.host)] {
        let shared = zip(name.unicodeScalars, before.unicodeScalars).prefix { $0 == $1 }
        PostingCode.append(shared.reduce(0) { $0 + UTF16.width($1.0) }, to: &numbers)
        names.unicodeScalars += name.unicodeScalars.dropFirst(shared.count)
        names += "\n"
      }
      last = site
    }
    return ScriptData.call("archiverData.sites", [], ["names": .string(names)], numbers: numbers)
  }
}

extension ItemData.Site {
  /// The names of the site of an item, the host empty if it equals the name; both empty without a site. Line feeds,
  /// which end names, are spaces.
  init(of origin: RowOrigin) {
    func line(_ name: String) -> String {
      guard name.utf8.contains(UInt8(ascii: "\n")) else { return name }
      return String(name.map { $0.isNewline ? " " : $0 })
    }
    let (site, host) = (line(origin.site ?? ""), line(origin.host ?? ""))
    let hasOne = site.isEmpty || ByteKey(site) == ByteKey(host)
    self.init(name: hasOne ? host : site, host: hasOne ? "" : host)
  }
}
