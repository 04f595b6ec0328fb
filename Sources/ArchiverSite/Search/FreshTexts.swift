import ArchiverCore
import ArchiverStorage
import Synchronization

/// Texts of items that a run archives, cached so that the library need not read them back.
///
/// Contains the first texts of a run, up to `countLimit` and `byteLimit`; all others are read from
/// their bundles. A cached text must equal that of the bundle's page, so that both give the same
/// library.
final class FreshTexts: Sendable {
  /// The maximum total size in bytes of UTF-8.
  private static let byteLimit = 2_500_000
  /// The maximum number of texts: the terms of a short text take more memory than the text.
  private static let countLimit = 400

  private struct Entry {
    let content: UInt64
    let fields: SearchFields
    var text: Text
  }

  private enum Text {
    case whole(String)
    case cut(PassageText)
  }

  private struct State {
    var entries: [ItemKey: Entry] = [:]
    var byteCount = 0
  }

  private let state = Mutex(State())

  /// Caches the text of a staged bundle, if there is space.
  func put(_ text: String, of item: CatalogItem) {
    let entry = Entry(
      content: LibraryRow.Marks.content(of: item),
      fields: SearchFields(item, title: item.metadata.title), text: .whole(text))
    state.withLock { state in
      guard state.entries.count < FreshTexts.countLimit,
        state.byteCount + text.utf8.count <= FreshTexts.byteLimit
      else { return }
      state.byteCount += text.utf8.count
      state.entries[item.key] = entry
    }
  }

  /// Tokenises the texts of some items for search, ahead of the library update.
  func prepare(_ keys: [ItemKey]) {
    for key in keys {
      guard let entry = state.withLock({ $0.entries[key] }), case .whole(let text) = entry.text
      else { continue }
      let cut = PassageText(text, entry.fields)
      state.withLock { $0.entries[key]?.text = .cut(cut) }
    }
  }

  /// Whether the item's text is cached.
  func holds(_ row: LibraryRow) -> Bool { state.withLock { $0.entries[row.key] != nil } }

  /// Returns and releases the text cached for this content and these fields.
  func take(_ row: LibraryRow) -> PassageText? {
    let entry = state.withLock { $0.entries.removeValue(forKey: row.key) }
    guard let entry, entry.content == row.marks.content,
      entry.fields.hash(from: row.marks.key) == row.marks.indexed
    else {
      return nil
    }
    switch entry.text {
    case .whole(let text): return PassageText(text, entry.fields)
    case .cut(let text): return text
    }
  }
}
