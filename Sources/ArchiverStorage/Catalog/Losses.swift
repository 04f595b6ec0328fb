package import ArchiverCore

/// The completeness of an archived item; everything that reports it reads this value.
package enum Completeness: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing essential is missing, and nothing that may still arrive.
  case complete
  /// A part that is not essential is missing for now.
  case incomplete
  /// An essential part is missing.
  case failed
}

/// The missing parts of an item, counted by kind. Stored with the item in the catalog; `item.json`
/// has the full list.
package struct Losses: Sendable, Hashable, Codable {
  /// Missing parts of one kind with the same flags.
  package struct Entry: Sendable, Hashable, Codable {
    package var kind: MissingPart.Kind
    package var isEssential: Bool
    package var isPermanent: Bool
    /// The number of parts; at least 1.
    package var count: Int
    /// The name of the first of them, and why it is missing.
    package var name: String
    package var reason: String
    /// The number of them that have no URL in their name; `nil` if all have one.
    package var withoutURL: Int?
    /// Whether the bundle has them, although they cannot be read in full; `nil` for no.
    package var isKept: Bool?
  }

  /// The entries, one for each combination of kind and flags; essential ones first, then ordered by kind.
  package private(set) var entries: [Entry] = []

  package init(_ parts: [MissingPart] = []) {
    for part in parts {
      add(
        Entry(
          kind: part.kind, isEssential: part.isEssential, isPermanent: part.isPermanent, count: 1,
          name: part.name, reason: part.reason, withoutURL: part.hasURL ? nil : 1,
          isKept: part.isKept))
    }
  }

  /// Describes missing images of which only the number is known.
  package init(pictures count: Int) {
    guard count > 0 else { return }
    entries = [
      Entry(
        kind: .picture, isEssential: false, isPermanent: false, count: count, name: "", reason: "")
    ]
  }

  /// Adds the losses of another item.
  package mutating func add(_ other: Losses) {
    for entry in other.entries { add(entry) }
  }

  private mutating func add(_ entry: Entry) {
    if let index = entries.firstIndex(where: { $0.rank == entry.rank }) {
      entries[index].count += entry.count
      if let more = entry.withoutURL {
        entries[index].withoutURL = (entries[index].withoutURL ?? 0) + more
      }
    } else {
      entries.append(entry)
      entries.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
    }
  }

  /// The number of missing parts.
  package var total: Int { entries.reduce(0) { $0 + $1.count } }

  package var isEmpty: Bool { entries.isEmpty }

  package var completeness: Completeness {
    if entries.contains(where: \.isEssential) { return .failed }
    return entries.contains { !$0.isPermanent } ? .incomplete : .complete
  }

  /// Returns the number of missing parts of these kinds.
  package func count(_ kinds: Set<MissingPart.Kind>, isEssential: Bool? = nil) -> Int {
    entries.filter { kinds.contains($0.kind) && ($0.isEssential == isEssential ?? $0.isEssential) }
      .reduce(0) { $0 + $1.count }
  }

  /// A sentence without a full stop about what is missing and essential; `nil` if nothing is.
  package var sentence: String? { Losses.sentence(entries.filter(\.isEssential)) }

  /// A sentence without a full stop about everything missing; `nil` if nothing is.
  package var wholeSentence: String? { Losses.sentence(entries) }

  private static func sentence(_ entries: [Entry]) -> String? {
    guard !entries.isEmpty else { return nil }
    return entries.map { entry in
      "\(entry.statement)" + (entry.reason.isEmpty ? "" : " (\(entry.reason))")
    }.joined(separator: ", ")
  }
}

extension MissingPart {
  fileprivate var hasURL: Bool { name.hasPrefix("https://") || name.hasPrefix("http://") }
}

extension Losses.Entry {
  fileprivate var rank: [Int] {
    [
      isEssential ? 0 : 1, MissingPart.Kind.allCases.firstIndex(of: kind) ?? 0,
      isPermanent ? 1 : 0, isKept == true ? 1 : 0,
    ]
  }

  /// The fact that parts are missing or unreadable: "the file is missing", "3 images are missing".
  fileprivate var statement: String {
    let several =
      [.file, .picture, .children, .comments].contains(kind) && (count > 1 || kind == .comments)
    let lack = isKept == true ? "cannot be read in full" : several ? "are missing" : "is missing"
    return "\(noun) \(lack)"
  }

  private var noun: String {
    switch kind {
    case .text: "the text"
    case .mainFile: "the file"
    case .file: count == 1 ? "an attached file" : "\(count) attached files"
    case .picture: count == 1 ? "an image" : "\(count) images"
    case .children: count == 1 ? "a part of the page" : "\(count) parts of the page"
    case .comments: "the comments"
    case .record: "its metadata"
    }
  }
}
