import ArchiverCore
import ArchiverMarkup

// Form fields, as their words: pages have no forms.
extension ChapterWriter {
  /// What an empty text field, as of an exercise, is on a printed page.
  private static let blank = "____"

  mutating func writeField(_ element: XMLElement, _ name: String) {
    guard name != "input" else { return writeInput(element) }
    if let label = element.attribute("label"), name == "optgroup" || element.words.isEmpty {
      html.text(ChapterWriter.visible(label) + " ")
    }
    let isEmpty = name == "textarea" && element.words.isEmpty
    if isEmpty {
      html.text(ChapterWriter.visible(element.attribute("placeholder") ?? ChapterWriter.blank))
    }
    writeContents(of: element)
    html.text(" ")
  }

  private mutating func writeInput(_ element: XMLElement) {
    let isChosen = element.attribute("checked") != nil
    let value = ChapterWriter.visible(element.attribute("value") ?? "")
    switch element.attribute("type")?.lowercased() ?? "text" {
    case "hidden", "password": return
    case "image": return writeImage(element)
    case "checkbox": html.text(isChosen ? "\u{2611} " : "\u{2610} ")
    case "radio": html.text(isChosen ? "\u{25C9} " : "\u{25CB} ")
    case "submit", "reset", "button", "file", "range", "color": html.text(value)
    default:
      let hint = ChapterWriter.visible(element.attribute("placeholder") ?? "")
      html.text(value.isEmpty ? hint.isEmpty ? ChapterWriter.blank : hint : value)
    }
  }
}
