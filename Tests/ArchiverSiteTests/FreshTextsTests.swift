import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverSite

@Suite struct FreshTextsTests {
  /// Builds a library and returns the titles of those whose text was read from the bundle.
  private func read(_ items: [CatalogItem], _ fresh: FreshTexts) async throws -> Set<String> {
    let titles = Mutex<Set<String>>([])
    try await TemporaryFolder.with("site") { root in
      let text = SearchText(fresh: fresh) { row in
        titles.withLock { _ = $0.insert(row.title) }
        return "The text of \(row.title)."
      }
      _ = try LibraryBuilder(root: root, catalog: MemoryCatalog(items), text: text)
        .update(isChanged: true)
    }
    return titles.withLock { $0 }
  }

  @Test func `only texts that are not at hand are read`() async throws {
    var sample = SampleArchive(seed: 3)
    let items = sample.items(5)
    let fresh = FreshTexts()
    for item in items.dropFirst(2) { fresh.put("Words.", of: item) }
    fresh.prepare(items.prefix(4).map(\.key))
    #expect(try await read(items, fresh) == Set(items.prefix(2).map(\.metadata.title)))
  }

  @Test func `a text of another content or title is not the item's`() async throws {
    var sample = SampleArchive(seed: 4)
    let items = sample.items(4)
    let fresh = FreshTexts()
    for item in items { fresh.put("Words.", of: item) }
    var changed = items
    changed[0].contentHash = "another"
    changed[1].metadata.title += " changed"
    changed[2].metadata.authors += ["Somebody Else"]
    #expect(try await read(changed, fresh) == Set(changed.prefix(3).map(\.metadata.title)))
  }

  @Test func `at most the limit is cached, the rest is read`() async throws {
    var sample = SampleArchive(seed: 5)
    let items = sample.items(6)
    let fresh = FreshTexts()
    let text = String(repeating: "A word and another. ", count: 25_000)
    for item in items { fresh.put(text, of: item) }
    #expect(try await read(items, fresh) == Set(items.dropFirst(5).map(\.metadata.title)))
  }

  @Test func `at most a few hundred short texts are cached`() async throws {
    var sample = SampleArchive(seed: 6)
    let items = sample.items(403)
    let fresh = FreshTexts()
    for item in items { fresh.put("Words.", of: item) }
    #expect(try await read(items, fresh) == Set(items.dropFirst(400).map(\.metadata.title)))
  }
}
