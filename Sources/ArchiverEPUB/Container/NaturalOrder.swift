import ArchiverCore

/// Natural order of names: numbers by value, ignoring case, folder by folder, and punctuation before
/// digits and letters, as file managers have it.
enum NaturalOrder {
  /// A name divided into folders and their parts. Ties are broken by the text and the index.
  private struct Key: Comparable {
    let folders: [[String]]
    let name: String
    let offset: Int

    static func < (one: Key, other: Key) -> Bool {
      for (left, right) in zip(one.folders, other.folders) where left != right {
        for (part, rival) in zip(left, right) where part != rival { return part < rival }
        return left.count < right.count
      }
      return (one.folders.count, one.name, one.offset)
        < (other.folders.count, other.name, other.offset)
    }
  }

  /// Returns the indexes of names in order; equal names keep theirs.
  static func order(_ names: [String]) -> [Int] {
    names.enumerated().map { Key(folders: key($0.element), name: $0.element, offset: $0.offset) }
      .sorted().map(\.offset)
  }

  /// Returns the parts of each path component without the file extension, which would sort `a-1.jpg` before `a.jpg`.
  private static func key(_ name: String) -> [[String]] {
    let folders = name.lowercased().split(separator: "/")
    return folders.enumerated().map { index, part in
      parts(index == folders.count - 1 ? stem(part) : part)
    }
  }

  /// The maximum number of characters of a file extension.
  private static let longestEnding = 5

  private static func stem(_ name: Substring) -> Substring {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    let ending = name[name.index(after: dot)...]
    let isEnding =
      (1...longestEnding).contains(ending.count) && ending.contains(where: \.isLetter)
      && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isEnding ? name[..<dot] : name
  }

  /// Divides a name into runs of digits, padded with zeros to one length, and single characters.
  private static func parts(_ name: Substring) -> [String] {
    var parts = [String]()
    var digits = ""
    func flush() {
      guard !digits.isEmpty else { return }
      let value = String(digits.drop { $0 == "0" })
      parts.append(String(repeating: "0", count: max(0, 20 - value.count)) + value)
      digits = ""
    }
    for character in name {
      if let value = character.wholeNumberValue, isDigit(character) {
        digits.append(String(value))
      } else {
        flush()
        // A control character precedes all others.
        let isWord = character.isLetter || character.isNumber
        parts.append(isWord ? String(character) : "\u{1}\(character)")
      }
    }
    flush()
    return parts
  }

  /// Whether it is a decimal digit, in any script.
  private static func isDigit(_ character: Character) -> Bool {
    character.unicodeScalars.first?.properties.numericType == .decimal
  }
}
