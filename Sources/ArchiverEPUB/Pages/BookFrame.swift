import ArchiverCore
import ArchiverMarkup

/// The frame of every page of a book: content security policy, style, and links to the neighbours.
///
/// 1. The policy is the first element of the head; only our own script may run (`PageScript`).
/// 2. Paths go up one folder and lead to files of the bundle only.
/// 3. Text of ours declares its own language.
struct BookFrame {
  struct Neighbour {
    let file: String
    let title: String
  }

  static let policy =
    "default-src 'none'; img-src 'self'; media-src 'self'; font-src 'self'; "
    + "style-src 'self' 'unsafe-inline'; script-src '\(PageScript.hash)'; base-uri 'none'; "
    + "form-action 'none'"

  /// The policy of a page that shows another one of the book beside it.
  private static let framingPolicy = policy + "; frame-src 'self'"

  /// The neighbours in windows that show two pages together.
  struct Spread {
    var previous: Neighbour?
    var next: Neighbour?
    /// Whether the other page is in a frame, so that the page's own rules tell which windows they
    /// are; otherwise those of all pages do.
    var isFramed = false
  }

  let words: BookWords
  let book: String
  let language: String?
  let direction: String
  /// Whether pages turn from right to left.
  let turnsLeft: Bool

  /// Returns the `dir` of pages in a language.
  static func direction(_ language: String?) -> String {
    LanguageTag.isRightToLeft(language ?? "") ? "rtl" : "ltr"
  }

  /// Writes a page; `main` writes the content between the navigation bars.
  ///
  /// - Parameter spread: The neighbours in wide windows; `nil` if they are the same in all windows.
  func page(
    title: String, styles: [String], rules: String, previous: Neighbour?, next: Neighbour?,
    spread: Spread? = nil, main: (inout HTMLWriter) -> Void
  ) -> [UInt8] {
    var html = HTMLWriter()
    html.raw("<!doctype html>\n")
    html.element("html", ["lang": language ?? words.language, "dir": direction]) { html in
      html.element("head") { html in
        head(title, styles, rules, spread?.isFramed == true, &html)
      }
      html.raw("\n")
      html.element(
        "body",
        [
          "id": spread?.isFramed == true ? FixedSpreads.aloneID : nil,
          "data-next": turnsLeft ? "left" : nil,
        ]
      ) { html in
        html.element("a", ["class": "skip", "href": "#content", "lang": own], text: words.skip)
        bar("top", previous, next, spread, &html)
        html.raw("\n")
        html.element("main", ["id": "content"]) { main(&$0) }
        html.raw("\n")
        bar("bottom", previous, next, spread, &html)
      }
    }
    html.raw("\n")
    return html.bytes
  }

  /// Writes the heading of a page whose content has none of the first level. It is not shown, and is no text of the page
  /// for printing and search.
  static func writeTitle(_ title: String, _ html: inout HTMLWriter) {
    html.element("h1", ["aria-label": title]) { _ in }
  }

  private var own: String? { language == nil ? nil : words.language }

  private func head(
    _ title: String, _ styles: [String], _ rules: String, _ isFraming: Bool,
    _ html: inout HTMLWriter
  ) {
    let policy = isFraming ? BookFrame.framingPolicy : BookFrame.policy
    html.void("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
    html.void("meta", ["charset": "utf-8"])
    html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    html.void("meta", ["name": "color-scheme", "content": "light dark"])
    html.void("meta", ["name": "generator", "content": "archiver"])
    html.void("meta", ["name": "referrer", "content": "no-referrer"])
    html.element("title", text: title == book ? title : "\(title) – \(book)")
    html.void("link", ["rel": "stylesheet", "href": "../style/page.css"])
    for style in styles { html.void("link", ["rel": "stylesheet", "href": style]) }
    html.element("script") { $0.raw(PageScript.text) }
    // The filter never passes a "<", so that the rules cannot end the element.
    if !rules.isEmpty, !rules.utf8.contains(0x3C) {
      html.element("style") { $0.raw(rules) }
    }
  }

  private func bar(
    _ place: String, _ previous: Neighbour?, _ next: Neighbour?, _ spread: Spread?,
    _ html: inout HTMLWriter
  ) {
    // One landmark of navigation is enough: the bar below the text has the same links.
    let isTop = place == "top"
    html.element(
      isTop ? "nav" : "footer",
      ["class": "bar \(place)", "aria-label": isTop ? book : nil, "lang": own]
    ) { html in
      html.element("span", ["class": "up"]) { html in
        html.element("a", ["href": "../../index.html", "rel": "up"], text: words.backToBook)
        html.text(" ")
        html.element("a", ["href": "contents.html", "rel": "contents"], text: words.contents)
      }
      guard let spread else { return turns(previous, next, "turn", &html) }
      turns(previous, next, spread.isFramed ? "turn one" : "turn narrow", &html)
      turns(spread.previous, spread.next, spread.isFramed ? "turn two" : "turn wide", &html)
    }
  }

  private func turns(
    _ previous: Neighbour?, _ next: Neighbour?, _ classes: String, _ html: inout HTMLWriter
  ) {
    html.element("span", ["class": classes]) { html in
      if let previous { turn(previous, "prev", words.previous, isBack: true, &html) }
      html.text(" ")
      if let next { turn(next, "next", words.next, isBack: false, &html) }
    }
  }

  private func turn(
    _ neighbour: Neighbour, _ relation: String, _ word: String, isBack: Bool,
    _ html: inout HTMLWriter
  ) {
    let arrow = isBack != turnsLeft ? "←" : "→"
    html.element(
      "a", ["href": neighbour.file, "rel": relation, "title": neighbour.title, "dir": "ltr"]
    ) { html in
      if arrow == "←" { html.text("← ") }
      html.element("span", text: word)
      if arrow == "→" { html.text(" →") }
    }
  }
}
