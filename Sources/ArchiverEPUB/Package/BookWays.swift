import ArchiverCore
import ArchiverMarkup

/// A book's own navigation: the table of contents, landmarks such as the preface, the pages of the
/// printed book, and lists such as the one of its illustrations.
struct BookWays {
  private(set) var contents: [ContentsEntry] = []
  private(set) var landmarks: [ContentsEntry] = []
  private(set) var pages: [ContentsEntry] = []
  /// The headings of the table of contents, the landmarks and the pages, if the book has them.
  private(set) var headings = Headings()
  /// The entry of a navigation document that has more than lists; `nil` for none.
  private(set) var ownPage: String?
  /// The number of lost parts, by kind.
  private(set) var losses: [String: Int] = [:]
  /// An entry with the heading and the entries of each other list.
  private(set) var lists: [ContentsEntry] = []
  /// Sentences about parts that could not be read.
  private(set) var notes: [String] = []

  struct Headings {
    var contents: String?
    var landmarks: String?
    var pages: String?
  }

  private let package: PackageDocument
  private let archive: ZipArchive
  private let limits: EPUBLimits

  /// Reads the navigation of a book.
  ///
  /// - Parameter xhtml: Returns the document of an entry; `nil` if it is missing or cannot be read.
  init(
    _ package: PackageDocument, _ archive: ZipArchive, limits: EPUBLimits,
    xhtml: (String) throws(EPUBError) -> XMLDocument?
  ) throws(EPUBError) {
    self.package = package
    self.archive = archive
    self.limits = limits
    let navigation = package.navigation.flatMap { archive.name(matching: $0) }
    if let path = navigation, let document = try xhtml(path) {
      var reader = contentsReader()
      contents = reader.navigation(document, path: path)
      landmarks = reader.list("landmarks", document, path: path)
      note(reader, "The table of contents")
      pages = read("The list of pages") { $0.list("page-list", document, path: path) }
      lists = read("A list of the book") { $0.otherLists(document, path: path) }
      let navs = NavigationLists(document)
      headings.contents = BookWays.heading(navs.contents)
      headings.landmarks = BookWays.heading(navs.first("landmarks"))
      headings.pages = BookWays.heading(navs.first("page-list"))
      if NavigationLists.hasMore(document) { ownPage = path }
    }
    if !contents.contains(where: \.leadsOn) || pages.isEmpty || lists.isEmpty { try readNCX() }
    if landmarks.isEmpty {
      let guide = package.guide
      landmarks = read("The list of the book's parts") { $0.guide(guide) }
    }
  }

  private static func heading(_ nav: XMLElement?) -> String? {
    let words = nav.flatMap(NavigationLists.heading).map { NavigationLine($0).title } ?? ""
    return words.isEmpty ? nil : words
  }

  /// Counts the images and audio in the labels of a part of an NCX.
  private mutating func countMedia(of part: XMLElement?) {
    for element in part?.descendants ?? [] where element.attribute("src") != nil {
      if element.name == "img" { losses["images of the table of contents", default: 0] += 1 }
      if element.name == "audio" { losses["audio of the table of contents", default: 0] += 1 }
    }
  }

  private func contentsReader() -> ContentsReader {
    ContentsReader(limits: limits) { [archive] in archive.name(matching: $0) }
  }

  private mutating func readNCX() throws(EPUBError) {
    guard let path = package.ncx.flatMap({ archive.name(matching: $0) }),
      let bytes = try content(of: path)
    else { return }
    let document: XMLDocument
    do throws(MarkupError) {
      document = try XMLDocument(XMLRepair.mended(bytes), recovering: true)
    } catch {
      if contents.isEmpty {
        notes.append("The table of contents could not be read: \(error.message).")
      }
      return
    }
    if !contents.contains(where: \.leadsOn) {
      var reader = contentsReader()
      let points = reader.ncx(document, path: path)
      // A navigation document without links is replaced only by an NCX that has some.
      if contents.isEmpty || points.contains(where: \.leadsOn) {
        contents = points
        let map = document.root?.child("navMap")
        headings.contents = map?.words(of: "navLabel")
        countMedia(of: map)
        note(reader, "The table of contents")
      }
    }
    if pages.isEmpty {
      pages = read("The list of pages") { $0.pages(document, path: path) }
      headings.pages = document.root?.child("pageList")?.words(of: "navLabel")
      countMedia(of: document.root?.child("pageList"))
    }
    if lists.isEmpty {
      lists = read("A list of the book") { $0.otherLists(ncx: document, path: path) }
      for list in document.root?.children("navList") ?? [] { countMedia(of: list) }
    }
  }

  /// Returns the content of an entry; `nil`, with a note, if it is damaged.
  private mutating func content(of path: String) throws(EPUBError) -> [UInt8]? {
    do throws(EPUBError) {
      return try archive.text(path)
    } catch  where error.isOfOneEntry {
      notes.append(error.message + ".")
      return nil
    }
  }

  /// Reads a list, which has the same limit as the table of contents.
  private mutating func read(
    _ what: String, _ read: (inout ContentsReader) -> [ContentsEntry]
  ) -> [ContentsEntry] {
    var reader = contentsReader()
    let found = read(&reader)
    note(reader, what)
    return found
  }

  private mutating func note(_ reader: ContentsReader, _ what: String) {
    guard reader.isCut else { return }
    let most = Limit.fixed(limits.contentsEntries)
    notes.append("\(what) is longer or deeper than shown \(most).")
  }
}
