import ArchiverCore

/// URLs of catalogs without their credentials.
enum CatalogAddress {
  /// Returns the URL without its query and without a key in its path.
  static func shown(_ url: WebURL) -> String {
    let keys = Set(keys(of: url))
    let segments = url.withoutQuery.absoluteString
      .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return segments.map { keys.contains($0) ? "…" : $0 }.joined(separator: "/")
  }

  /// Returns the credentials in a catalog's URL: Kavita's `/api/opds/KEY/…`, other long
  /// alphanumeric path segments, and keys in the query.
  static func keys(of url: WebURL) -> [String] {
    let segments = url.path.split(separator: "/").map(String.init)
    var keys = segments.filter(isRandom)
    if let index = segments.indices.first(where: { segments[$0...].starts(with: ["api", "opds"]) }),
      index + 2 < segments.count
    {
      keys.append(segments[index + 2])
    }
    for field in (url.query ?? "").split(separator: "&") {
      let pair = field.split(separator: "=", maxSplits: 1).map(String.init)
      let name = pair[0].lowercased()
      if pair.count == 2, name.hasSuffix("key") || name.hasSuffix("token") || isRandom(pair[1]) {
        keys.append(pair[1])
      }
    }
    var seen = Set<String>()
    return keys.filter { seen.insert($0).inserted }
  }

  /// Whether a word looks random: at least 20 characters, letters and digits mixed.
  private static func isRandom(_ word: String) -> Bool {
    let plain = word.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    let isWord = plain.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
    let digits = plain.count { (0x30...0x39).contains($0) }
    return isWord && plain.count >= 20 && digits >= 3 && digits < plain.count
  }
}
