import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Makes the managed region of an item's file (title, text, files and highlights) and determines
/// which files it needs.
struct VaultPage {
  /// The possible targets of links.
  struct Directory {
    /// Files of the vault, by the folders of their items.
    var files: [String: String] = [:]
    /// Web addresses of items outside the vault, by folder.
    var originals: [String: String] = [:]
  }

  /// The bundle's files that the region shows or links, with their paths in the vault.
  private(set) var needed: [String: String] = [:]
  /// The number of links whose targets are neither in the vault nor on the web.
  private(set) var lostLinks = 0
  /// The managed region, without leading and trailing white space.
  private(set) var region = ""

  /// Makes the region.
  ///
  /// - Parameters:
  ///   - file: The item's file, relative to the vault.
  ///   - chapters: The book's chapters, which the region lists; `nil` if they are not written.
  init(
    _ files: BundleFiles, file: String, directory: Directory, chapters: VaultChapters? = nil,
    words: Words
  ) throws(MarkupError) {
    let notes = VaultLinks(files, file: file, directory, chapters: chapters?.targets ?? [:])
    let item = files.item
    let title = item.metadata.title.oneLine
    var blocks = [
      "# " + MarkdownText.escaped(title.isEmpty ? item.key.id : title, linksAddresses: false)
    ]
    if VaultPage.showsCover(files), let cover = item.thumbnail?.path,
      let address = notes.resolve(VaultPage.address(cover))
    {
      blocks.append("![](\(MarkdownText.destination(address)))")
    }
    let body = ReadingPage.body(of: files.page)
    let tree = try body.map { (html) throws(MarkupError) in try ContentTree.parse(html) }
    let marked = VaultPage.marked(item, in: tree)
    if let tree {
      blocks.append(
        MarkdownWriter.markdown(
          tree, targets: marked, places: Set(item.annotations.map { "note-" + $0.id }),
          resolve: notes.resolve))
    } else if let summary = item.metadata.summary {
      blocks += VaultPage.paragraphs(summary)
    }
    if tree == nil || item.metadata.kind == .book || item.metadata.kind == .comic {
      blocks += VaultPage.facts(item)
    }
    if let chapters { blocks += chapters.contents(notes, words) }
    blocks += VaultPage.files(files, notes, words)
    blocks += VaultPage.highlights(item, marked, words)
    let text = blocks.filter { !$0.isEmpty }.joined(separator: "\n\n")
    // Drop carriage returns: the file's line ending is added later.
    region = String(text.unicodeScalars.filter { $0 != "\r" })
    needed = notes.needed
    lostLinks = notes.lostLinks
  }

  /// Whether the page shows a cover image above its text.
  private static func showsCover(_ files: BundleFiles) -> Bool {
    files.page.firstIndex(of: "<figure class=\"cover\">") != nil
  }

  /// Returns a path as a relative URL: only the percent sign needs an escape in names of bundles.
  private static func address(_ path: String) -> String {
    path.map { $0 == "%" ? "%25" : String($0) }.joined()
  }

  static func paragraphs(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { line in
      MarkdownText.escapedStart(MarkdownText.escaped(line.oneLine))
    }
  }

  private static func facts(_ item: CatalogItem) -> [String] {
    let lines = item.metadata.properties.map { property in
      "- \(MarkdownText.escaped(property.name)): \(paragraphs(property.value).joined(separator: " "))"
    }
    return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }

  // MARK: Files

  private static func files(_ files: BundleFiles, _ notes: VaultLinks, _ words: Words) -> [String] {
    let shown = Set(notes.needed.keys)
    let names = Dictionary(
      (files.record?.delivered?.files ?? []).compactMap { file in
        (file.sha256 ?? file.url).flatMap { key in file.name.map { (key, $0) } }
      }, uniquingKeysWith: { one, _ in one })
    let others = (files.record?.assets ?? []).filter {
      !shown.contains($0.path) && !$0.mediaType.hasPrefix("image/")
    }
    let lines = others.sorted { $0.path < $1.path }.compactMap { asset -> String? in
      guard let address = notes.resolve(VaultPage.address(asset.path)) else { return nil }
      let name = names[asset.sha256] ?? names[asset.url] ?? String(asset.path.dropFirst(7))
      return "- " + MarkdownText.link(name, to: address)
    }
    guard !lines.isEmpty else { return [] }
    return ["## " + words.filesHeading, lines.joined(separator: "\n")]
  }

  // MARK: Highlights

  /// Returns the ids of highlights that the text marks.
  private static func marked(_ item: CatalogItem, in tree: ContentElement?) -> Set<String> {
    var wanted = Set(item.annotations.map { "hl-" + $0.id })
    var found: Set<String> = []
    tree?.forEachInside { element in
      if let id = element["id"], wanted.remove(id) != nil { found.insert(id) }
    }
    return found
  }

  private static func highlights(
    _ item: CatalogItem, _ marked: Set<String>, _ words: Words
  ) -> [String] {
    guard !item.annotations.isEmpty else { return [] }
    return ["## " + words.highlightsHeading]
      + item.annotations.flatMap { annotation -> [String] in
        let quote = paragraphs(annotation.text).map { "> \($0)" }.joined(separator: "\n>\n")
        var after: [String] = []
        if let note = annotation.note, !note.isEmpty { after += paragraphs(note) }
        var line = MarkdownWriter.anchor("note-" + annotation.id)
        if marked.contains("hl-" + annotation.id) {
          line += "[\(words.toPassage)](#hl-\(annotation.id))"
        }
        if let created = annotation.created {
          line +=
            (line.hasSuffix(")") ? " · " : "") + UTCTime.day(created)
        }
        return [quote] + after + [line]
      }
  }
}
