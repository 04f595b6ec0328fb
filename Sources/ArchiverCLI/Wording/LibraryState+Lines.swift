import ArchiverSite
import ArchiverStorage

extension LibraryState {
  /// Returns sentences about the parts that the library lacks; empty if it is complete.
  func lines(in wording: Wording) -> [String] {
    var lines: [String] = []
    if let failure { lines.append(wording.text(.libraryUnfinished, DisplayText.line(failure))) }
    return lines
      + troubles.map {
        wording.text(
          .notInLibrary, DisplayText.line($0.key.id, limit: 80), DisplayText.line($0.reason))
      }
  }
}
