import ArchiverCore
import ArchiverMarkup

/// The page of a video, which is not archived itself: its poster, a link to the original, and the
/// player.
struct VideoPage: Sendable {
  let bookmark: Bookmark
  let server: ServerAddress

  init(_ bookmark: Bookmark, server: ServerAddress) {
    self.bookmark = bookmark
    self.server = server
  }

  /// Returns a fragment that includes the text supplied with the video.
  func html(with article: [UInt8]) -> [UInt8] {
    var html = HTMLWriter()
    let poster = (bookmark.image ?? bookmark.thumbnail).flatMap { server.rebase($0.source) }
    html.element("figure") { html in
      if let poster { html.linked(bookmark.url) { $0.void("img", image(poster)) } }
      html.element("figcaption") { html in
        html.linked(bookmark.url) { $0.text("Watch \(place)") }
      }
    }
    html.raw(article)
    // The sanitiser turns a frame into a link to its content. It comes last because an unclosed
    // frame would enclose what follows.
    if let embed = bookmark.embed { html.raw(embed) }
    return html.bytes
  }

  private static let start = Array("<figure>".utf8)
  private static let posterEnd = Array("</figcaption></figure>".utf8)

  /// Returns the text supplied with the video from a fragment that `html(with:)` made.
  static func article(of html: [UInt8], embed: String?) -> [UInt8] {
    guard html.starts(with: start), let poster = html.firstRange(of: posterEnd) else { return html }
    let article = html[poster.upperBound...]
    guard let embed, article.reversed().starts(with: embed.utf8.reversed()) else {
      return Array(article)
    }
    return Array(article.dropLast(embed.utf8.count))
  }

  private var place: String {
    let site = bookmark.siteName?.filled ?? bookmark.site?.filled
    return site.map { "on \($0)" } ?? "the original"
  }

  private func image(_ poster: WebURL) -> HTMLWriter.Attributes {
    ["src": poster.absoluteString, "alt": bookmark.title.filled ?? "The video\u{2019}s poster"]
  }
}

extension HTMLWriter {
  fileprivate mutating func linked(
    _ address: String?, _ content: (inout HTMLWriter) -> Void
  ) {
    guard let address, WebURL(address) != nil else { return content(&self) }
    element("a", ["href": address], content)
  }
}
