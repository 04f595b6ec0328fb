/// Finds the name nearest to a mistyped one.
enum NearestName {
  /// Returns the candidate most like `name`; `nil` when none is like enough to be worth naming.
  static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let limit = name.count <= 4 ? 1 : name.count <= 8 ? 2 : 3
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let isPrefix = name.count >= 2 && candidate.hasPrefix(name)
      let distance = isPrefix ? 1 : distance(name.lowercased(), candidate.lowercased())
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns "; did you mean …?" or nothing, to end a message with.
  static func hint(
    _ name: String, among candidates: some Sequence<String>, prefix: String = ""
  ) -> String {
    of(name, among: candidates).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
  }

  /// Returns how many insertions, deletions, replacements and swaps of neighbours lead from one
  /// text to the other (Damerau-Levenshtein, each piece of text edited once).
  static func distance(_ one: String, _ other: String) -> Int {
    let a = Array(one.prefix(64))
    let b = Array(other.prefix(64))
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for j in 0...b.count { rows[0][j] = j }
    for i in a.indices {
      rows[i + 1][0] = i + 1
      for j in b.indices {
        let replaced = rows[i][j] + (a[i] == b[j] ? 0 : 1)
        var least = min(rows[i][j + 1] + 1, rows[i + 1][j] + 1, replaced)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        rows[i + 1][j + 1] = least
      }
    }
    return rows[a.count][b.count]
  }
}
