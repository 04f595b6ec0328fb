import ArchiverCore
import ArchiverStorage

/// The search data of one item's text; created on several threads in parallel.
struct IndexedText: Sendable {
  let state: TextState
  /// The passage files to write; empty if they exist and are unchanged.
  let files: [SiteFiles.Text]
  let passages: [PassageTerms]

  /// The input: an item's row, its search fields and the recorded state of its text.
  struct Subject: Sendable {
    let row: LibraryRow
    let fields: SearchFields
    /// The recorded state of the text; `nil` if it must be read from the bundle.
    let known: TextState?
  }

  /// `root` is the archive's folder.
  init(_ subject: Subject, text: SearchText, root: String) throws {
    let row = subject.row
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
  }

  /// Returns the file of the first passage with present authors, labels and notes, if they changed;
  /// otherwise nothing.
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
  init(leavingOut row: LibraryRow) {
    state = TextState(
      key: row.marks.key, content: ~row.marks.content, fingerprint: 0, passageCount: 1)
    files = [
      SiteFiles.Text(
        path: SearchIndex.textPath(row.textName, 0),
        bytes: PassageFile(text: "").script(row.textName, 0))
    ]
    passages = [PassageTerms()]
  }

  /// Builds and discards a segment of these terms. If an item crashes the index, it does so here,
  /// while it is processed alone.
  func tryOut() {
    var builder = SegmentBuilder(itemCount: 1)
    for passage in passages { builder.add(passage) }
    builder.forEachShard { _ in }
  }
}
