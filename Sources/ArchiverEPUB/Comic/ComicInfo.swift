import ArchiverCore
import ArchiverMarkup

/// The metadata in `ComicInfo.xml` (versions 1.0 to 2.1 of its schema).
struct ComicInfo {
  /// The metadata of a page.
  struct Page: Equatable {
    /// `FrontCover`, `Advertisement` and so on; `nil` for a page of the story.
    let type: String?
    /// The title of a chapter that begins here.
    let bookmark: String?
    /// Whether the image is a double page.
    var isDouble = false
  }

  private(set) var metadata = BookMetadata(title: "")
  private(set) var isRightToLeft = false
  /// By the index of the image.
  private(set) var pages: [Int: Page] = [:]

  /// Throws if the bytes are not such a document.
  init(_ bytes: [UInt8]) throws(MarkupError) {
    let document = try XMLDocument(XMLRepair.mended(bytes), recovering: true)
    guard !document.declaresEntities, let root = document.root, root.name == "ComicInfo" else {
      throw MarkupError(.malformed, "it is not a ComicInfo document")
    }
    func list(_ names: String...) -> [String] {
      names.compactMap(root.words(of:)).flatMap(ComicInfo.parts)
    }
    metadata.title = root.words(of: "Title") ?? ""
    metadata.authors = list("Writer").uniqued()
    metadata.contributors = ComicInfo.roles.flatMap { element, role in
      list(element).uniqued().map { BookMetadata.Contributor(role: role, name: $0) }
    }
    metadata.publisher = root.words(of: "Publisher") ?? root.words(of: "Imprint")
    metadata.language = root.words(of: "LanguageISO").map(LanguageTag.corrected)
    metadata.description = root.words(of: "Summary")
    metadata.subjects = list("Genre", "Tags").uniqued()
    metadata.series = root.words(of: "Series").map {
      BookMetadata.Series(
        name: $0, position: root.words(of: "Number") ?? root.words(of: "Volume"))
    }
    metadata.date = ComicInfo.date(
      root.words(of: "Year"), root.words(of: "Month"), root.words(of: "Day"))
    isRightToLeft = root.words(of: "Manga")?.lowercased() == "yesandrighttoleft"
    readPages(root)
  }

  /// Elements with names of people, and the words for their roles.
  private static let roles = [
    ("Penciller", "Penciller"), ("Inker", "Inker"), ("Colorist", "Colorist"),
    ("Letterer", "Letterer"), ("CoverArtist", "Cover artist"), ("Editor", "Editor"),
    ("Translator", "Translator"),
  ]

  private mutating func readPages(_ root: XMLElement) {
    for page in root.child("Pages")?.children("Page") ?? [] {
      guard let place = page.attribute("Image").flatMap({ Int($0) }), place >= 0,
        pages[place] == nil
      else { continue }
      let type = page.attribute("Type").flatMap { $0 == "Story" || $0.isEmpty ? nil : $0 }
      let bookmark = page.attribute("Bookmark")?.trimmed
      pages[place] = Page(
        type: type, bookmark: bookmark.flatMap { $0.isEmpty ? nil : $0 },
        isDouble: page.attribute("DoublePage")?.lowercased() == "true")
    }
  }

  private static func parts(_ text: String) -> [String] {
    text.split { $0 == "," || $0 == ";" }.map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  /// Returns `2019`, `2019-05` or `2019-05-17`; -1 means unknown in these documents.
  private static func date(_ year: String?, _ month: String?, _ day: String?) -> String? {
    func number(_ text: String?, _ range: ClosedRange<Int>) -> Int? {
      text.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    guard let year = number(year, 1...9_999) else { return nil }
    guard let month = number(month, 1...12) else { return padded(year, 4) }
    let start = padded(year, 4) + "-" + padded(month, 2)
    return number(day, 1...31).map { start + "-" + padded($0, 2) } ?? start
  }
}

extension Array where Element: Hashable {
  /// Returns each element once, in the order of first occurrence.
  fileprivate func uniqued() -> [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
