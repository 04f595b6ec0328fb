import ArchiverCore
import ArchiverMarkup

/// The metadata of a book.
package struct BookMetadata: Sendable, Hashable {
  package struct Series: Sendable, Hashable {
    package let name: String
    /// `2` or `2.5` without redundant zeros; text that is not a number unchanged.
    package let position: String?

    package init(name: String, position: String?) {
      self.name = name
      self.position = position.map { PlainNumber.text(of: $0) }
    }
  }

  /// A contributor to a book besides its authors.
  package struct Contributor: Sendable, Hashable {
    /// The role in words: `Translator`.
    package let role: String
    package let name: String
  }

  package var title = ""
  package var authors: [String] = []
  package var contributors: [Contributor] = []
  package var publisher: String?
  package var language: String?
  /// HTML or plain text, unchanged.
  package var description: String?
  package var subjects: [String] = []
  /// The book's own identifier first.
  package var identifiers: [String] = []
  package var series: Series?
  package var date: String?
  package var rights: String?
  package var isFixedLayout = false

  init(title: String) {
    self.title = title
  }

  init(_ package: XMLElement) {
    guard let metadata = package.child("metadata") else { return }
    // Old packages have the elements in `dc-metadata`.
    let elements = metadata.children + metadata.children("dc-metadata").flatMap(\.children)
    let own = package.attribute("unique-identifier")
    for element in elements { read(element, own: own) }
    let metas = metadata.descendants("meta")
    isFixedLayout = metas.contains {
      $0.attribute("property") == "rendition:layout" && $0.words == "pre-paginated"
        // Of books for the Kindle.
        || $0.attribute("name") == "fixed-layout" && $0.attribute("content") == "true"
    }
    series = BookMetadata.series(metas)
  }

  private mutating func read(_ element: XMLElement, own: String?) {
    let words = element.words
    guard !words.isEmpty else { return }
    switch element.name {
    case "title": if title.isEmpty { title = words }
    case "creator": if !authors.contains(words) { authors.append(words) }
    case "publisher": publisher = publisher ?? words
    case "language": language = language ?? LanguageTag.corrected(words)
    case "description": description = description ?? element.text
    case "subject": subjects.append(words)
    case "date": date = date ?? words
    case "rights": rights = rights ?? words
    case "identifier":
      if let own, element.attribute("id") == own {
        identifiers.insert(words, at: 0)
      } else {
        identifiers.append(words)
      }
    default: break
    }
  }

  /// EPUB 3 collections have precedence over calibre's metadata.
  private static func series(_ metas: [XMLElement]) -> Series? {
    func named(_ name: String) -> String? {
      metas.first { $0.attribute("name") == name }?.attribute("content")
    }
    if let collection = metas.first(where: {
      $0.attribute("property") == "belongs-to-collection" && !$0.words.isEmpty
    }) {
      let id = collection.attribute("id").map { "#" + $0 }
      let position = metas.first {
        $0.attribute("property") == "group-position" && $0.attribute("refines") == id
      }
      return Series(name: collection.words, position: id == nil ? nil : position?.words)
    }
    guard let name = named("calibre:series"), !name.isEmpty else { return nil }
    return Series(name: name, position: named("calibre:series_index"))
  }
}
