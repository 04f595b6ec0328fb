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
    HTMLWriter.page(["data-archiver": "portal", "lang": words.language], head: head) { html in
      html.element("main", ["class": "page"]) { html in
        html.element("h1", text: words.text("portal.title"))
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
        html.element("p", text: words.text("portal.footer"))
      }
    }
  }

  private func head(_ html: inout HTMLWriter) {
    html.metas(policy: ContentPolicy.portal)
    html.element("title", text: words.text("portal.title"))
    let icon = Data(PackageResources.icon_svg).base64EncodedString()
    html.void("link", ["rel": "icon", "href": "data:image/svg+xml;base64,\(icon)"])
    html.element("style") { $0.raw(StyleSheet.portal) }
  }

  private func sums(_ archives: [PortalArchive], _ html: inout HTMLWriter) {
    let parts = [
      words.counted("portal.archives", archives.count),
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
        if let updated = archive.updated {
          html.text(" · ")
          html.element(
            "time", ["datetime": UTCTime.text(updated)],
            text: words.text("portal.updated", words.date(CivilDate(updated))))
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
          "li", ["class": "soft"], text: words.text("portal.moreSources", words.number(more)))
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
    switch source.trouble(limit) {
    case nil: break
    case .neverRun: sentences.append(words.text("neverRun"))
    case .offline(let date), .old(let date):
      sentences.append(words.text("portal.notUpdated", words.date(CivilDate(date))))
    case .died(let date): sentences.append(words.text("portal.died", words.date(CivilDate(date))))
    case .interrupted(let date):
      sentences.append(words.text("portal.interrupted", words.date(CivilDate(date))))
    case .failing(let count): sentences.append(words.text("failing", words.number(count)))
    }
    if source.incomplete > 0 {
      sentences.append(words.text("incompleteItems", words.number(source.incomplete)))
    }
    return sentences
  }
}
