import ArchiverCore
import ArchiverEPUB
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Converts a bundle's page to an EPUB chapter.
final class ChapterExport {
  private let files: BundleFiles
  /// Chapter numbers by the items' folders.
  private let places: [String: Int]
  private(set) var pictures: [EPUBPublication.Picture]
  private(set) var hasText = true
  /// Paths of the bundle's images whose formats are not core media types of EPUB (EPUB 3.3 section
  /// 3.2).
  private(set) var leftPictures: Set<String> = []

  private var item: CatalogItem { files.item }

  init(files: BundleFiles, places: [String: Int], pictures: [EPUBPublication.Picture]) {
    self.files = files
    self.places = places
    self.pictures = pictures
  }

  func chapter() throws -> EPUBPublication.Chapter {
    let html = html()
    let ids = XHTMLFragment.ids(html)
    // The parser calls the closure once for each URL, in document order.
    let body = try XHTMLFragment.make(html, limits: .widest) { element, address in
      self.noteLeft(address)
      if element == "img" { return self.picture(address) }
      if address.hasPrefix("#") {
        return ids.contains(PercentEncoding.decoded(String(address.dropFirst()))) ? address : nil
      }
      if ["http://", "https://"].contains(where: address.hasPrefix) { return address }
      if LinkScheme.isInert(address: address) { return address }
      // A link to another bundle leads to its chapter.
      return self.files.folder(address).flatMap { self.places[$0] }
        .map(EPUBPublication.chapterName)
    }
    return EPUBPublication.Chapter(
      title: item.metadata.title, language: item.metadata.language, direction: direction,
      body: body)
  }

  /// Returns the URL in the book of an image that the page shows.
  private func picture(_ address: String) -> String? {
    files.path(address).flatMap { ChapterExport.add($0, of: files, to: &pictures) }
      .map { "../images/\($0)" }
  }

  /// Records a URL, of an image or a link, that leads to an image in an unsupported format.
  private func noteLeft(_ address: String) {
    guard address.hasPrefix("assets/"), let path = files.path(address) else { return }
    let type = files.mediaType(path)
    if type.hasPrefix("image/"), !EPUBPublication.pictureTypes.contains(type) {
      leftPictures.insert(path)
    }
  }

  /// The direction that the page declares if the source reported none.
  private var direction: TextDirection {
    if let direction = item.metadata.direction { return direction }
    let head = String(decoding: files.page.prefix(400), as: UTF8.self)
    return head.contains("dir=\"rtl\"") ? .rightToLeft : .leftToRight
  }

  private func html() -> [UInt8] {
    var html = HTMLWriter()
    let metadata = item.metadata
    html.element("h1", text: metadata.title)
    let facts: [String?] = [
      metadata.siteName ?? metadata.site, metadata.authors.joined(separator: ", "),
      metadata.published.map(UTCTime.day),
    ]
    html.element("p", ["class": "facts"]) { html in
      html.text(facts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · "))
      guard let url = metadata.url, url.hasPrefix("https://") || url.hasPrefix("http://") else {
        return
      }
      html.void("br")
      html.element("a", ["href": url], text: url)
    }
    let body = ReadingPage.body(of: files.page)
    // An item without text may be an image.
    if body == nil, let picture = item.thumbnail?.path {
      html.element("figure") { $0.void("img", ["src": picture, "alt": metadata.title]) }
    }
    if let body {
      html.raw(body)
    } else {
      hasText = false
      if let summary = metadata.summary { html.element("p", text: summary) }
    }
    highlights(&html)
    return html.bytes
  }

  private func highlights(_ html: inout HTMLWriter) {
    guard !item.annotations.isEmpty else { return }
    html.element("section", ["class": "highlights"]) { html in
      for annotation in item.annotations {
        html.element("blockquote", ["id": "note-\(annotation.id)"]) { html in
          html.element("p", text: annotation.text)
          if let note = annotation.note, !note.isEmpty { html.element("p", text: note) }
        }
      }
    }
  }

  /// Adds an image of a bundle and returns its name in the book; `nil` if reading systems need not
  /// support its format.
  static func add(
    _ path: String, of files: BundleFiles, to pictures: inout [EPUBPublication.Picture]
  ) -> String? {
    let type = files.mediaType(path)
    guard EPUBPublication.pictureTypes.contains(type), files.byteCount(path) != nil else {
      return nil
    }
    let file = files.file(path)
    if let known = pictures.first(where: { $0.file == file }) { return known.name }
    // Names under `assets/` are content hashes, so that equal names of two items mean the same
    // image.
    let base = path.split(separator: "/").joined(separator: "-")
    let isShared = path.hasPrefix("assets/")
    if isShared, let known = pictures.first(where: { $0.name == base }) { return known.name }
    let name = isShared ? base : "\(pictures.count + 1)-\(base)"
    pictures.append(EPUBPublication.Picture(name: name, mediaType: type, file: file))
    return name
  }
}
