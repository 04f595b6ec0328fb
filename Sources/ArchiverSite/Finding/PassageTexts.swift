import ArchiverCore
import ArchiverStorage

/// The text of an item by passage, from the library's files or, if they are missing, from the bundle.
struct PassageTexts {
  let root: String
  let item: CatalogItem
  /// The prefix of the names of the text's files.
  let name: String
  private var fromBundle: [String]?
  private var last: (number: Int, file: PassageFile?)?

  init(root: String, item: CatalogItem, name: String) {
    self.root = root
    self.item = item
    self.name = name
  }

  /// Returns a passage; `nil` if the number is out of range.
  mutating func file(_ number: Int) -> PassageFile? {
    if last?.number != number { last = (number, read(number)) }
    return last?.file
  }

  private mutating func read(_ number: Int) -> PassageFile? {
    let path = SearchIndex.textPath(name, number)
    if fromBundle == nil, let script = ArchiveFile(path, in: root).bytes {
      return PassageFile(script)
    }
    if fromBundle == nil {
      let first = ArchiveFile(SearchIndex.textPath(name, 0), in: root)
      guard first.byteCount == nil else { return nil }
      // The page is empty if the bundle is unreadable: the item then has no snippet but is still found by its title.
      fromBundle = Passages.cut(SearchText.page(in: item.folder, root: root))
    }
    guard let fromBundle, fromBundle.indices.contains(number) else { return nil }
    return PassageFile(text: fromBundle[number])
  }
}
