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
    var scanner = Substring(text)
    while candidates.count < SourceSet.most {
      scanner = scanner.drop { $0.isWhitespace || $0 == "," }
      guard !scanner.isEmpty else { break }
      let word = scanner.prefix { !$0.isWhitespace }
      scanner = scanner[word.endIndex...]
      if word.hasSuffix(",") {
        add(String(word.trimmingCommas()), descriptors: "")
      } else {
        let descriptors = SourceSet.takeDescriptors(&scanner)
        add(String(word), descriptors: descriptors)
      }
    }
  }

  private mutating func add(_ url: String, descriptors: Substring) {
    guard !url.isEmpty else { return }
    var candidate = Candidate(url: url)
    for word in descriptors.split(whereSeparator: \.isWhitespace) {
      if word.hasSuffix("w"), let width = Int(word.dropLast()), width > 0 {
        candidate.width = width
      } else if word.hasSuffix("x"), let density = Double(word.dropLast()), density > 0 {
        candidate.density = density
      }
    }
    candidates.append(candidate)
  }

  /// Takes everything up to the comma that ends a candidate; commas in parentheses do not.
  private static func takeDescriptors(_ scanner: inout Substring) -> Substring {
    var depth = 0
    let end = scanner.firstIndex { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "," && depth <= 0
    }
    let descriptors = scanner[..<(end ?? scanner.endIndex)]
    scanner = scanner[(end ?? scanner.endIndex)...]
    return descriptors
  }
}

extension Substring {
  fileprivate func trimmingCommas() -> Substring {
    var rest = self
    while rest.hasSuffix(",") { rest.removeLast() }
    return rest
  }
}
