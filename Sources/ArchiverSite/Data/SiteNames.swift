import ArchiverCore
import ArchiverStorage

/// `library/data/sites.js`: the names of all sites of a library with columns, of which queries find any part.
///
///     archiverNames.sites({"names": "…", "numbers": "…"});
///
/// A site has two names, its own and its host; the host is empty if it equals the name. They are sorted by their bytes.
/// `names` are the two names of each site without the characters that it shares with the name, or the host, before it:
/// those that both begin with and, of hosts, also those that both end with. `numbers` has numbers of `PostingCode`:
/// of the name, how many it begins with and how many are in `names`; of the host, how many it begins with,
/// are in `names`, and it ends with. Characters are UTF-16 units.
enum SiteNames {
  static let path = "library/data/sites.js"

  /// - Parameter sites: The two names of each site, sorted.
  static func script(_ sites: [ItemData.Site]) -> [UInt8] {
    var names = String.UnicodeScalarView()
    var numbers: [UInt8] = []
    func add(_ length: some Sequence<Unicode.Scalar>) {
      PostingCode.append(length.reduce(0) { $0 + UTF16.width($1) }, to: &numbers)
    }
    var last = ItemData.Site(name: "", host: "")
    for site in sites {
      let name = parts(of: site.name, after: last.name)
      let host = parts(of: site.host, after: last.host)
      add(name.start)
      let ending = name.middle + name.end
      add(ending)
      add(host.start)
      add(host.middle)
      add(host.end)
      names += ending + host.middle
      last = site
    }
    return ScriptData.call(
      "archiverNames.sites", [], ["names": .string(String(names))], numbers: numbers)
  }

  private typealias Part = ArraySlice<Unicode.Scalar>

  /// Returns a name in three parts: what it shares with the beginning of another one, what it does not share, and what
  /// it shares with the end of the other one.
  private static func parts(
    of name: String, after other: String
  ) -> (start: Part, middle: Part, end: Part) {
    let (name, other) = (Array(name.unicodeScalars), Array(other.unicodeScalars))
    let first = zip(name, other).prefix { $0 == $1 }.count
    let last = zip(name[first...].reversed(), other[first...].reversed()).prefix { $0 == $1 }.count
    return (name[..<first], name[first..<(name.count - last)], name[(name.count - last)...])
  }
}

extension ItemData.Site {
  /// The names of the site of an item, the host empty if it equals the name; both empty without a site.
  init(of origin: RowOrigin) {
    let (site, host) = (origin.site ?? "", origin.host ?? "")
    let hasOne = site.isEmpty || ByteKey(site) == ByteKey(host)
    self.init(name: hasOne ? host : site, host: hasOne ? "" : host)
  }
}
