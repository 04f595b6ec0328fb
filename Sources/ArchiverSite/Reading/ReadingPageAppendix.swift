import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// The appendix after the body: files, highlights, versions, missing parts, notes.
struct ReadingPageAppendix {
  let page: ReadingPageRenderer

  private var content: ReadingPageContent { page.content }
  private var words: Words { page.words }

  func write(_ html: inout HTMLWriter) {
    files(&html)
    highlights(&html)
    if content.currentVersionPath == nil {
      ReadingPageAppendix.versions(
        content.item.versions, words, own: page.ownLanguage, &html)
    }
    missing(&html)
    notes(&html)
    html.raw("\(ReadingPage.backlinksStart)")
    ReadingPageAppendix.backlinks(content.backlinks, words, &html)
    html.raw("\(ReadingPage.backlinksEnd)")
  }

  /// - Parameter language: The language of archiver's own text, if it differs from the document's.
  private static func section(
    _ id: String, _ title: String, own language: String?, _ html: inout HTMLWriter,
    _ content: (inout HTMLWriter) -> Void
  ) {
    html.element("section", ["class": "after \(id)", "aria-labelledby": "\(id)-title"]) { html in
      html.element("h2", ["id": "\(id)-title", "lang": language], text: title)
      content(&html)
    }
    html.raw("\n")
  }

  private func files(_ html: inout HTMLWriter) {
    guard !content.files.isEmpty else { return }
    Self.section("files", words.text("page.files"), own: page.ownLanguage, &html) { html in
      html.element("ul") { html in
        for file in content.files {
          html.element("li") { html in
            html.element("a", ["href": SiteText.path(file.path), "type": file.mediaType]) {
              $0.element("bdi", text: file.name.isEmpty ? file.path : file.name)
            }
            html.text(" ")
            html.element(
              "span", ["class": "why"],
              text: "\(file.mediaType), \(words.bytes(file.byteCount))")
            if let origin = file.origin {
              html.raw("<br>")
              html.element("small", ["class": "why"]) { html in
                html.element("span", ["lang": page.ownLanguage], text: words.text("page.from"))
                html.text(" ")
                html.element("bdi", text: origin)
              }
            }
            if let sha256 = file.sha256 {
              html.raw("<br>")
              html.element("small", ["class": "why"]) { html in
                html.text("SHA-256 ")
                html.element("code", text: sha256)
              }
            }
          }
        }
      }
    }
  }

  private func highlights(_ html: inout HTMLWriter) {
    let annotations = content.item.annotations
    guard !annotations.isEmpty else { return }
    Self.section("highlights", words.text("highlights"), own: page.ownLanguage, &html) { html in
      html.element("ol") { html in
        for annotation in annotations { highlight(annotation, &html) }
      }
    }
  }

  private func highlight(_ annotation: Annotation, _ html: inout HTMLWriter) {
    html.element(
      "li", ["id": "note-\(annotation.id)", "class": HighlightColor.word(annotation.color)]
    ) { html in
      html.element("blockquote", ["dir": "auto"], text: annotation.text)
      if let note = annotation.note, !note.isEmpty {
        html.element("p", ["class": "note", "dir": "auto"], text: note)
      }
      html.element("p", ["class": "why", "lang": page.ownLanguage]) { html in
        html.element(
          "a",
          ["href": "#" + SiteText.fragment(of: annotation), "target": "_self"],
          text: words.text("page.toPassage"))
        if let created = annotation.created {
          html.text(" · ")
          words.writeTime(created, &html)
        }
      }
    }
  }

  /// Writes the list of versions; nothing without versions.
  ///
  /// - Parameter language: The language of archiver's own text, if it differs from the document's.
  static func versions(
    _ versions: [String], _ words: Words, own language: String?, _ html: inout HTMLWriter
  ) {
    guard !versions.isEmpty else { return }
    section("versions", words.text("page.versions"), own: language, &html) { html in
      html.element("ul") { html in
        for version in versions {
          let key = HeldBack.isName(version) ? "page.heldBackSince" : "page.versionOf"
          html.element("li") { html in
            html.element(
              "a", ["href": SiteText.path("versions/\(version)/index.html")],
              text: words.text(key, VersionTime.text(version)))
          }
        }
      }
    }
  }

  private func missing(_ html: inout HTMLWriter) {
    guard !content.missingImages.isEmpty else { return }
    html.element("section", ["class": "after missing"]) { html in
      html.element("details") { html in
        html.element(
          "summary", ["lang": page.ownLanguage],
          text: "\(words.text("page.missing")) (\(content.missingImages.count))")
        html.element("ul") { html in
          for image in content.missingImages {
            html.element("li") { html in
              ReadingPageRenderer.address(image.url, &html)
              html.void("br")
              html.element("span", ["class": "why", "dir": "auto"], text: image.reason)
            }
          }
        }
      }
    }
    html.raw("\n")
  }

  /// Writes the list of backlinks; nothing without any.
  static func backlinks(
    _ links: [ReadingPageContent.Link], _ words: Words, _ html: inout HTMLWriter
  ) {
    guard !links.isEmpty else { return }
    html.element(
      "section", ["class": "after backlinks", "aria-labelledby": "backlinks-title"]
    ) { html in
      html.element(
        "h2", ["id": "backlinks-title", "lang": words.language], text: words.text("page.backlinks"))
      html.element("ul") { html in
        for link in links {
          html.element("li") { html in
            html.element("a", ["href": SiteText.path(link.path)]) {
              $0.element("bdi", text: link.title)
            }
          }
        }
      }
    }
  }

  /// Writes links to the previous and the next book; nothing without any.
  static func neighbours(
    _ links: [ReadingPageContent.Neighbour], _ words: Words, _ html: inout HTMLWriter
  ) {
    guard !links.isEmpty else { return }
    html.element(
      "nav", ["class": "series", "aria-label": words.text("page.series"), "lang": words.language]
    ) { html in
      for link in links {
        let isNext = link.side == .next
        html.element(
          "a",
          [
            "href": SiteText.path(link.path), "rel": isNext ? "next" : "prev",
            "class": isNext ? "next" : nil,
          ]
        ) { html in
          html.element("span", text: words.text(isNext ? "page.next" : "page.previous"))
          html.text(" ")
          // A long name of an issue is part of its title.
          let place = link.position.flatMap { $0.count <= 6 ? " [\($0)]" : nil } ?? ""
          html.element("bdi", text: link.title + place)
        }
      }
    }
  }

  private func notes(_ html: inout HTMLWriter) {
    guard !content.notes.isEmpty else { return }
    Self.section("notes", words.text("page.notes"), own: page.ownLanguage, &html) { html in
      html.element("ul") { html in
        for note in content.notes { html.element("li", ["dir": "auto"], text: note) }
      }
    }
  }
}

/// The colours that pages support; sources may send any name.
enum HighlightColor {
  static let known = ["yellow", "red", "blue", "green", "none"]

  /// Returns the colour as a class name; yellow for unknown ones.
  static func word(_ color: String?) -> String {
    guard let color, known.contains(color) else { return known[0] }
    return color
  }
}

/// The name of a version's folder.
enum VersionTime {
  /// Returns `2026-11-21 09:31` for names such as `20261121T093144Z`, any other name unchanged.
  static func text(_ name: String) -> String {
    let digits = name.filter { $0.isASCII && $0.isWholeNumber }
    guard digits.count >= 12 else { return name }
    let parts = [(0, 4, ""), (4, 2, "-"), (6, 2, "-"), (8, 2, " "), (10, 2, ":")]
    return parts.reduce(into: "") { text, part in
      text += part.2 + String(digits.dropFirst(part.0).prefix(part.1))
    }
  }
}
