import ArchiverCore
import ArchiverMarkup

extension BookMetadata {
  /// Reads the `description` of a FictionBook.
  init(fictionBook root: XMLElement) {
    self.init(title: "")
    let description = root.child("description")
    let info = description?.child("title-info")
    let published = description?.child("publish-info")
    title = info?.words(of: "book-title") ?? published?.words(of: "book-name") ?? ""
    authors = (info?.children("author") ?? []).compactMap(BookMetadata.person)
    contributors = (info?.children("translator") ?? []).compactMap(BookMetadata.person).map {
      Contributor(role: "Translator", name: $0)
    }
    publisher = published?.words(of: "publisher")
    language = info?.words(of: "lang").map(LanguageTag.corrected)
    self.description = info?.child("annotation")?.words
    subjects = (info?.words(of: "keywords") ?? "").split(separator: ",").map { String($0).trimmed }
      .filter { !$0.isEmpty }
    identifiers = [
      published?.words(of: "isbn"), description?.child("document-info")?.words(of: "id"),
    ].compactMap(\.self)
    date = published?.words(of: "year") ?? info?.words(of: "date")
    let sequence = info?.child("sequence") ?? published?.child("sequence")
    series = sequence?.attribute("name").flatMap { name in
      name.trimmed.isEmpty
        ? nil : Series(name: name.trimmed, position: sequence?.attribute("number"))
    }
  }

  private static func person(_ element: XMLElement) -> String? {
    let parts = ["first-name", "middle-name", "last-name"].compactMap { element.child($0)?.words }
      .filter { !$0.isEmpty }
    let name = parts.isEmpty ? element.child("nickname")?.words ?? "" : parts.joined(separator: " ")
    return name.isEmpty ? nil : name
  }
}
