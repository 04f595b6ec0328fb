import ArchiverCore

/// The formats of books in catalogs.
enum BookFormat: String, Sendable, CaseIterable {
  case epub, kepub, pdf, cbz, cbr, cb7, cbt, azw3, mobi, fb2, djvu, txt, rtf, docx, m4b, mp3

  static let preferred: [BookFormat] = [.epub, .pdf, .cbz, .kepub]

  /// Determines a link's format from its type, else from its URL, else from its title.
  init?(_ link: CatalogLink) {
    if let format = BookFormat.byType[link.media.name] {
      self = format
      return
    }
    if let comic = BookFormat.comic(link.media.name) {
      self = comic
      return
    }
    let path = WebURL(link.address)?.path.lowercased() ?? ""
    let segments = path.split { $0 == "/" || $0 == "." }.map(String.init)
    if let found = segments.reversed().lazy.compactMap({ BookFormat(rawValue: $0) }).first {
      self = found
      return
    }
    let words = (link.title ?? "").lowercased().split { !$0.isLetter && !$0.isNumber }
    guard let found = words.lazy.compactMap({ BookFormat(rawValue: String($0)) }).first else {
      return nil
    }
    self = found
  }

  /// The media type under which files of the format are stored; catalogs use several.
  var mediaType: String {
    switch self {
    case .epub: "application/epub+zip"
    case .kepub: "application/kepub+zip"
    case .pdf: "application/pdf"
    case .cbz: "application/vnd.comicbook+zip"
    case .cbr: "application/vnd.comicbook-rar"
    case .cb7: "application/x-cb7"
    case .cbt: "application/x-cbt"
    case .azw3: "application/x-mobi8-ebook"
    case .mobi: "application/x-mobipocket-ebook"
    case .fb2: "application/fb2"
    case .djvu: "image/vnd.djvu"
    case .txt: "text/plain"
    case .rtf: "application/rtf"
    case .docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    case .m4b: "application/octet-stream"
    case .mp3: "audio/mpeg"
    }
  }

  /// Determines the format of a link without a download relation from its type or, if the type is
  /// vague, from its URL's extension; `nil` for what may be a web page about the book.
  init?(unmarked link: CatalogLink) {
    switch link.media.name {
    case "", "application/octet-stream", "application/zip", "binary/octet-stream":
      let name = WebURL(link.address)?.path.split(separator: "/").last?.lowercased() ?? ""
      let parts = name.split(separator: ".")
      let ending = name.hasSuffix(".fb2.zip") ? "fb2" : parts.last
      guard parts.count > 1, let end = ending, let format = BookFormat(rawValue: String(end))
      else { return nil }
      self = format
    case "text/plain": return nil
    case let type:
      guard let format = BookFormat.byType[type] else { return nil }
      self = format
    }
  }

  /// Returns the format that a misspelt type of comics names, such as `application/vnc.comicbook+zip`.
  private static func comic(_ type: String) -> BookFormat? {
    guard type.contains("comicbook") else { return nil }
    if type.hasSuffix("rar") { return .cbr }
    return type.hasSuffix("7z") ? .cb7 : type.hasSuffix("tar") ? .cbt : .cbz
  }

  var isComic: Bool { [.cbz, .cbr, .cb7, .cbt].contains(self) }

  private static let byType: [String: BookFormat] = [
    "application/epub+zip": .epub, "application/kepub+zip": .kepub, "application/pdf": .pdf,
    "application/vnd.comicbook+zip": .cbz, "application/x-cbz": .cbz,
    "application/divina+zip": .cbz,
    "application/vnd.comicbook-rar": .cbr, "application/x-cbr": .cbr, "application/x-rar": .cbr,
    "application/x-rar-compressed": .cbr, "application/vnd.rar": .cbr, "application/x-cb7": .cb7,
    "application/x-cbt": .cbt,
    "application/x-mobi8-ebook": .azw3, "application/vnd.amazon.mobi8-ebook": .azw3,
    "application/x-mobipocket-ebook": .mobi,
    "application/fb2": .fb2, "application/fb2+zip": .fb2, "application/fb2+xml": .fb2,
    "application/x-fictionbook": .fb2, "application/x-fictionbook+xml": .fb2,
    "text/fb2+xml": .fb2, "text/fb2-xml": .fb2, "image/vnd.djvu": .djvu, "image/x-djvu": .djvu,
    "image/djvu": .djvu, "application/djvu": .djvu, "text/plain": .txt, "application/rtf": .rtf,
    "audio/mpeg": .mp3, "audio/m4b": .m4b, "audio/x-m4b": .m4b,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": .docx,
  ]
}
