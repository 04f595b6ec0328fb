import ArchiverCore

/// The order in which people count: numbers by value, without regard to case, folder by folder.
enum NaturalOrder {
  /// A name as folders and parts of them; what they do not tell apart, its text and place do.
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

  /// Returns the places of names in their order; equal names stay as they are.
  static func order(_ names: [String]) -> [Int] {
    names.enumerated().map { Key(folders: key($0.element), name: $0.element, offset: $0.offset) }
      .sorted().map(\.offset)
  }

  private static func key(_ name: String) -> [[String]] {
    name.lowercased().split(separator: "/").map(parts)
  }

  /// Runs of digits filled up with zeros to one length, everything else one character each.
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
        parts.append(String(character))
      }
    }
    flush()
    return parts
  }

  /// Whether it is one of the digits 0 to 9, in any script.
  private static func isDigit(_ character: Character) -> Bool {
    character.unicodeScalars.first?.properties.numericType == .decimal
  }
}
