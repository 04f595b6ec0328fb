import ArchiverCore
import ArchiverMarkup

// What programs that read pages aloud use: headings, parts for navigation, and roles.
extension ChapterWriter {
  static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

  /// The levels of a document's headings.
  struct Levels {
    /// The levels that headings with words have, from 1, in order.
    private var used: [Int] = []

    init() {}

    init(_ root: XMLElement) {
      var found: Set<Int> = []
      for element in root.descendants where element.name.utf8.count == 2 {
        let name = element.name.lowercased()
        guard headings.contains(name), let level = name.last?.wholeNumberValue,
          !found.contains(level), !ChapterWriter.isSilentHeading(element)
        else { continue }
        found.insert(level)
      }
      used = found.sorted()
    }

    /// Whether the page needs a heading of level 1 beside those of the document.
    var lacksFirst: Bool { used.first != 1 }

    /// Returns the level that headings have on the page, where no level is left out.
    subscript(level: Int) -> Int {
      guard let place = used.firstIndex(of: level) else { return level }
      return place + (lacksFirst ? 2 : 1)
    }
  }

  /// Whether a heading has nothing to read aloud.
  private static func isSilentHeading(_ element: XMLElement) -> Bool {
    guard words(element).isEmpty else { return false }
    return !element.descendants.contains { part in
      switch part.name.lowercased() {
      case "img", "image":
        [part.attribute("alt"), part.attribute("title")].contains { $0?.trimmed.isEmpty == false }
      case "svg", "math", "audio", "video", "object": true
      default: false
      }
    }
  }

  /// Makes a heading without words no heading, and gives any other its level on the page.
  func adjust(
    _ attributes: inout [(name: String, value: String)], ofHeading element: XMLElement,
    _ name: String
  ) {
    guard ChapterWriter.headings.contains(name) else { return }
    if ChapterWriter.isSilentHeading(element) {
      attributes.removeAll { $0.name == "role" }
      attributes.append(("role", "none"))
    } else if let level = name.last?.wholeNumberValue, levels[level] != level {
      attributes.append(("aria-level", String(levels[level])))
    }
  }

  mutating func writeHeading(_ element: XMLElement, _ name: String) {
    var kept = attributes(element, name)
    adjust(&kept, ofHeading: element, name)
    writeElement(name, kept, of: element)
  }

  /// Writes a part for navigation with a label that no other one of the page has: its own, or its first heading, or
  /// what it is.
  mutating func writeNavigation(_ element: XMLElement) {
    var kept = attributes(element, "nav")
    let heading = element.descendants.first {
      ChapterWriter.headings.contains($0.name.lowercased())
    }
    let own = [kept.first { $0.name == "aria-label" }?.value, heading.map(ChapterWriter.words)]
    let types = kept.first { $0.name == AttributeSelector.typeAttribute }?.value ?? ""
    let type = types.split(separator: " ").compactMap { listNames[String($0)] }.first
    let label =
      own.lazy.compactMap { $0?.trimmed }.first { !$0.isEmpty } ?? type ?? listNames["toc"] ?? ""
    kept.removeAll { $0.name == "aria-label" }
    kept.append(("aria-label", unused(label)))
    writeElement("nav", kept, of: element)
  }

  /// Returns a label, with a number if it is in use.
  private mutating func unused(_ label: String) -> String {
    var one = label
    var number = 1
    while !labels.insert(one).inserted {
      number += 1
      one = "\(label) (\(number))"
    }
    return one
  }
}

extension ContentVocabulary {
  /// The roles that only links have.
  static let linkRoles: Set<String> = [
    "doc-backlink", "doc-biblioref", "doc-glossref", "doc-noteref",
  ]

  /// The roles for a part of a book, which sections have (ARIA in HTML; DPUB-ARIA 1.1).
  private static let sectionRoles: Set<String> = [
    "doc-abstract", "doc-acknowledgments", "doc-afterword", "doc-appendix", "doc-bibliography",
    "doc-chapter", "doc-colophon", "doc-conclusion", "doc-credit", "doc-credits", "doc-dedication",
    "doc-endnotes", "doc-epigraph", "doc-epilogue", "doc-errata", "doc-example", "doc-foreword",
    "doc-glossary", "doc-index", "doc-introduction", "doc-notice", "doc-pagelist", "doc-part",
    "doc-preface", "doc-prologue", "doc-pullquote", "doc-qna", "doc-toc",
  ]

  /// The other roles of books.
  private static let otherRoles: Set<String> = [
    "doc-footnote", "doc-pagebreak", "doc-pagefooter", "doc-pageheader", "doc-subtitle", "doc-tip",
  ]

  /// The roles of elements that have few (ARIA in HTML).
  private static let rolesOf: [String: Set<String>] = {
    var roles: [String: Set<String>] = [
      "a": linkRoles.union(["doc-pagebreak"]), "section": sectionRoles.union(["doc-pagebreak"]),
      "aside": [
        "doc-dedication", "doc-example", "doc-footnote", "doc-glossary", "doc-pullquote", "doc-tip",
      ], "nav": ["doc-index", "doc-pagelist", "doc-toc"], "header": ["doc-footnote"],
      "footer": ["doc-footnote"], "hr": ["doc-pagebreak"], "img": ["doc-cover"],
    ]
    for name in ["h1", "h2", "h3", "h4", "h5", "h6"] { roles[name] = ["doc-subtitle"] }
    for name in ["article", "dl", "dt", "dd", "ol", "ul", "li", "details", "summary"] {
      roles[name] = []
    }
    return roles
  }()

  /// Whether an element may have a role; one of `linkRoles` also needs an address.
  static func permits(_ role: String, on name: String) -> Bool {
    rolesOf[name]?.contains(role) ?? (sectionRoles.contains(role) || otherRoles.contains(role))
  }
}
