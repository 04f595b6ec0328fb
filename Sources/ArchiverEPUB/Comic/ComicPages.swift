import ArchiverCore
import ArchiverMarkup

/// Writes the pages of a comic whose images are in the sink.
struct ComicPages {
  /// In reading order.
  let pictures: [ComicGathering.Picture]
  /// What the comic's document says of each of them.
  let details: [ComicInfo.Page?]
  let frame: BookFrame
  private let numbered: NumberedPages
  private let spreads: PageSpreads

  /// - Parameter titles: Titles by the index of the page, besides those of `details`.
  init(
    pictures: [ComicGathering.Picture], details: [ComicInfo.Page?], titles: [Int: String],
    frame: BookFrame
  ) {
    self.pictures = pictures
    self.details = details
    self.frame = frame
    numbered = NumberedPages(
      frame: frame,
      titles: pictures.indices.map { index in
        let number = frame.words.page.filled(String(index + 1))
        let page = details[index]
        let more =
          page?.bookmark ?? titles[index] ?? page?.type.map { frame.words.comicPages[$0] ?? $0 }
        return more.map { "\(number): \($0)" } ?? number
      })
    spreads = PageSpreads(
      pictures.indices.map { index in
        let picture = pictures[index]
        let isAlone =
          picture.isDouble || picture.isStrip || details[index]?.isDouble == true
          || picture.problem != nil || picture.output == nil || picture.kind.foreignName != nil
        return isAlone ? .alone : .next
      })
  }

  func write(
    to sink: any BookSink, metadata: BookMetadata?, notes: [String], damage: String?
  ) throws(EPUBError) -> ConvertedBook {
    try numbered.write(to: sink, page: page)
    var metadata = metadata ?? BookMetadata(title: "")
    if metadata.title.isEmpty { metadata.title = frame.book }
    return numbered.book(metadata, coverPath: cover, notes: notes, damage: damage)
  }

  /// The comic's declared cover, or else the first image, if browsers support its format.
  private var cover: String? {
    let named = details.firstIndex { $0?.type == "FrontCover" }
    return ([named].compactMap { $0 } + Array(pictures.indices)).lazy.map { pictures[$0] }
      .first { $0.output != nil && $0.problem == nil && $0.kind.foreignName == nil }?.output
  }

  private func page(_ index: Int) -> [UInt8] {
    let picture = pictures[index]
    let spread = BookFrame.Spread(
      previous: spreads.first(-1, from: index).flatMap(numbered.neighbour),
      next: spreads.first(1, from: index).flatMap(numbered.neighbour))
    return frame.page(
      title: numbered.titles[index], styles: [], rules: "", previous: numbered.neighbour(index - 1),
      next: numbered.neighbour(index + 1), spread: spread
    ) { html in
      html.element("h1", ["dir": "auto"], text: numbered.titles[index])
      if picture.output != nil { fits(&html) }
      html.element("div", ["class": "fit", "id": "fit-width"]) { html in
        html.element("div", ["class": "fit", "id": "fit-height"]) { html in
          let direction: String? = frame.turnsLeft ? "rtl" : nil
          html.element("div", ["class": "book whole comic", "dir": direction]) { html in
            if let problem = picture.problem {
              html.element(
                "p", ["class": "absent", "lang": frame.words.language],
                text: frame.words.unreadable.filled(problem))
            }
            guard picture.output != nil else { return }
            if let kind = picture.kind.foreignName, let output = picture.output {
              foreign(kind, "../" + output, &html)
            }
            sheet(index, &html)
            // On a page that only links to its image, click areas would cover the link.
            if picture.kind.foreignName == nil { zones(index, spread, &html) }
          }
        }
      }
    }
  }

  /// Writes the images of a page's spread: its own, and in wide windows the one beside it.
  private func sheet(_ index: Int, _ html: inout HTMLWriter) {
    let shown = spreads.spread(of: index)
    let classes = [
      "sheet", shown.count == 2 ? "pair" : nil,
      shown.count == 2 && frame.turnsLeft ? "backwards" : nil,
      pictures[index].isStrip ? "strip" : nil,
    ]
    html.element("div", ["class": classes.compactMap { $0 }.joined(separator: " "), "dir": "ltr"]) {
      html in
      for page in shown {
        guard let output = pictures[page].output else { continue }
        html.void(
          "img",
          [
            "class": page == index ? "page" : "page other", "src": "../" + output,
            "alt": numbered.titles[page], "loading": page == index ? nil : "lazy",
          ])
      }
    }
  }

  /// Writes links that fit images to the height or width of the window without a script.
  private func fits(_ html: inout HTMLWriter) {
    let words = frame.words
    html.element("nav", ["class": "fit-links", "aria-label": words.fit, "lang": words.language]) {
      html in
      for (address, text) in [
        ("#content", words.fitPage), ("#fit-width", words.fitWidth),
        ("#fit-height", words.fitHeight),
      ] {
        html.element("a", ["href": address], text: text)
        html.text(" ")
      }
    }
  }

  /// Writes links over the margins of the image that turn pages.
  private func zones(_ index: Int, _ spread: BookFrame.Spread, _ html: inout HTMLWriter) {
    let narrow = BookFrame.Spread(
      previous: numbered.neighbour(index - 1), next: numbered.neighbour(index + 1))
    for (neighbours, mode) in [(narrow, "narrow"), (spread, "wide")] {
      for (neighbour, isNext) in [(neighbours.previous, false), (neighbours.next, true)] {
        guard let neighbour else { continue }
        let side = isNext == frame.turnsLeft ? "left" : "right"
        html.element(
          "a",
          [
            "class": "zone \(side) \(mode)", "href": neighbour.file,
            "rel": isNext ? "next" : "prev", "tabindex": "-1", "aria-hidden": "true",
          ]
        ) { _ in }
      }
    }
  }

  private func foreign(_ kind: String, _ address: String, _ html: inout HTMLWriter) {
    html.element("p", ["lang": frame.words.language]) { html in
      html.element("a", ["href": address], text: frame.words.openPicture.filled(kind))
    }
  }
}
