import ArchiverCore
import ArchiverMarkup

/// The start page that lists several archives: a single file without scripts.
struct PortalPage {
  /// The first bytes of such a page, by which it is recognised.
  static let start = "<!doctype html>\n<html data-archiver=\"portal\""
  /// The number of sources that the page shows per archive.
  private static let sourceLimit = 20

  let words: Words
  /// A source whose last successful run was before this time is a problem.
  let limit: Date

  func page(_ archives: [PortalArchive]) -> [UInt8] {
    var html = HTMLWriter()
    html.raw("<!doctype html>\n")
    html.element("html", ["data-archiver": "portal", "lang": words.language]) { html in
      html.element("head") { head(&$0) }
      html.raw("\n")
      html.element("body") { html in
        html.element("main", ["class": "page"]) { html in
          html.element("h1", text: words.portal.title)
          sums(archives, &html)
          html.element("ul", ["class": "archives"]) { html in
            for archive in archives {
              html.raw("\n")
              entry(archive, &html)
            }
          }
        }
        html.raw("\n")
        html.element("footer", ["class": "page foot"]) { html in
          html.element("p", text: words.portal.footer)
        }
      }
    }
    html.raw("\n")
    return html.bytes
  }

  private func head(_ html: inout HTMLWriter) {
    html.void("meta", ["http-equiv": "Content-Security-Policy", "content": ContentPolicy.portal])
    html.void("meta", ["charset": "utf-8"])
    html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    html.void("meta", ["name": "color-scheme", "content": "light dark"])
    html.void("meta", ["name": "generator", "content": "archiver"])
    html.void("meta", ["name": "referrer", "content": "no-referrer"])
    html.element("title", text: words.portal.title)
    let icon = Data(PackageResources.icon_svg).base64EncodedString()
    html.void("link", ["rel": "icon", "href": "data:image/svg+xml;base64,\(icon)"])
    html.element("style") { $0.raw(StyleSheet.portal) }
  }

  private func sums(_ archives: [PortalArchive], _ html: inout HTMLWriter) {
    let parts = [
      archives.count == 1
        ? words.portal.oneArchive : words.portal.archives.filled(words.number(archives.count)),
      words.count(archives.map(\.itemCount).clampedSum),
      words.bytes(archives.map(\.byteCount).clampedSum),
    ]
    html.element("p", ["class": "total"], text: parts.joined(separator: " · "))
  }

  private func entry(_ archive: PortalArchive, _ html: inout HTMLWriter) {
    let level = archive.level(limit)
    html.element("li", ["class": "archive"]) { html in
      html.element("h2") { html in
        dot(level, &html)
        html.element(
          "a", ["href": "\(SiteText.path(archive.name))/\(IndexPage.path)", "dir": "auto"],
          text: archive.name)
      }
      html.element("p", ["class": "facts"]) { html in
        html.text("\(words.count(archive.itemCount)) · \(words.bytes(archive.byteCount))")
        if let updated = archive.updated.map(CivilDate.init) {
          html.text(" · ")
          html.element(
            "time", ["datetime": updated.timeText],
            text: words.portal.updated.filled(words.date(updated)))
        }
      }
      if !archive.sources.isEmpty { sources(archive.sources, &html) }
      let hasProblems = level != .good || archive.sources.contains { $0.incomplete > 0 }
      if hasProblems, archive.hasProblemsPage {
        html.element("p", ["class": "problems"]) { html in
          html.element(
            "a", ["href": "\(SiteText.path(archive.name))/\(ProblemsPage.path)"],
            text: words.text("problems"))
        }
      }
    }
  }

  private func sources(_ sources: [PortalArchive.Source], _ html: inout HTMLWriter) {
    html.element("ul", ["class": "sources", "aria-label": words.text("sources")]) { html in
      for source in sources.prefix(PortalPage.sourceLimit) {
        let level = source.level(limit)
        html.element("li") { html in
          dot(level, &html)
          html.element("span") { html in
            html.element("bdi", ["class": "name"], text: source.name)
            html.element(
              "span", ["class": "soft"], text: " \(words.count(source.itemCount))")
            for sentence in sentences(source) {
              html.element("span", ["class": level.rawValue], text: " · \(sentence)")
            }
          }
        }
      }
      let more = sources.count - PortalPage.sourceLimit
      if more > 0 {
        html.element(
          "li", ["class": "soft"], text: words.portal.moreSources.filled(words.number(more)))
      }
    }
  }

  private func dot(_ level: PortalArchive.Level, _ html: inout HTMLWriter) {
    html.element(
      "span",
      ["class": "dot \(level.rawValue)", "role": "img", "aria-label": words.text(level.rawValue)]
    ) { _ in }
  }

  /// Returns why a source needs attention, and how many items lack parts.
  private func sentences(_ source: PortalArchive.Source) -> [String] {
    var sentences: [String] = []
    let portal = words.portal
    switch source.trouble(limit) {
    case nil: break
    case .neverRun: sentences.append(words.text("neverRun"))
    case .offline(let date), .old(let date):
      sentences.append(portal.notUpdated.filled(words.date(CivilDate(date))))
    case .died(let date): sentences.append(portal.died.filled(words.date(CivilDate(date))))
    case .interrupted(let date):
      sentences.append(portal.interrupted.filled(words.date(CivilDate(date))))
    case .failing(let count): sentences.append(words.text("failing", words.number(count)))
    }
    if source.incomplete > 0 {
      sentences.append(words.text("incompleteItems", words.number(source.incomplete)))
    }
    return sentences
  }
}
