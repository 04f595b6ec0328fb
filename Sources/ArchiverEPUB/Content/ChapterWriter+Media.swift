import ArchiverCore
import ArchiverMarkup

// Pictures, sound, film, links and what stands in for objects.
extension ChapterWriter {
  private static let pictures: Set<FileType.Kind> = [.image, .drawing]

  mutating func writeImage(_ element: XMLElement) {
    let source = element.attribute("src") ?? ChapterWriter.href(element) ?? ""
    guard let address = references.asset(source, from: file, kinds: ChapterWriter.pictures) else {
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
    guard !sources.isEmpty else { return writeContents(of: element) }
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
      writeContents(of: element)
    }
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
