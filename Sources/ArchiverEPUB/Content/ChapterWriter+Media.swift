import ArchiverCore
import ArchiverMarkup

// Images, audio, video, links and fallbacks of objects.
extension ChapterWriter {
  private static let pictures: Set<FileType.Kind> = [.image, .drawing]

  mutating func writeImage(_ element: XMLElement) {
    writeImage(element, choices: [])
  }

  /// Writes an image or, if the book lacks it, a placeholder.
  mutating func writePicture(_ element: XMLElement) {
    let choices = element.children("source").flatMap { source in
      [source.attribute("src")].compactMap { $0 } + ChapterWriter.choices(source)
    }
    let shown = element.descendants("img").first
    if shown != nil { html.anchor(of: element) }
    writeImage(shown ?? element, choices: choices)
  }

  private mutating func writeImage(_ element: XMLElement, choices: [String]) {
    let own = [element.attribute("src"), ChapterWriter.href(element)].compactMap { $0 }
    // With a script's own attribute, `src` is a placeholder.
    let late = ["data-src", "data-original"].compactMap(element.attribute)
      .filter { references.entry($0, from: file) != nil }
    let sources = late + own + ChapterWriter.choices(element) + choices
    for source in sources {
      if let address = references.asset(source, from: file, kinds: ChapterWriter.pictures) {
        return writeImage(address, element)
      }
    }
    // A moving image may be a video without sound (EPUB 3.3 section 3.4).
    for source in sources {
      if let address = references.asset(source, from: file, kinds: [.video]) {
        return writeMovingImage(address, element)
      }
    }
    references.lose("images")
    html.anchor(of: element)
    let words = element.attribute("alt") ?? ""
    // An image on the web or in an unsupported format is linked.
    for source in sources where BookReferences.scheme(source.trimmed) != "data" {
      if writeReference(source, title: words) { return }
    }
    html.text(words)
  }

  /// Returns the URLs in a `srcset`; those relative to the page may contain commas.
  private static func choices(_ element: XMLElement) -> [String] {
    var rest = (element.attribute("srcset") ?? "")[...]
    var found: [String] = []
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      let address = rest.prefix { !$0.isWhitespace }
      guard !address.isEmpty else { return found }
      rest = rest[address.endIndex...]
      if address.last == "," {
        found.append(String(address.dropLast()))
      } else {
        found.append(String(address))
        rest = rest.drop { $0 != "," }
      }
    }
  }

  private mutating func writeImage(_ address: String, _ element: XMLElement) {
    var kept = attributes(element, "img")
    kept.append(("src", address))
    let fallback = element.name.lowercased() == "object" ? String(element.words.prefix(1_000)) : ""
    kept.append(("alt", element.attribute("alt") ?? element.attribute("title") ?? fallback))
    if element.attribute("longdesc") != nil { references.lose("descriptions of images") }
    kept += ChapterWriter.sides(element)
    html.void("img", attributes: kept)
  }

  private mutating func writeMovingImage(_ address: String, _ element: XMLElement) {
    var kept = attributes(element, "video")
    kept += [("src", address), ("controls", ""), ("preload", "metadata")]
    if let words = element.attribute("alt"), !words.isEmpty { kept.append(("aria-label", words)) }
    kept += ChapterWriter.sides(element)
    html.open("video", attributes: kept)
    html.close("video")
  }

  /// Returns the valid ones of width and height.
  private static func sides(_ element: XMLElement) -> [(name: String, value: String)] {
    ["width", "height"].compactMap { side in
      guard let value = element.attribute(side), isLength(value) else { return nil }
      return (side, value)
    }
  }

  /// Writes a link or an anchor.
  ///
  /// - Parameters:
  ///   - number: The number of the printed page that begins with it.
  ///   - isNumber: Whether its text is such a number.
  mutating func writeLink(_ element: XMLElement, number: String? = nil, isNumber: Bool = false) {
    var kept = attributes(element, "a")
    if isNumber { ChapterWriter.exclude(&kept) }
    let second = ChapterWriter.addName(of: element, to: &kept)
    if let link = ChapterWriter.href(element).flatMap({ references.link($0, from: file) }) {
      kept += link.attributes
    } else {
      kept.removeAll { $0.name == "role" && ContentVocabulary.linkRoles.contains($0.value) }
    }
    if kept.contains(where: { $0.name == "href" }), runningLinks.contains(element) {
      kept.append((RunningLinks.attribute, ""))
    }
    openLinks += 1
    html.open("a", attributes: kept)
    if let second { html.element("span", ["id": second], text: "") }
    if let number { writePageNumber(number) }
    writeContents(of: element)
    html.close("a")
    openLinks -= 1
  }

  /// Makes the name of an anchor, which fragments may lead to like an id, its id; returns it if the
  /// anchor has another one.
  static func addName(
    of element: XMLElement, to kept: inout [(name: String, value: String)]
  ) -> String? {
    guard let name = element.attribute("name").flatMap(BookIdentifier.id) else { return nil }
    guard let id = kept.first(where: { $0.name == "id" }) else {
      kept.append(("id", name))
      return nil
    }
    return id.value == name ? nil : name
  }

  mutating func writeMedia(_ element: XMLElement, _ name: String) {
    let kinds: Set<FileType.Kind> = [.audio, .video]
    let sources = ([element] + element.children("source")).compactMap {
      $0.attribute("src").flatMap { references.asset($0, from: file, kinds: kinds) }
    }
    let poster = name == "video" ? poster(of: element) : nil
    guard !sources.isEmpty else {
      references.lose("audio or video")
      for _ in element.children("track") { references.lose("captions") }
      html.anchor(of: element)
      if let poster { writeImage(poster, element) }
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
      if let poster { kept.append(("poster", poster)) }
      kept += ChapterWriter.sides(element)
    }
    let tracks = element.children("track")
    html.open(name, attributes: kept)
    for source in sources { html.void("source", attributes: [("src", source)]) }
    for track in tracks {
      guard
        let address = track.attribute("src").flatMap({
          references.asset($0, from: file, kinds: [.captions])
        })
      else {
        references.lose("captions")
        continue
      }
      html.void(
        "track",
        attributes: [
          ("src", address), ("kind", track.attribute("kind") ?? "subtitles"),
          ("label", track.attribute("label") ?? ""),
        ])
    }
    // Only browsers that do not know the element show it.
    writeContents(of: element)
    html.close(name)
  }

  /// Returns the URL of a video's poster; records it as lost if the book does not have it.
  private func poster(of element: XMLElement) -> String? {
    guard let reference = element.attribute("poster")?.trimmed, !reference.isEmpty else {
      return nil
    }
    let address = references.asset(reference, from: file, kinds: ChapterWriter.pictures)
    if address == nil { references.lose("images") }
    return address
  }

  /// Writes an object that is an image as an image, any other by its fallback.
  mutating func writeObject(_ element: XMLElement) {
    let data = element.attribute("data") ?? ChapterWriter.film(of: element)
    if let data, let address = references.asset(data, from: file, kinds: ChapterWriter.pictures) {
      writeImage(address, element)
    } else {
      html.anchor(of: element)
      if let data {
        references.lose("embedded objects")
        writeReference(data, title: element.attribute("title"))
      }
      writeContents(of: element)
    }
  }

  /// Returns the URL that an object without `data` gives its plugin, such as Flash.
  private static func film(of element: XMLElement) -> String? {
    element.children("param").first {
      ["movie", "src", "url", "filename"].contains($0.attribute("name")?.lowercased())
    }?.attribute("value")
  }

  /// Writes a frame: an image as an image, any other content as a link.
  mutating func writeFrame(_ element: XMLElement) {
    guard let source = element.attribute("src") else {
      if element.attribute("srcdoc") != nil { references.lose("embedded pages") }
      return
    }
    if let address = references.asset(source, from: file, kinds: ChapterWriter.pictures) {
      return writeImage(address, element)
    }
    html.anchor(of: element)
    if !writeReference(source, title: element.attribute("title")) {
      references.lose("embedded pages")
    }
  }

  /// Writes an area of an image map as a link.
  mutating func writeArea(_ element: XMLElement) {
    guard let address = element.attribute("href") else { return }
    if !writeReference(address, title: element.attribute("alt") ?? element.attribute("title")) {
      references.lose("positions of images")
    }
  }

  /// Writes a link in place of content that cannot be shown; returns whether the link has a target.
  @discardableResult
  private mutating func writeReference(_ address: String, title: String?) -> Bool {
    // The caller counts what is lost.
    guard let link = references.link(address, from: file, counts: false) else { return false }
    let words = title?.trimmed ?? ""
    let text = words.isEmpty ? String(address.prefix(200)) : words
    if openLinks > 0 {
      html.text(text + " ")
      return true
    }
    html.open("a", attributes: link.attributes)
    html.text(text)
    html.close("a")
    html.text(" ")
    return true
  }

  /// Writes the first alternative of an `epub:switch` in a vocabulary that browsers draw (EPUB Content
  /// Documents 3.0 section 2.1.3.4), otherwise the default one. Others with content are counted.
  mutating func writeSwitch(_ element: XMLElement) {
    let drawn = ["http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"]
    html.anchor(of: element)
    let cases = element.children("case")
    let choices = cases + element.children("default")
    let drawable = cases.firstIndex {
      drawn.contains($0.attribute("required-namespace")?.trimmed ?? "")
    }
    let chosen = drawable ?? (choices.count > cases.count ? cases.count : 0)
    guard choices.indices.contains(chosen) else { return }
    writeContents(of: choices[chosen])
    let shown = choices[chosen].words
    for (index, other) in choices.enumerated() where index != chosen {
      let words = other.words
      let hasMore = !words.isEmpty && words != shown
      if hasMore || other.descendants.contains(where: ChapterWriter.isShown) {
        references.lose("alternatives for other reading systems")
      }
    }
  }

  static func href(_ element: XMLElement) -> String? {
    element.attribute("href")
      ?? element.attribute("href", namespace: "http://www.w3.org/1999/xlink")
      // Some books misspell the namespace; a prefix without a declaration is a part of the name.
      ?? element.attribute(inAnyNamespace: "href")
      ?? element.attributes.first { $0.name.hasSuffix(":href") }?.value
  }

  static func isLength(_ value: String) -> Bool {
    (1...8).contains(value.utf8.count)
      && value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x25 }
  }
}
