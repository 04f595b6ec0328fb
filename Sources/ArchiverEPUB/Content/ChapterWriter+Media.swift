import ArchiverCore
import ArchiverMarkup

// Pictures, sound, film, links and what stands in for objects.
extension ChapterWriter {
  private static let pictures: Set<FileType.Kind> = [.image, .drawing]

  mutating func writeImage(_ element: XMLElement) {
    let sources = [element.attribute("src"), ChapterWriter.href(element)].compactMap { $0 }
    let choices = (element.attribute("srcset") ?? "").split(separator: ",").compactMap {
      $0.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
    var found: String?
    for source in sources + choices where found == nil {
      found = references.asset(source, from: file, kinds: ChapterWriter.pictures)
    }
    guard let address = found else {
      references.lose("pictures")
      html.text(element.attribute("alt") ?? "")
      return
    }
    writeImage(address, element)
  }

  private mutating func writeImage(_ address: String, _ element: XMLElement) {
    var kept = attributes(element, "img")
    kept.append(("src", address))
    kept.append(("alt", element.attribute("alt") ?? element.attribute("title") ?? ""))
    for side in ["width", "height"] {
      if let value = element.attribute(side), ChapterWriter.isLength(value) {
        kept.append((side, value))
      }
    }
    html.void("img", attributes: kept)
  }

  mutating func writeLink(_ element: XMLElement) {
    var kept = attributes(element, "a")
    if let name = element.attribute("name").flatMap(BookIdentifier.id),
      !kept.contains(where: { $0.name == "id" })
    {
      kept.append(("id", name))
    }
    switch ChapterWriter.href(element).flatMap({ references.link($0, from: file) }) {
    case .local(let address): kept.append(("href", address))
    case .contact(let address): kept.append(("href", address))
    case .external(let address):
      kept.append(("href", address))
      kept.append(("rel", "noreferrer noopener external"))
    case nil: break
    }
    writeElement("a", kept, of: element)
  }

  mutating func writeMedia(_ element: XMLElement, _ name: String) {
    let kinds: Set<FileType.Kind> = [.audio, .video]
    let sources = ([element] + element.children("source")).compactMap {
      $0.attribute("src").flatMap { references.asset($0, from: file, kinds: kinds) }
    }
    guard !sources.isEmpty else {
      references.lose("sounds or films")
      for source in [element] + element.children("source") {
        guard let address = source.attribute("src") else { continue }
        writeReference(address, title: element.attribute("title"))
      }
      return writeContents(of: element)
    }
    var kept = attributes(element, name)
    kept.append(("controls", ""))
    kept.append(("preload", "metadata"))
    if name == "video" {
      if let poster = element.attribute("poster").flatMap({
        references.asset($0, from: file, kinds: ChapterWriter.pictures)
      }) {
        kept.append(("poster", poster))
      }
      for side in ["width", "height"] {
        if let value = element.attribute(side), ChapterWriter.isLength(value) {
          kept.append((side, value))
        }
      }
    }
    let tracks = element.children("track")
    html.open(name, attributes: kept)
    for source in sources { html.void("source", attributes: [("src", source)]) }
    for track in tracks {
      guard
        let address = track.attribute("src").flatMap({
          references.asset($0, from: file, kinds: [.captions])
        })
      else { continue }
      html.void(
        "track",
        attributes: [
          ("src", address), ("kind", track.attribute("kind") ?? "subtitles"),
          ("label", track.attribute("label") ?? ""),
        ])
    }
    html.close(name)
  }

  /// A picture as a picture; anything else by what the book offers in its place.
  mutating func writeObject(_ element: XMLElement) {
    if let data = element.attribute("data"),
      let address = references.asset(data, from: file, kinds: ChapterWriter.pictures)
    {
      writeImage(address, element)
    } else {
      if let data = element.attribute("data") {
        references.lose("embedded objects")
        writeReference(data, title: element.attribute("title"))
      }
      writeContents(of: element)
    }
  }

  /// A page or file inside the page: a picture as a picture, anything else as a link to it.
  mutating func writeFrame(_ element: XMLElement) {
    guard let source = element.attribute("src") else {
      if element.attribute("srcdoc") != nil { references.lose("embedded pages") }
      return
    }
    if let address = references.asset(source, from: file, kinds: ChapterWriter.pictures) {
      return writeImage(address, element)
    }
    if !writeReference(source, title: element.attribute("title")) {
      references.lose("embedded pages")
    }
  }

  /// The places of a picture that lead somewhere, as links.
  mutating func writeMap(_ element: XMLElement) {
    for area in element.descendants("area") {
      guard let address = area.attribute("href") else { continue }
      if !writeReference(address, title: area.attribute("alt") ?? area.attribute("title")) {
        references.lose("places of pictures")
      }
    }
  }

  /// Writes a link in place of what cannot be shown; returns whether it leads anywhere.
  @discardableResult
  private mutating func writeReference(_ address: String, title: String?) -> Bool {
    var kept: [(name: String, value: String)] = []
    switch references.link(address, from: file) {
    case .local(let target), .contact(let target): kept = [("href", target)]
    case .external(let target):
      kept = [("href", target), ("rel", "noreferrer noopener external")]
    case nil: return false
    }
    html.open("a", attributes: kept)
    let words = title?.trimmed ?? ""
    html.text(words.isEmpty ? String(address.prefix(200)) : words)
    html.close("a")
    html.text(" ")
    return true
  }

  /// `epub:switch` offers the same in several vocabularies; the default one suits every reader.
  mutating func writeSwitch(_ element: XMLElement) {
    if let choice = element.child("default") { writeContents(of: choice) }
  }

  static func href(_ element: XMLElement) -> String? {
    element.attribute("href")
      ?? element.attribute("href", namespace: "http://www.w3.org/1999/xlink")
  }

  static func isLength(_ value: String) -> Bool {
    (1...8).contains(value.utf8.count)
      && value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x25 }
  }
}
