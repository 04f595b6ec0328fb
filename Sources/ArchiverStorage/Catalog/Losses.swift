package import ArchiverCore

/// How whole an archived item is; every surface reads this one value.
package enum Completeness: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing is missing that may still come, and nothing essential.
  case complete
  /// A part that is not essential is missing for now.
  case incomplete
  /// An essential part is missing.
  case failed
}

/// What is missing of an item, counted by kind: in the catalog with each item, in full in its
/// `item.json`.
package struct Losses: Sendable, Hashable, Codable {
  /// Parts of a kind that share their fate.
  package struct Entry: Sendable, Hashable, Codable {
    package var kind: MissingPart.Kind
    package var isEssential: Bool
    package var isPermanent: Bool
    /// At least 1.
    package var count: Int
    /// What the first of them is called, and why it is missing.
    package var name: String
    package var reason: String
  }

  /// Essential ones first, in the order of the kinds; one for each kind and fate.
  package private(set) var entries: [Entry] = []

  package init(_ parts: [MissingPart] = []) {
    for part in parts {
      add(
        Entry(
          kind: part.kind, isEssential: part.isEssential, isPermanent: part.isPermanent, count: 1,
          name: part.name, reason: part.reason))
    }
  }

  /// Pictures of which no more is known than how many are missing, from 0.
  package init(pictures count: Int) {
    guard count > 0 else { return }
    entries = [
      Entry(
        kind: .picture, isEssential: false, isPermanent: false, count: count, name: "", reason: "")
    ]
  }

  /// Adds those of another item.
  package mutating func add(_ other: Losses) {
    for entry in other.entries { add(entry) }
  }

  private mutating func add(_ entry: Entry) {
    if let index = entries.firstIndex(where: { $0.rank == entry.rank }) {
      entries[index].count += entry.count
    } else {
      entries.append(entry)
      entries.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
    }
  }

  /// How many parts are missing.
  package var total: Int { entries.reduce(0) { $0 + $1.count } }

  package var isEmpty: Bool { entries.isEmpty }

  package var completeness: Completeness {
    if entries.contains(where: \.isEssential) { return .failed }
    return entries.contains { !$0.isPermanent } ? .incomplete : .complete
  }

  /// How many parts of the kinds are missing.
  package func count(_ kinds: Set<MissingPart.Kind>, isEssential: Bool? = nil) -> Int {
    entries.filter { kinds.contains($0.kind) && ($0.isEssential == isEssential ?? $0.isEssential) }
      .reduce(0) { $0 + $1.count }
  }

  /// What is missing and essential, in a sentence without its period; `nil` when nothing is.
  package var sentence: String? { Losses.sentence(entries.filter(\.isEssential)) }

  /// All that is missing, in a sentence without its period; `nil` when nothing is.
  package var wholeSentence: String? { Losses.sentence(entries) }

  private static func sentence(_ entries: [Entry]) -> String? {
    guard !entries.isEmpty else { return nil }
    return entries.map { entry in
      "\(entry.noun) missing" + (entry.reason.isEmpty ? "" : " (\(entry.reason))")
    }.joined(separator: ", ")
  }
}

extension Losses.Entry {
  fileprivate var rank: [Int] {
    [
      isEssential ? 0 : 1, MissingPart.Kind.allCases.firstIndex(of: kind) ?? 0,
      isPermanent ? 1 : 0,
    ]
  }

  /// What is missing, with its verb: "the book's file is", "3 pictures are".
  fileprivate var noun: String {
    switch kind {
    case .text: "the text is"
    case .mainFile: "the file is"
    case .file: count == 1 ? "an attached file is" : "\(count) attached files are"
    case .picture: count == 1 ? "a picture is" : "\(count) pictures are"
    case .children: count == 1 ? "a part of the page is" : "\(count) parts of the page are"
    case .comments: "the comments are"
    case .record: "facts about it are"
    }
  }
}
