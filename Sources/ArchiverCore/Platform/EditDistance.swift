/// The edit distance between two texts.
package enum EditDistance {
  /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one text
  /// into the other (Damerau-Levenshtein distance, each part of a text edited once).
  ///
  /// Takes time proportional to the product of the lengths.
  package static func of<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int {
    var rows = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: one.count + 1)
    for column in 0...other.count { rows[0][column] = column }
    for row in one.indices {
      rows[row + 1][0] = row + 1
      for column in other.indices {
        let replaced = rows[row][column] + (one[row] == other[column] ? 0 : 1)
        var least = min(rows[row][column + 1] + 1, rows[row + 1][column] + 1, replaced)
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        rows[row + 1][column + 1] = least
      }
    }
    return rows[one.count][other.count]
  }
}
