import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// The pages of a book as Markdown files beside the item's images, named by number and title.
struct VaultChapters {
  /// A chapter as Markdown.
  struct Text {
    let bytes: [UInt8]
    /// The bundle's files that it shows or links, with their paths in the vault.
    let needed: [String: String]
    /// The number of links whose targets are neither in the vault nor on the web.
    let lostLinks: Int
  }

  private struct Chapter {
    /// The name of its page in the bundle.
    let page: String
    let title: String
    /// Its ids to which links of the book refer.
    var ids: Set<String> = []
  }

  private let files: BundleFiles
  private let chapters: [Chapter]
  private let contents: ContentElement?
  /// Why the book's own table of contents could not be read; `nil` if it was, or if there is none.
  let failure: String?
  /// The files of the chapters, relative to the vault, by the paths of their pages in the bundle.
  let targets: [String: String]

  /// Reads titles and links of a book's pages; `nil` if the bundle has none. A page that cannot be read has no title,
  /// and `text` throws.
  init?(_ files: BundleFiles, root: String) {
    let pages = BookTexts.pages(files.item.folder, root: root)
    guard !pages.isEmpty else { return nil }
    self.files = files
    do {
      let hasOne = files.byteCount(VaultChapters.contentsPath) != nil
      contents = hasOne ? try VaultChapters.tree(BookTexts.contents, files) : nil
      failure = nil
    } catch {
      contents = nil
      failure = error.description
    }
    let titles = contents.map(VaultChapters.titles) ?? [:]
    var ids: [String: Set<String>] = [:]
    if let contents { VaultChapters.collect(contents, &ids) }
    var chapters: [Chapter] = []
    for page in pages {
      let tree = try? VaultChapters.tree(page, files)
      if let tree { VaultChapters.collect(tree, &ids) }
      chapters.append(
        Chapter(page: page, title: titles[page] ?? tree.flatMap(VaultChapters.heading) ?? ""))
    }
    for index in chapters.indices { chapters[index].ids = ids[chapters[index].page] ?? [] }
    self.chapters = chapters
    targets = Dictionary(
      uniqueKeysWithValues: chapters.map { chapter in
        let name = "\(chapter.page.dropLast(5)) \(chapter.title)"
        return (
          BookTexts.folder + chapter.page,
          "\(VaultLinks.folder(files.item))\(VaultName.safe(name)).md"
        )
      })
  }

  /// The path of the table of contents in the bundle.
  static let contentsPath = BookTexts.folder + BookTexts.contents

  /// The paths of the pages in the bundle, in reading order.
  var paths: [String] { chapters.map { BookTexts.folder + $0.page } }

  /// Returns the table of contents: of the item's own page, of the book, or else of all chapters.
  func contents(_ links: VaultLinks, _ words: Words) -> [String] {
    let heading = ["## " + words.contentsHeading]
    if let own = contents?.elements.first,
      own.elements.contains(where: { ["ol", "ul"].contains($0.name) })
    {
      let title = files.item.metadata.title.oneLine
      let list = ContentElement(
        name: "", attributes: [],
        children: own.children.filter { node in
          if case .element(let element) = node {
            element.name != "h1" || element.text.oneLine != title
          } else {
            true
          }
        })
      let text = MarkdownWriter.markdown(list) {
        links.resolve(VaultLinks.joined(BookTexts.folder, $0))
      }
      return list.elements.contains { $0.name == "h2" } ? [text] : heading + [text]
    }
    let lines = chapters.enumerated().map { number, chapter in
      let title = chapter.title.isEmpty ? String(number + 1) : chapter.title
      let target = links.resolve(BookTexts.folder + chapter.page) ?? ""
      return "- " + MarkdownText.link(title, to: target)
    }
    return heading + [lines.joined(separator: "\n")]
  }

  /// Returns a chapter, which begins with links to the book and the neighbouring chapters.
  ///
  /// - Parameters:
  ///   - path: One of `paths`.
  ///   - book: The item's file, relative to the vault.
  func text(
    _ path: String, book: String, _ directory: VaultPage.Directory
  ) throws(MarkupError) -> Text {
    guard let index = chapters.firstIndex(where: { BookTexts.folder + $0.page == path }),
      let file = targets[path]
    else { return Text(bytes: [], needed: [:], lostLinks: 0) }
    let links = VaultLinks(
      files, file: file, in: BookTexts.folder, directory, chapters: targets)
    var turns = [
      MarkdownText.link(
        files.item.metadata.title.oneLine, to: MarkdownText.relative(book, from: file))
    ]
    if index > 0 { turns.insert("[←](\(address(index - 1, from: file)))", at: 0) }
    if index + 1 < chapters.count { turns.append("[→](\(address(index + 1, from: file)))") }
    let body = MarkdownWriter.markdown(
      try VaultChapters.tree(chapters[index].page, files), targets: chapters[index].ids,
      resolve: links.resolve)
    let text = turns.joined(separator: " · ") + "\n\n" + body + "\n"
    return Text(
      bytes: Array(String(text.unicodeScalars.filter { $0 != "\r" }).utf8), needed: links.needed,
      lostLinks: links.lostLinks)
  }

  private func address(_ index: Int, from file: String) -> String {
    MarkdownText.destination(
      MarkdownText.relative(targets[BookTexts.folder + chapters[index].page] ?? "", from: file))
  }

  // MARK: Pages

  private static func tree(_ page: String, _ files: BundleFiles) throws(MarkupError)
    -> ContentElement
  {
    guard let bytes = files.bytes(BookTexts.folder + page),
      let content = BookTexts.content(of: bytes)
    else {
      throw MarkupError(.malformed, "The page cannot be read.")
    }
    return try ContentTree.parse(content)
  }

  /// Collects the ids in other pages to which links lead, by page.
  private static func collect(_ tree: ContentElement, _ ids: inout [String: Set<String>]) {
    tree.forEachInside { element in
      guard let parts = element["href"]?.split(separator: "#", maxSplits: 1), parts.count == 2
      else { return }
      ids[PercentEncoding.decoded(String(parts[0])), default: []].insert(
        PercentEncoding.decoded(String(parts[1])))
    }
  }

  /// Returns the first title that a table of contents has for each page.
  private static func titles(_ contents: ContentElement) -> [String: String] {
    var titles: [String: String] = [:]
    contents.forEachInside { element in
      guard let page = element["href"]?.split(separator: "#").first else { return }
      let title = element.text.oneLine
      if !title.isEmpty, titles[String(page)] == nil { titles[String(page)] = title }
    }
    return titles
  }

  /// Returns the text of a page's first heading that has one.
  private static func heading(_ tree: ContentElement) -> String? {
    var found: String?
    tree.forEachInside { element in
      guard found == nil, ["h1", "h2", "h3", "h4", "h5", "h6"].contains(element.name) else {
        return
      }
      let title = (element["aria-label"] ?? element.text).oneLine
      if !title.isEmpty { found = title }
    }
    return found
  }
}
