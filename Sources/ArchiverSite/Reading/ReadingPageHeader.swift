import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// The header of the item: origin, title, authors and dates.
extension ReadingPageRenderer {
  func heldBackBanner(_ html: inout HTMLWriter) {
    guard let path = content.currentVersionPath else { return }
    ReadingPageRenderer.banner(
      words.text("page.heldBackPage"), path, words, own: ownLanguage, &html)
  }

  /// Writes a banner that describes the page, with a link to the current version.
  static func banner(
    _ text: String, _ path: String, _ words: Words, own language: String?,
    _ html: inout HTMLWriter
  ) {
    html.element("p", ["class": "banner", "role": "note", "lang": language]) { html in
      html.text(text + " ")
      html.element("a", ["href": SiteText.path(path)], text: words.text("page.currentVersion"))
    }
  }

  func header(_ html: inout HTMLWriter) {
    html.element("header", ["class": "head"]) { html in
      site(&html)
      // The parents are inserted at the end of the run.
      if [.page, .database].contains(item.kind) {
        html.raw("\(ReadingPage.parentsStart)\(ReadingPage.parentsEnd)")
      }
      html.element("h1", ["dir": "auto"], text: title)
      lede(&html)
      byline(&html)
      meta(&html)
      labels(&html)
    }
  }

  private func site(_ html: inout HTMLWriter) {
    guard let site = item.displaySite else { return }
    html.element("p", ["class": "site"]) { html in
      if let icon = content.iconPath {
        html.void(
          "img",
          [
            "src": SiteText.path(icon), "alt": "", "width": "18", "height": "18",
            "decoding": "async",
          ])
      }
      html.element("bdi", text: site)
    }
  }

  /// Writes links to the pages that contain the item; nothing without any.
  static func parents(
    _ links: [ReadingPageContent.Link], _ words: Words, _ html: inout HTMLWriter
  ) {
    guard !links.isEmpty else { return }
    html.element("p", ["class": "parents"]) { html in
      html.element("span", ["lang": words.language], text: words.text("page.within"))
      for link in links {
        html.text(" ")
        html.element("a", ["href": SiteText.path(link.path)]) {
          $0.element("bdi", text: link.title.isEmpty ? words.text("page.untitled") : link.title)
        }
      }
    }
  }

  /// A source's summary often repeats the first paragraph, so it is shown only if there is no text.
  private func lede(_ html: inout HTMLWriter) {
    guard case .none = content.body, let summary = item.summary, !summary.isEmpty else { return }
    html.element("p", ["class": "lede", "dir": "auto"], text: summary)
  }

  private func byline(_ html: inout HTMLWriter) {
    let authors = item.authors.filter { !$0.isEmpty }
    guard !authors.isEmpty else { return }
    html.element("p", ["class": "byline"]) { html in
      // Archiver's own text is left-to-right even in a right-to-left page.
      html.element("span", ["dir": item.textDirection == .rightToLeft ? "ltr" : nil]) { html in
        html.element("span", ["lang": ownLanguage], text: words.text("page.by"))
        html.text(" ")
        html.element("bdi", text: authors.joined(separator: ", "))
      }
    }
  }

  private func meta(_ html: inout HTMLWriter) {
    html.element("ul", ["class": "meta", "lang": ownLanguage]) { html in
      if let published = item.published { dated(words.text("page.published"), published, &html) }
      dated(words.text("page.archived"), content.item.lastArchived, &html)
      // For a book, only the description's words would be counted.
      if !SeriesPlace.kinds.contains(item.kind) { length(&html) }
      if item.isFavourite { html.element("li", text: "★ \(words.text("favourite"))") }
      if let url = item.url, SiteText.isWebAddress(url) {
        html.element("li") { html in
          html.element("a", ["href": url, "rel": "noreferrer noopener external"]) { html in
            html.text(words.text("page.originalAt", item.site ?? WebURL(url)?.host ?? url))
          }
        }
      }
    }
  }

  private func length(_ html: inout HTMLWriter) {
    if let minutes = item.readingTime, minutes > 0 {
      html.element("li", text: words.text("page.minutes", String(minutes)))
    }
    if let count = item.wordCount, count > 0 {
      html.element("li", text: words.counted("page.wordCount", count))
    }
  }

  private func dated(_ label: String, _ date: Date, _ html: inout HTMLWriter) {
    html.element("li") { html in
      html.text("\(label) ")
      words.writeTime(date, &html)
    }
  }

  private func labels(_ html: inout HTMLWriter) {
    guard !item.labels.isEmpty else { return }
    html.element("ul", ["class": "labels", "aria-label": words.text("labels")]) { html in
      for label in item.labels {
        html.element("li") { html in
          let address =
            SiteText.path(content.libraryPath) + "#label=" + SiteText.fragment(label)
          html.element("a", ["href": address, "dir": "auto"], text: label)
        }
      }
    }
  }
}
