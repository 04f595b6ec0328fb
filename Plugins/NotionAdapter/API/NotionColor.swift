/// A colour of text or of its background.
package enum NotionColor: String, Sendable, Hashable, CaseIterable {
  case standard = "default"
  case gray, brown, orange, yellow, green, blue, purple, pink, red
  case standardBackground = "default_background"
  case grayBackground = "gray_background"
  case brownBackground = "brown_background"
  case orangeBackground = "orange_background"
  case yellowBackground = "yellow_background"
  case greenBackground = "green_background"
  case blueBackground = "blue_background"
  case purpleBackground = "purple_background"
  case pinkBackground = "pink_background"
  case redBackground = "red_background"

  /// Parses Notion's name; an unknown one is the default colour.
  init(_ word: String?) {
    self = word.flatMap(NotionColor.init(rawValue:)) ?? .standard
  }

  /// The class for the colour; `nil` for the defaults.
  package var className: String? {
    switch self {
    case .standard, .standardBackground: nil
    default:
      rawValue.hasSuffix("_background") ? "n-bg-\(rawValue.dropLast(11))" : "n-c-\(rawValue)"
    }
  }

  /// The class of a label in this colour, which always has a background.
  var tagClass: String {
    let name = rawValue.hasSuffix("_background") ? String(rawValue.dropLast(11)) : rawValue
    return "n-bg-\(name == "default" ? "gray" : name)"
  }

  /// The class of a bar in this colour.
  var barClass: String { tagClass.replacing("n-bg-", with: "n-c-") }
}
