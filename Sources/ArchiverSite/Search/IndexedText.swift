import ArchiverCore
import ArchiverStorage

/// The search data of one item's text; created on several threads in parallel.
struct IndexedText: Sendable {
  let state: TextState
  /// One file per passage; empty if the files exist already.
  let files: [SiteFiles.Text]
  let passages: [PassageTerms]
  /// The item's entry for the catalog; `nil` if it is up to date.
  let entry: SearchEntry?

  /// The input from the item itself.
  struct Subject: Sendable {
    let row: LibraryRow
    let fields: SearchFields
    /// The recorded state of the text; `nil` if it must be read from the bundle.
    let known: TextState?
    /// The fingerprint of the catalog's entry, mixed like that of its text.
    let cataloged: UInt64?
  }

  /// `root` is the archive's folder.
  init(_ subject: Subject, text: SearchText, root: String, isCataloged: Bool) throws {
    let row = subject.row
    var state: TextState
    if let known = subject.known {
      state = known
      let passages = (0..<known.passageCount).map { SearchIndex.passage(row, $0, root: root) }
      self.passages = PassageText.terms(
        of: passages.map(\.text), subject.fields, hasFile: passages.first?.hasFile ?? false)
      files = IndexedText.mended(passages.first, row, subject.fields)
    } else {
      let whole = try text.passages(of: row, subject.fields)
      state = TextState(
        key: row.marks.key, content: text.content(of: row.marks), fingerprint: whole.fingerprint,
        passageCount: whole.passages.count)
      files = whole.passages.enumerated().map { number, passage in
        SiteFiles.Text(
          path: SearchIndex.textPath(row.textName, number),
          bytes: passage.script(row.textName, number))
      }
      passages = whole.terms
    }
    state.cataloged = CatalogIndex.fingerprint(row.marks, state)
    entry =
      isCataloged && Fingerprint.mixed(state.cataloged) != subject.cataloged
      ? CatalogIndex.entry(row, Fingerprint.text(state.cataloged), passages) : nil
    self.state = state
  }

  /// Returns the file of the first passage, for an item whose authors, labels or notes changed.
  private static func mended(
    _ first: PassageFile?, _ row: LibraryRow, _ fields: SearchFields
  ) -> [SiteFiles.Text] {
    guard var file = first, file.also != fields.also else { return [] }
    file.also = fields.also
    let path = SearchIndex.textPath(row.textName, 0)
    return [SiteFiles.Text(path: path, bytes: file.script(row.textName, 0))]
  }

  /// Returns empty search data for an item that is excluded from search. The next update does not
  /// treat it as known.
  init(leavingOut row: LibraryRow, cataloged: UInt64?, isCataloged: Bool) {
    var state = TextState(
      key: row.marks.key, content: ~row.marks.content, fingerprint: 0, passageCount: 1)
    state.cataloged = CatalogIndex.fingerprint(row.marks, state)
    files = [
      SiteFiles.Text(
        path: SearchIndex.textPath(row.textName, 0),
        bytes: PassageFile("").script(row.textName, 0))
    ]
    passages = [PassageTerms()]
    entry =
      isCataloged && Fingerprint.mixed(state.cataloged) != cataloged
      ? CatalogIndex.emptyEntry(row, Fingerprint.text(state.cataloged)) : nil
    self.state = state
  }

  /// Builds and discards a segment of these terms, to try everything that the index does with them.
  func tryOut() {
    var builder = SegmentBuilder(itemCount: 1)
    for passage in passages { builder.add(passage) }
    builder.forEachShard { _ in }
  }
}
