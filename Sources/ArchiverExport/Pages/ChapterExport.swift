import ArchiverCore
import ArchiverEPUB
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Makes a chapter of a bundle.
struct ChapterExport {
  private let files: BundleFiles
  /// The chapters by the folders of their items.
  private let places: [String: Int]
  private(set) var pictures: [EPUBPublication.Picture]
  private(set) var hasText = true
  /// Paths of the bundle's pictures that are no core media types of EPUB (EPUB 3.3 section 3.2).
  private(set) var leftPictures: Set<String> = []

  private var item: CatalogItem { files.item }

  init(files: BundleFiles, places: [String: Int], pictures: [EPUBPublication.Picture]) {
    self.files = files
    self.places = places
    self.pictures = pictures
  }

  mutating func chapter() throws -> EPUBPublication.Chapter {
    let metadata = item.metadata
    let html = html()
    let ids = XHTMLFragment.ids(html)
    var pictures = pictures
    // The parser calls it once for each address, in order.
    let state = PictureList(pictures)
    let (files, places) = (files, places)
    let body = try XHTMLFragment.make(html, limits: .widest) { element, address in
      state.noteLeft(address, of: files)
      if element == "img" {
        return files.path(address).flatMap { state.add($0, of: files) }.map { "../images/\($0)" }
      }
      if address.hasPrefix("#") {
        return ids.contains(PercentEncoding.decoded(String(address.dropFirst()))) ? address : nil
      }
      if ["http://", "https://"].contains(where: address.hasPrefix) { return address }
      if LinkScheme.isInert(address: address) { return address }
      return ChapterExport.chapter(address, of: files, places)
    }
    pictures = state.pictures
    leftPictures = state.left
    self.pictures = pictures
    return EPUBPublication.Chapter(
      title: metadata.title, language: metadata.language, direction: direction, body: body)
  }

  /// What the page says of itself, which knows more than the source did.
  private var direction: TextDirection {
    if let direction = item.metadata.direction { return direction }
    let head = String(decoding: files.page.prefix(400), as: UTF8.self)
    return head.contains("dir=\"rtl\"") ? .rightToLeft : .leftToRight
  }

  private mutating func html() -> [UInt8] {
    var html = HTMLWriter()
    let metadata = item.metadata
    html.element("h1", text: metadata.title)
    let facts: [String?] = [
      metadata.siteName ?? metadata.site, metadata.authors.joined(separator: ", "),
      metadata.published.map { String($0.formatted(.iso8601).prefix(10)) },
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
    // What has no text may be a picture itself.
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

  /// Returns the chapter that a link to another bundle leads to.
  private static func chapter(
    _ address: String, of files: BundleFiles, _ places: [String: Int]
  ) -> String? {
    return files.folder(address).flatMap { places[$0] }.map(EPUBPublication.chapterName)
  }

  /// Takes a picture of a bundle into the book; `nil` when reading systems need not show its kind.
  static func add(
    _ path: String, of files: BundleFiles, to pictures: inout [EPUBPublication.Picture]
  ) -> String? {
    let type = files.mediaType(path)
    guard EPUBPublication.pictureTypes.contains(type), files.byteCount(path) != nil else {
      return nil
    }
    let file = files.file(path)
    if let known = pictures.first(where: { $0.file == file }) { return known.name }
    // Names under `assets/` are made of what is in the file, so that the same one is the same picture.
    let base = path.split(separator: "/").joined(separator: "-")
    let isShared = path.hasPrefix("assets/")
    if isShared, let known = pictures.first(where: { $0.name == base }) { return known.name }
    let name = isShared ? base : "\(pictures.count + 1)-\(base)"
    pictures.append(EPUBPublication.Picture(name: name, mediaType: type, file: file))
    return name
  }
}

/// The pictures gathered while a chapter is written.
private final class PictureList {
  private(set) var pictures: [EPUBPublication.Picture]
  /// Paths of those that a book may not have.
  private(set) var left: Set<String> = []

  init(_ pictures: [EPUBPublication.Picture]) {
    self.pictures = pictures
  }

  func add(_ path: String, of files: BundleFiles) -> String? {
    ChapterExport.add(path, of: files, to: &pictures)
  }

  /// Notes an address that leads to a picture of another kind, shown or linked.
  func noteLeft(_ address: String, of files: BundleFiles) {
    guard address.hasPrefix("assets/"), let path = files.path(address) else { return }
    let type = files.mediaType(path)
    if type.hasPrefix("image/"), !EPUBPublication.pictureTypes.contains(type) { left.insert(path) }
  }
}
