/// The candidates of a `srcset` attribute (HTML standard, "parse a srcset attribute").
struct SourceSet {
  /// One image of a set; without a descriptor the density is 1.
  struct Candidate: Equatable {
    var url: String
    /// Pixels, from a `w` descriptor.
    var width: Int?
    /// From an `x` descriptor.
    var density: Double?
  }

  private(set) var candidates: [Candidate] = []
  static let most = 64

  init(_ text: String) {
    var rest = text[...].utf8
    while candidates.count < SourceSet.most {
      rest = rest.drop { TextByte.isSpace($0) || $0 == 0x2C }
      guard !rest.isEmpty else { break }
      var url = rest.prefix { !TextByte.isSpace($0) }
      rest = rest[url.endIndex...]
      if url.last == 0x2C {
        while url.last == 0x2C { url = url.dropLast() }
        add(url, descriptors: text[text.endIndex...].utf8)
      } else {
        add(url, descriptors: SourceSet.takeDescriptors(&rest))
      }
    }
  }

  private mutating func add(
    _ url: Substring.UTF8View, descriptors: Substring.UTF8View
  ) {
    guard !url.isEmpty else { return }
    var candidate = Candidate(url: String(decoding: url, as: UTF8.self))
    for word in descriptors.split(whereSeparator: TextByte.isSpace) {
      let number = String(decoding: word.dropLast(), as: UTF8.self)
      if word.last == 0x77, let width = Int(number), width > 0 {
        candidate.width = width
      } else if word.last == 0x78, let density = Double(number), density > 0 {
        candidate.density = density
      }
    }
    candidates.append(candidate)
  }

  /// Consumes everything up to the comma that ends a candidate, except commas in parentheses.
  private static func takeDescriptors(_ rest: inout Substring.UTF8View) -> Substring.UTF8View {
    var depth = 0
    let end = rest.firstIndex { byte in
      if byte == 0x28 { depth += 1 }
      if byte == 0x29 { depth -= 1 }
      return byte == 0x2C && depth <= 0
    }
    let descriptors = rest[..<(end ?? rest.endIndex)]
    rest = rest[(end ?? rest.endIndex)...]
    return descriptors
  }
}
