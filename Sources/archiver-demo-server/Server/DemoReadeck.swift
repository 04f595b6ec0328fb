import ArchiverCore
import ArchiverTestKit

/// The reading list behind a fake Readeck; pictures are read when they are asked for.
final class DemoReadeck: Sendable {
  private let readeck: FakeReadeck
  /// Cover picture by bookmark.
  private let covers: [String: String]
  /// Picture by the name of its file.
  private let files: [String: String]

  init(_ articles: [DemoArticle], token: String) {
    var behaviour = FakeReadeck.Behaviour()
    behaviour.token = token
    readeck = FakeReadeck(behaviour)
    var covers: [String: String] = [:]
    for article in articles.sorted(by: { $0.saved < $1.saved }) {
      var bookmark = DemoReadeck.bookmark(article)
      bookmark.created = article.saved
      let id = readeck.add(bookmark)
      covers[id] = article.cover
    }
    self.covers = covers
    files = Dictionary(
      Album.pictures.keys.map { (resourceName($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Answers a request; may be called concurrently.
  func handle(_ request: ServerRequest) -> ServerResponse {
    if request.segments == ["device"] {
      // Opening the page is the approval.
      readeck.decideLogin(.agree)
      return .text("Approved: archiver may read this reading list.")
    }
    var response = readeck.handle(request)
    guard response.status == 200, let (name, size) = picture(request.segments) else {
      return response
    }
    do {
      response.body = .bytes([UInt8](try Album.pictures[name]?.data(size) ?? Data()))
      return response
    } catch {
      return .text("\(error)", status: 500)
    }
  }

  /// `/bm/AB/ID/_resources/NAME`, `/bm/AB/ID/img/NAME` or `/api/bookmarks/ID/x/_resources/NAME`.
  private func picture(_ path: [String]) -> (name: String, size: Picture.Size)? {
    guard path.count >= 5, let name = path.last else { return nil }
    if path[path.count - 2] == "_resources" { return files[name].map { ($0, .full) } }
    guard path[0] == "bm", path[3] == "img", let cover = covers[path[2]] else { return nil }
    return (cover, name.hasPrefix("thumbnail") ? .thumbnail : .cover)
  }
}

extension DemoReadeck {
  /// The bookmark without the bytes of its pictures.
  private static func bookmark(_ article: DemoArticle) -> FakeReadeck.Bookmark {
    var bookmark = FakeReadeck.Bookmark(
      url: article.url, title: article.title, html: article.html)
    bookmark.id = base58(article.url)
    bookmark.siteName = article.siteName
    bookmark.type = article.kind.rawValue
    bookmark.documentType = article.errors.isEmpty ? article.kind.rawValue : ""
    bookmark.description = article.summary
    bookmark.authors = article.authors
    bookmark.language = article.language
    bookmark.textDirection = article.html == nil ? "" : article.isRightToLeft ? "rtl" : "ltr"
    bookmark.published = article.published.isEmpty ? "" : "\(article.published)T00:00:00Z"
    bookmark.labels = article.labels.sorted()
    bookmark.isMarked = article.isFavourite
    bookmark.isArchived = article.isArchived
    bookmark.readProgress = article.readProgress
    bookmark.wordCount = article.wordCount
    bookmark.readingTime = (article.wordCount + 199) / 200
    bookmark.embed = article.embed
    bookmark.embedDomain = article.embedDomain
    bookmark.errors = article.errors
    bookmark.highlights = article.highlights.map { highlight(article, $0) }
    bookmark.resources = article.pictures.compactMap { name in
      Album.pictures[name].map { .init(resourceName(name), $0.mediaType, []) }
    }
    if let cover = article.cover, let picture = Album.pictures[cover] {
      bookmark.image = preview("image", picture, .cover)
      bookmark.thumbnail = preview("thumbnail", picture, .thumbnail)
    }
    return bookmark
  }

  private static func preview(
    _ name: String, _ picture: Picture, _ size: Picture.Size
  ) -> FakeReadeck.Bookmark.Picture {
    let (width, height) = picture.pixels(size)
    return .init(
      "\(name).\(picture.fileExtension)", picture.mediaType, [], width: width, height: height)
  }

  private static func highlight(
    _ article: DemoArticle, _ highlight: DemoArticle.Highlight
  ) -> FakeReadeck.Bookmark.Highlight {
    var result = FakeReadeck.Bookmark.Highlight(
      highlight.text, color: highlight.color, note: highlight.note)
    result.id = base58(highlight.text)
    result.created = article.saved
    return result
  }
}
