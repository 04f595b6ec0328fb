import ArchiverCore
import ArchiverMarkup

/// The book's style sheets, each filtered once and written to one file.
struct BookStyleSheets {
  private static let deepestImport = 4
  /// The maximum number of imports of one style sheet, including indirect ones.
  private static let mostImports = 64

  private static let largest = 2 << 20

  let archive: ZipArchive
  let references: BookReferences
  /// Paths and contents of the files to write, in order.
  private(set) var written: [(path: String, css: String)] = []
  /// What `lines` found in each of them.
  private var lineSelectors: [LineSelectors] = []
  private var known: [String: String?] = [:]

  init(archive: ZipArchive, references: BookReferences) {
    self.archive = archive
    self.references = references
  }

  /// Returns the URLs of the style sheets that a page links.
  mutating func linked(
    from root: XMLElement, file: String, keepsColors: Bool
  ) throws(EPUBError) -> [String] {
    var found = [String]()
    for link in root.child("head")?.children("link") ?? [] {
      let relation = (link.attribute("rel") ?? "").lowercased().split(separator: " ")
      guard relation.contains("stylesheet"), let href = link.attribute("href") else { continue }
      if relation.contains("alternate") {
        references.loseStyled(href, from: "", "alternate style sheets")
        continue
      }
      guard BookReferences.scheme(href) == nil,
        let entry = references.entry(String(href.prefix { $0 != "?" && $0 != "#" }), from: file)
      else {
        references.loseStyled(href, from: "", "style sheets")
        continue
      }
      if let address = sheet(entry, keepsColors: keepsColors) { found.append(address) }
    }
    return found
  }

  /// Returns the filter for styles in a page.
  func filter(for file: String, keepsColors: Bool) -> StyleSheetFilter {
    filter(for: file, keepsColors: keepsColors, depth: 0, BookStyleSheets.importLimit())
  }

  /// Returns the class for pages with vertical text according to these style sheets or rules; `nil`
  /// for horizontal text.
  func columns(_ addresses: [String], rules: String, roots: Set<String>) -> String? {
    let sheets = written.filter { addresses.contains("../" + $0.path) }.map(\.css) + [rules]
    return sheets.compactMap { BookStyleSheets.columns($0, roots: roots) }.last
  }

  static let placing = "position:absolute"

  /// Whether these style sheets or rules place parts of pages absolutely. Such parts give a page no
  /// height, so that it may be out of sight.
  func place(_ addresses: [String], rules: String) -> Bool {
    let sheets = written.filter { addresses.contains("../" + $0.path) }.map(\.css) + [rules]
    return sheets.contains { Array($0.utf8).firstIndex(of: BookStyleSheets.placing) != nil }
  }

  /// Returns the inline elements that these style sheets or rules put on lines of their own.
  func lines(_ addresses: [String], rules: String) -> [LineSelectors] {
    let found = zip(written, lineSelectors).filter { addresses.contains("../" + $0.0.path) }
    return (found.map(\.1) + [LineSelectors(rules)]).filter { !$0.isEmpty }
  }

  /// Returns the selectors, as written, that match a page's `html` or `body`.
  static func roots(_ root: XMLElement, _ body: XMLElement?) -> Set<String> {
    var found: Set<String> = [".book", ".sheet"]
    for (base, element) in [(".book", root), (".sheet", body ?? root)] {
      for name in (ChapterWriter.classNames(element) ?? "").split(separator: " ") {
        found.insert("\(base).\(CSSToken.escaped(String(name)))")
      }
      if let id = element.attribute("id").flatMap(BookIdentifier.id) {
        found.insert("\(base)#\(CSSToken.escaped(id))")
      }
    }
    return found
  }

  /// The filter writes one rule per line.
  private static func columns(_ css: String, roots: Set<String>) -> String? {
    css.split(separator: "\n").compactMap { line -> String? in
      guard let start = line.firstIndex(of: "{"), let columns = columns(line[start...])
      else { return nil }
      let isOfPage = line[..<start].split(separator: ",").contains { selector in
        selector.split(separator: " ").allSatisfy { roots.contains(String($0)) }
      }
      return isOfPage ? columns : nil
    }.last
  }

  /// Returns the class for vertical text with these declarations, by the side of the first column.
  static func columns(_ declarations: some StringProtocol) -> String? {
    guard declarations.contains("writing-mode:vertical") else { return nil }
    return declarations.contains("writing-mode:vertical-lr") ? "vertical from-left" : "vertical"
  }

  private mutating func sheet(_ entry: String, keepsColors: Bool) -> String? {
    let key = "\(keepsColors) \(entry)"
    if let address = known[key] { return address }
    let limit = BookStyleSheets.importLimit()
    guard let css = text(entry, keepsColors: keepsColors, depth: 0, limit), !css.isEmpty else {
      known[key] = .some(nil)
      return nil
    }
    let path = "style/\(BookReferences.number(written.count + 1)).css"
    written.append((path, css))
    lineSelectors.append(LineSelectors(css))
    known[key] = "../" + path
    return "../" + path
  }

  /// Returns a function that tells whether one more import is permitted.
  private static func importLimit() -> () -> Bool {
    var left = mostImports
    return {
      left -= 1
      return left >= 0
    }
  }

  private func text(
    _ entry: String, keepsColors: Bool, depth: Int, _ mayImport: @escaping () -> Bool
  ) -> String? {
    // An unreadable style sheet affects the appearance only.
    guard let bytes = try? archive.text(entry), bytes.count <= BookStyleSheets.largest else {
      references.loseStyled(entry, from: "", "style sheets")
      return nil
    }
    return filter(for: entry, keepsColors: keepsColors, depth: depth, mayImport).filter(bytes)
  }

  private func filter(
    for file: String, keepsColors: Bool, depth: Int, _ mayImport: @escaping () -> Bool
  ) -> StyleSheetFilter {
    let declarations = DeclarationFilter(
      resolve: { reference, property in
        let address = references.asset(reference, from: file, kinds: [.font, .image, .drawing])
        // Of the files of a font, one is enough.
        if address == nil, property != "src" { references.loseStyled(reference, from: file) }
        return address
      }, losingFont: { references.loseStyled($0, from: file, "fonts of style sheets") })
    return StyleSheetFilter(
      declarations: declarations,
      importing: { address in
        guard depth < BookStyleSheets.deepestImport, mayImport(),
          BookReferences.scheme(address) == nil,
          let entry = references.entry(address, from: file)
        else { return nil }
        return text(entry, keepsColors: keepsColors, depth: depth + 1, mayImport)
      }, keepsColors: keepsColors)
  }
}
