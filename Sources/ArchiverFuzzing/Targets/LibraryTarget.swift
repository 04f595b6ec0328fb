import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit

extension FuzzTarget {
  /// The library and the search of a few items generated from the input, see `MadeItems`.
  static let library = FuzzTarget(
    name: "library", dictionary: (0..<64).map { String(Unicode.Scalar(UInt8($0))) },
    seeds: (1...4 as ClosedRange<UInt64>).map { seed in
      var random = SeededGenerator(seed: seed)
      return (0..<400).map { _ in UInt8.random(in: 0...127, using: &random) }
    }
  ) { input in
    do {
      return try await TemporaryFolder.with("fuzz") { root in
        try MadeLibrary(root, MadeItems(input)).problems()
      }
    } catch {
      return ["the library could not be made: \(error)"]
    }
  }
}

/// An archive of synthetic items and its library.
private struct MadeLibrary {
  private let root: String
  private let made: MadeItems
  private let catalog: SQLiteCatalog

  init(_ root: String, _ made: MadeItems) throws {
    self.root = root
    self.made = made
    try FileManager.default.createDirectory(
      atPath: root + "/.archiver", withIntermediateDirectories: true)
    catalog = try SQLiteCatalog(path: root + "/.archiver/catalog.sqlite")
    try catalog.record(
      made.items.map { item in
        .publish(
          Publication(
            item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "m", staged: "s"))
      })
  }

  private func builder() -> LibraryBuilder {
    let builder = LibraryBuilder(root: root, catalog: catalog)
    for (item, text) in zip(made.items, made.texts) { builder.keep(text, of: item) }
    return builder
  }

  /// Makes the library twice and searches it; returns violations.
  func problems() throws -> [String] {
    var problems: [String] = []
    for update in [try builder().update(isChanged: true), try builder().rebuild()] {
      problems += update.troubles.map { "left out \($0.key.id): \($0.reason)" }
    }
    let again = try builder().update(isChanged: true).written.filter { $0 != "library/status.js" }
    if !again.isEmpty { problems.append("written again: \(again.prefix(3))") }
    return try problems + unfound()
  }

  /// Returns words that are not found in the items that contain them.
  private func unfound() throws -> [String] {
    let search = LibrarySearch(root: root, catalog: catalog)
    var problems: [String] = []
    for (item, text) in zip(made.items, made.texts) {
      // By Unicode scalars, because a space followed by a mark is not white space as a `Character`.
      for word in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).prefix(2) {
        // A word that begins with a sign could be a filter, an exclusion or a phrase.
        let query = SearchQuery("\"\(String.UnicodeScalarView(word))\"")
        guard !query.terms.isEmpty, query.filters.isEmpty else {
          continue
        }
        let found = try search.find(query, limit: 100).matches.map(\.item.folder)
        if !found.contains(item.folder) {
          problems.append("\(word) is not found in \(item.folder)")
        }
      }
    }
    return problems
  }
}
