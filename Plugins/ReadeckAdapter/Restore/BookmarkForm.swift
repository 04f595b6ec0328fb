import ArchiverCore
import ArchiverMarkup

/// A form that makes Readeck create a bookmark from an archived one without any request to the web.
/// It contains the page, its images, its icon, and for each link a resource with the link's title,
/// which Readeck would otherwise fetch.
struct BookmarkForm {
  /// The maximum number of parts that Readeck accepts.
  private static let mostParts = 1_000
  /// The maximum total size of a form's images in bytes: the whole form is in memory.
  private static let mostBytes = 256_000_000
  /// The maximum length of a URL in bytes.
  private static let urlLimit = 1_024

  /// The URL, percent-encoded.
  let url: WebURL
  let article: RestoredArticle?
  /// The values that the restored bookmark is to have.
  let wanted: WantedBookmark
  /// The label of a bookmark that is not completely restored yet.
  private let restoringLabel: String
  private let item: KeptItem
  private let record: JSONValue?
  private let pictures: RestoredPictures

  init(_ item: KeptItem, restoringLabel: String) throws(AdapterError) {
    self.item = item
    self.restoringLabel = restoringLabel
    record = item.record.flatMap { try? ForeignJSON.decode(JSONValue.self, from: Data($0)) }
    pictures = RestoredPictures(item)
    let text = record?["url"]?.string ?? item.metadata.url ?? ""
    guard let url = WebURL(text) else {
      throw AdapterError(.malformed, "it has no web address")
    }
    guard url.absoluteString.utf8.count <= BookmarkForm.urlLimit else {
      throw AdapterError(.tooLarge, "its address is longer than Readeck takes")
    }
    self.url = url
    wanted = WantedBookmark(item, record)
    let pictures = pictures
    article = try item.article(record).map { (html) throws(AdapterError) in
      do throws(MarkupError) {
        return try RestoredArticle(AnchorPrefix.removed(from: html), item.annotations, pictures)
      } catch {
        throw AdapterError(.malformed, "its text cannot be read: \(error.message)")
      }
    }
  }

  /// Returns the form; throws `.tooLarge` if Readeck would refuse it.
  func form() throws(AdapterError) -> MultipartForm {
    var form = MultipartForm()
    form.add("url", url.absoluteString)
    form.add("title", wanted.title)
    for label in wanted.labels + [restoringLabel] { form.add("labels", label) }
    form.add("created", wanted.created)
    // Readeck's search for the article would drop asides and tables.
    form.add("feature_find_main", "false")
    let used = pictures.used(by: article)
    guard used.reduce(0, { $0 + (FileSize.of($1.path) ?? 0) }) <= BookmarkForm.mostBytes else {
      throw AdapterError(
        .tooLarge, "its images have more than \(BookmarkForm.mostBytes / 1_000_000) MB")
    }
    try form.addResource(url.absoluteString, "text/html; charset=utf-8", page(used))
    for picture in used {
      try form.addResource(address(picture), picture.mediaType, try bytes(picture))
    }
    if !used.contains(where: { $0.role == .icon }), let icon = url.resolving("/favicon.ico") {
      try form.addResource(icon.absoluteString, "image/x-icon", [0])
    }
    for (address, title) in links() {
      var page = HTMLWriter()
      if let title { page.element("title", text: title) }
      try form.addResource(
        address, title == nil ? "application/octet-stream" : "text/html; charset=utf-8",
        title == nil ? [0] : page.bytes)
    }
    guard form.count <= BookmarkForm.mostParts else {
      throw AdapterError(
        .tooLarge,
        "it has more images and links than the \(BookmarkForm.mostParts) that Readeck takes")
    }
    form.close()
    return form
  }

  /// The parts that a form lacks because the archive lacks them, one word for each.
  var losses: [String] {
    let pictures = item.absent + (article?.lostPictures ?? 0)
    return (record == nil ? ["record"] : []) + Array(repeating: "picture", count: pictures)
  }

  private func address(_ picture: RestoredPictures.Picture) -> String {
    (url.resolving("./\(picture.name)") ?? url).absoluteString
  }

  private func bytes(_ picture: RestoredPictures.Picture) throws(AdapterError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: picture.path) else {
      throw AdapterError(.malformed, "the file \(picture.path) cannot be read")
    }
    return Array(data)
  }

  /// Returns the page, with the metadata that Readeck reads in its head.
  private func page(_ used: [RestoredPictures.Picture]) -> [UInt8] {
    var page = HTMLWriter()
    page.raw("<!DOCTYPE html>")
    var attributes = [(name: "lang", value: wanted.language)]
    if !wanted.textDirection.isEmpty { attributes.append(("dir", wanted.textDirection)) }
    page.open("html", attributes: attributes)
    page.element("head") { page in writeHead(used, to: &page) }
    page.open("body", attributes: [])
    // The end tags of `body` and `html` are optional.
    return page.bytes + content
  }

  private func writeHead(_ used: [RestoredPictures.Picture], to page: inout HTMLWriter) {
    func meta(_ kind: String, _ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      page.void("meta", attributes: [(kind, name), ("content", value)])
    }
    page.void("meta", ["charset": "utf-8"])
    page.element("title", text: wanted.title)
    for author in wanted.authors { meta("name", "author", author) }
    meta("property", "og:site_name", wanted.siteName)
    meta("property", "article:published_time", wanted.published)
    meta("name", "description", wanted.description)
    for picture in used {
      switch picture.role {
      case .icon: page.void("link", ["rel": "icon", "href": address(picture)])
      case .cover, .image: meta("property", "og:image", address(picture))
      default: break
      }
    }
    switch record?["type"]?.string {
    case "photo": meta("name", "DC.type", "image")
    case "video":
      meta("property", "og:type", "video.other")
      meta("property", "og:video:url", embedded)
      meta("property", "og:video:type", embedded.map { _ in "text/html" })
    default: break
    }
  }

  /// The address of a video's player.
  private var embedded: String? {
    guard let embed = record?["embed"]?.string,
      let root = try? ContentTree.parse(Array(embed.utf8))
    else { return nil }
    var source: String?
    root.forEachInside { source = source ?? $0["src"] }
    return source
  }

  /// The article without its outermost element: Readeck adds one of its own.
  private var content: ArraySlice<UInt8> {
    guard let html = article?.html, let start = html.firstIndex(of: UInt8(ascii: ">")),
      let end = html.lastIndex(of: UInt8(ascii: "<")), start < end
    else { return [] }
    return html[(start + 1)..<end]
  }

  /// The web addresses to which the article links, with the titles of those that were pages.
  private func links() -> [(address: String, title: String?)] {
    guard let html = article?.html, let root = try? ContentTree.parse(html) else { return [] }
    var titles: [String: String] = [:]
    for link in record?["links"]?.array ?? [] where link["is_page"] == .bool(true) {
      guard let address = link["url"]?.string.flatMap({ WebURL($0) }) else { continue }
      titles[address.withoutFragment.absoluteString] = link["title"]?.string ?? ""
    }
    var known: Set = [url.withoutFragment.absoluteString]
    var links: [(address: String, title: String?)] = []
    root.forEachInside { element in
      guard element.name == "a", let target = element["href"].flatMap(url.resolving),
        ["http", "https"].contains(target.scheme),
        known.insert(target.withoutFragment.absoluteString).inserted
      else { return }
      let address = target.withoutFragment.absoluteString
      links.append((address, titles[address]))
    }
    return links
  }
}
