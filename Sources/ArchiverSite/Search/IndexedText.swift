import ArchiverCore
import ArchiverStorage

/// What search makes of one item's text. Made on several threads at once.
struct IndexedText: Sendable {
  let state: TextState.Entry
  /// One for each passage; none when they are there already.
  let files: [SiteFiles.Text]
  let passages: [PassageTerms]
  /// What the catalog is to know of it; `nil` when it does already.
  let entry: SearchEntry?

  /// What is needed for it of the item itself.
  struct Subject: Sendable {
    let row: LibraryRow
    let fields: SearchFields
    /// What is known of the text; `nil` when it must be read from the bundle.
    let known: TextState.Entry?
    /// The fingerprint of the catalog's entry, mixed as its text is.
    let cataloged: UInt64?
  }

  /// `root` is the archive's folder.
  init(_ subject: Subject, text: SearchText, root: String, isCataloged: Bool) throws {
    let row = subject.row
    var state: TextState.Entry
    if let known = subject.known {
      state = known
      let passages = (0..<known.passageCount).map { SearchIndex.passage(row, $0, root: root) }
      self.passages = PassageText.terms(
        of: passages.map(\.text), subject.fields, hasFile: passages.first?.hasFile ?? false)
      files = IndexedText.mended(passages.first, row, subject.fields)
    } else {
      let whole = try text.passages(of: row, subject.fields)
      state = TextState.Entry(
        key: row.marks.key, content: text.content(of: row), fingerprint: whole.fingerprint,
        passageCount: whole.passages.count)
      files = whole.passages.enumerated().map { number, passage in
        SiteFiles.Text(
          path: SearchIndex.textPath(row.textName, number),
          bytes: passage.script(row.textName, number))
      }
      passages = whole.terms
    }
    state.cataloged = CatalogIndex.fingerprint(row, state)
    entry =
      isCataloged && Fingerprint.mixed(state.cataloged) != subject.cataloged
      ? CatalogIndex.entry(row, Fingerprint.text(state.cataloged), passages) : nil
    self.state = state
  }

  /// Returns the file of the first passage where authors, labels or notes became others.
  private static func mended(
    _ first: PassageFile?, _ row: LibraryRow, _ fields: SearchFields
  ) -> [SiteFiles.Text] {
    guard var file = first, file.also != fields.also else { return [] }
    file.also = fields.also
    let path = SearchIndex.textPath(row.textName, 0)
    return [SiteFiles.Text(path: path, bytes: file.script(row.textName, 0))]
  }

  /// What search has of an item that is left out of it: nothing is read of the item, and its words are
  /// not found. The next update does not take it for known.
  init(leavingOut row: LibraryRow, cataloged: UInt64?, isCataloged: Bool) {
    var state = TextState.Entry(
      key: row.marks.key, content: ~row.marks.content, fingerprint: 0, passageCount: 1)
    state.cataloged = CatalogIndex.fingerprint(row, state)
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

  /// Puts the terms into an index of their own, as everything does that an index is made of.
  func tryOut() {
    var builder = SegmentBuilder(itemCount: 1)
    for passage in passages { builder.add(passage) }
    _ = builder.shards()
  }
}
