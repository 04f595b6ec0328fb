import ArchiverCore

/// A piece of rich text: characters in one style, a mention or a formula.
struct RichText: Sendable {
  enum Content: Sendable {
    case text(String)
    case mention(JSONValue)
    case equation(String)
  }

  struct Style: OptionSet, Sendable {
    let rawValue: UInt8
    static let bold = Style(rawValue: 1)
    static let italic = Style(rawValue: 2)
    static let strikethrough = Style(rawValue: 4)
    static let underline = Style(rawValue: 8)
    static let code = Style(rawValue: 16)
  }

  let content: Content
  let plain: String
  /// The URL of the piece's link, as received.
  let link: String?
  let style: Style
  let color: NotionColor

  init(_ value: JSONValue) {
    let text = value["text"]?["content"]?.string ?? value["plain_text"]?.string ?? ""
    plain = value["plain_text"]?.string ?? text
    link = value["text"]?["link"]?["url"]?.string ?? value["href"]?.string
    color = NotionColor(value["annotations"]?["color"]?.string)
    style = RichText.style(value["annotations"])
    if let mention = value["mention"], mention.object != nil {
      content = .mention(mention)
    } else if let expression = value["equation"]?["expression"]?.string {
      content = .equation(expression)
    } else if let type = value["type"]?.string, type != "text", let payload = value[type] {
      content = .mention(["type": .string(type), type: payload])
    } else {
      content = .text(text)
    }
  }

  private static func style(_ annotations: JSONValue?) -> Style {
    guard let annotations else { return [] }
    var style: Style = []
    if annotations["bold"]?.bool == true { style.insert(.bold) }
    if annotations["italic"]?.bool == true { style.insert(.italic) }
    if annotations["strikethrough"]?.bool == true { style.insert(.strikethrough) }
    if annotations["underline"]?.bool == true { style.insert(.underline) }
    if annotations["code"]?.bool == true { style.insert(.code) }
    return style
  }

  static func list(_ value: JSONValue?) -> [RichText] {
    (value?.array ?? []).map { RichText($0) }
  }

  /// Returns the plain text.
  static func plain(_ pieces: [JSONValue]) -> String {
    pieces.map { $0["plain_text"]?.string ?? $0["text"]?["content"]?.string ?? "" }.joined()
  }
}

extension JSONValue {
  /// The value without nulls and default annotations, which take most of a page's memory.
  var slim: JSONValue {
    switch self {
    case .array(let elements):
      return .array(elements.map(\.slim))
    case .object(let members):
      var kept: [String: JSONValue] = [:]
      for (key, member) in members where !member.isNull {
        if key == "annotations", member.saysNothing { continue }
        kept[key] = member.slim
      }
      return .object(kept)
    default:
      return self
    }
  }

  private var saysNothing: Bool {
    guard let members = object else { return false }
    return members.allSatisfy { $0.value == false || $0.value == "default" }
  }
}
