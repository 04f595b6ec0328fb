import ArchiverCore
import ArchiverStorage

/// The text of an item, passage by passage: from the library's files or, where those are not there,
/// from the bundle.
struct PassageTexts {
  let root: String
  let item: CatalogItem
  /// Of the text's files.
  let name: String
  private var fromBundle: [String]?

  init(root: String, item: CatalogItem, name: String) {
    self.root = root
    self.item = item
    self.name = name
  }

  /// Returns a passage; `nil` when there is none of the number.
  subscript(number: Int) -> String? {
    mutating get {
      let path = SearchIndex.textPath(name, number)
      if fromBundle == nil, let script = ArchiveFile(path, in: root).bytes {
        return ScriptData.lastString(script)
      }
      if fromBundle == nil {
        let first = ArchiveFile(SearchIndex.textPath(name, 0), in: root)
        guard first.byteCount == nil else { return nil }
        // A bundle that cannot be read shows nothing; it is found by its title nevertheless.
        fromBundle = Passages.cut(SearchText.page(in: item.folder, root: root))
      }
      guard let fromBundle, fromBundle.indices.contains(number) else { return nil }
      return fromBundle[number]
    }
  }
}
