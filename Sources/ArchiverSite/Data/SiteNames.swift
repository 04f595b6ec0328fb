import ArchiverCore
import ArchiverStorage

/// `library/data/sites.js`: the names of all sites of a library with columns, so that queries find
/// any part of a name.
///
///     archiverNames.sites({"names": "…", "numbers": "…"});
///
/// A site has two names, its own and its host; the host is empty if it equals the name. They are
/// sorted by their bytes. `names` has the two names of each site, shortened by the prefix shared
/// with the previous name or host, and for hosts also by the shared suffix. `numbers` has numbers
/// of `PostingCode`: for the name, the lengths of the shared prefix and of the part in `names`; for
/// the host, the lengths of the shared prefix, of the part in `names`, and of the shared suffix.
/// Lengths count UTF-16 units.
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

  /// Returns a name in three parts: the prefix shared with another name, the part that differs, and
  /// the suffix shared with the other name.
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
