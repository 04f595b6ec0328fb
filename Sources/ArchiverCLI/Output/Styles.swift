/// The style of a piece of text on a terminal.
enum Style: String, Sendable {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
}

/// The capabilities of a stream: colours, and characters beyond ASCII.
struct Styles: Sendable, Hashable {
  let hasColour: Bool
  let isUnicode: Bool

  static let plain = Styles(hasColour: false, isUnicode: true)

  func apply(_ style: Style, _ text: String) -> String {
    hasColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  var ellipsis: String { isUnicode ? "…" : "..." }
  var separator: String { isUnicode ? " · " : ", " }
  var arrow: String { isUnicode ? "→" : ">" }
  var dot: String { isUnicode ? "●" : "*" }
}

extension Styles {
  /// Determines the capabilities by the conventions of no-color.org and CLICOLOR, `TERM` and the locale's encoding.
  init(isTerminal: Bool, variables: [String: String]) {
    let isSet = { (name: String) in variables[name].map { !$0.isEmpty } ?? false }
    if isSet("NO_COLOR") || variables["TERM"] == "dumb" {
      hasColour = false
    } else if isSet("CLICOLOR_FORCE"), variables["CLICOLOR_FORCE"] != "0" {
      hasColour = true
    } else {
      hasColour = isTerminal && variables["CLICOLOR"] != "0"
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first {
      !$0.isEmpty
    }
    let encoding = (locale ?? "").lowercased()
    isUnicode = encoding.contains("utf-8") || encoding.contains("utf8")
  }
}
