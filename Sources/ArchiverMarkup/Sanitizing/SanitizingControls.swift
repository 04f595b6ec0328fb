// Form controls, which have no function in an archived page: their text is kept.
extension SanitizingSession {
  func beginControl(_ attributes: HTMLAttributes) throws(MarkupError) {
    noteAnchor(attributes)
    switch attributes["type"]?.lowercased() {
    case "checkbox": writer.write(attributes["checked"] == nil ? "☐ " : "☑ ")
    case "radio": writer.write(attributes["checked"] == nil ? "○ " : "◉ ")
    case "button", "submit", "reset":
      writer.separate()
      writer.write(attributes["value"] ?? "")
      writer.separate()
    case "image":
      var markup = ImageMarkup()
      markup.source = attributes["src"].flatMap { resolver.image($0) }
      markup.alt = attributes["alt"]
      try show(markup)
    case "hidden": dropped.elements += 1
    default:
      dropped.elements += 1
      countLoss(.formControl)
    }
  }

  func beginApart(_ attributes: HTMLAttributes) -> Ending {
    noteAnchor(attributes)
    writer.separate()
    optionsStart = writer.text.count
    return .apart
  }

  /// Options are written in one line, after the name of their group.
  func beginOption(_ attributes: HTMLAttributes) -> Ending {
    noteAnchor(attributes)
    separateOption()
    return .option(writer.text.count, attributes["label"])
  }

  func beginOptionGroup(_ attributes: HTMLAttributes) {
    guard let label = attributes["label"], !label.isEmpty else { return }
    separateOption()
    writer.write(label + ": ")
    optionsStart = writer.text.count
  }

  private func separateOption() {
    if let start = optionsStart, writer.text.count > start { writer.write(" · ") }
  }

  func finishOption(_ start: Int, _ label: String?) {
    if let label, writer.text.count == start { writer.write(label) }
  }
}
