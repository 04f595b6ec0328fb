import ArchiverCore
import ArchiverStorage
import Synchronization

/// The texts of items that a run archives, cached so that the library need not read them back.
///
/// Holds the first few hundred, at most two and a half megabytes; the texts of all others are read
/// from their bundles. What is put must be what the bundle's page gives: the same library comes of
/// either.
final class FreshTexts: Sendable {
  /// Bytes of UTF-8.
  private static let byteLimit = 2_500_000
  /// What is known of a text's terms takes more than a short text does.
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

  init() {}

  /// Keeps the text of a bundle that was staged, while there is room.
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

  /// Does for the texts of some items what search needs of them, ahead of the library.
  func prepare(_ keys: [ItemKey]) {
    for key in keys {
      guard let entry = state.withLock({ $0.entries[key] }), case .whole(let text) = entry.text
      else { continue }
      let cut = PassageText(text, entry.fields)
      state.withLock { $0.entries[key]?.text = .cut(cut) }
    }
  }

  /// Whether there is a text of the item.
  func holds(_ row: LibraryRow) -> Bool { state.withLock { $0.entries[row.key] != nil } }

  /// Returns and releases the text kept for the content and fields that the library has.
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
