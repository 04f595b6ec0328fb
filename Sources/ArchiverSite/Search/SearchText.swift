import ArchiverCore
import ArchiverMarkup
package import ArchiverStorage

/// Gives the plain text of an archived item for search.
///
/// Asked only for items whose content hash the library has not seen.
package struct SearchText: Sendable {
  package typealias Read = @Sendable (CatalogItem) throws -> String

  package let read: Read

  package init(_ read: @escaping Read) {
    self.read = read
  }

  /// Reads the text from the item's reading page in the archive at `root`; a page that is missing
  /// or cannot be read has no text.
  package static func bundles(root: String) -> SearchText {
    SearchText { item in
      guard let page = ArchiveFile("\(item.folder)/index.html", in: root).bytes,
        let body = ReadingPage.body(of: page)
      else { return "" }
      // A page that the sanitiser let through once; should it refuse it now, it is not searchable.
      let sanitizer = HTMLSanitizer(SanitizerOptions(limits: .widest))
      return (try? sanitizer.sanitize(body, baseURL: nil).plainText) ?? ""
    }
  }
}
