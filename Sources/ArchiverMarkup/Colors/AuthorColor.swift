/// One of the few theme colours to which an author's colours are mapped.
///
/// The theme colours are readable in light and dark mode. That some words or cells differ from the
/// others is kept; the exact shade is not.
enum AuthorColor: String {
  case red, yellow, green, blue

  /// The minimum difference of the strongest and the weakest of red, green and blue, of 255. Pale
  /// backgrounds are meant as colours; nearly grey text is meant as black.
  enum Use: Int {
    case background = 24
    case text = 80
  }

  /// Parses a colour of CSS (Color Module Level 4: names, hexadecimal, `rgb()`, `hsl()`). Returns
  /// `nil` if it is invalid, a grey, or nearly transparent.
  init?(_ text: String, for use: Use) {
    let text = text.lowercased()
    if let named = AuthorColor.names[text] {
      self = named
    } else if text.hasPrefix("hsl") {
      guard let color = AuthorColor.fromHue(text, use) else { return nil }
      self = color
    } else {
      guard let (red, green, blue) = AuthorColor.components(text),
        let color = AuthorColor.nearest(red, green, blue, use)
      else { return nil }
      self = color
    }
  }

  private static func nearest(_ red: Int, _ green: Int, _ blue: Int, _ use: Use) -> AuthorColor? {
    let most = max(red, green, blue)
    let spread = most - min(red, green, blue)
    guard spread >= use.rawValue else { return nil }
    let hue: Int
    if most == red {
      hue = (60 * (green - blue) / spread + 360) % 360
    } else if most == green {
      hue = 60 * (blue - red) / spread + 120
    } else {
      hue = 60 * (red - green) / spread + 240
    }
    return named(hue)
  }

  private static func named(_ hue: Int) -> AuthorColor {
    switch hue {
    case 20..<70: .yellow
    case 70..<165: .green
    case 165..<300: .blue
    default: .red
    }
  }

  private static func fromHue(_ text: String, _ use: Use) -> AuthorColor? {
    let values = arguments(text)
    guard values.count >= 3, values.count < 4 || values[3] > 0.1, abs(values[0]) < 100_000 else {
      return nil
    }
    let lightness = min(max(values[2], 0), 100) / 100
    let spread = (1 - abs(2 * lightness - 1)) * min(max(values[1], 0), 100) / 100 * 255
    guard spread >= Double(use.rawValue) else { return nil }
    return named((Int(values[0]) % 360 + 360) % 360)
  }

  private static func components(_ text: String) -> (Int, Int, Int)? {
    if text.hasPrefix("rgb") {
      let values = arguments(text)
      guard values.count >= 3, values.count < 4 || values[3] > 0.1 else { return nil }
      let bytes = values.prefix(3).map { Int(min(max($0, 0), 255)) }
      return (bytes[0], bytes[1], bytes[2])
    }
    let digits = (text.hasPrefix("#") ? text.dropFirst() : text[...]).utf8.map { byte -> Int? in
      switch byte {
      case 0x30...0x39: Int(byte) - 0x30
      case 0x61...0x66: Int(byte) - 0x57
      default: nil
      }
    }
    let values = digits.compactMap(\.self)
    guard values.count == digits.count else { return nil }
    switch values.count {
    case 3: return (values[0] * 17, values[1] * 17, values[2] * 17)
    case 4 where values[3] > 1: return (values[0] * 17, values[1] * 17, values[2] * 17)
    case 6: break
    case 8 where values[6] > 1: break
    default: return nil
    }
    return (
      values[0] * 16 + values[1], values[2] * 16 + values[3], values[4] * 16 + values[5]
    )
  }

  /// Returns the numbers between the parentheses; a percentage for the opacity becomes a fraction.
  private static func arguments(_ text: String) -> [Double] {
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close
    else { return [] }
    let words = text[text.index(after: open)..<close]
      .split { $0 == "," || $0 == "/" || $0.isWhitespace }
    let isRed = text.hasPrefix("rgb")
    return words.prefix(4).enumerated().compactMap { index, word in
      let number = word.prefix { "0123456789.+-".contains($0) }
      guard let value = Double(number) else { return word == "none" ? 0 : nil }
      guard word.hasSuffix("%") else { return value }
      return index == 3 ? value / 100 : isRed ? value * 2.55 : value
    }
  }

  private static let names: [String: AuthorColor] = {
    let lists: [(AuthorColor, String)] = [
      (
        .red,
        "red darkred firebrick crimson maroon indianred lightcoral salmon darksalmon lightsalmon "
          + "tomato orangered pink lightpink hotpink deeppink palevioletred mediumvioletred brown "
          + "magenta fuchsia mistyrose lavenderblush"
      ),
      (
        .yellow,
        "yellow gold orange darkorange khaki palegoldenrod lightyellow lemonchiffon goldenrod "
          + "lightgoldenrodyellow darkgoldenrod moccasin peachpuff coral chocolate"
      ),
      (
        .green,
        "green lime limegreen lightgreen palegreen darkgreen forestgreen seagreen mediumseagreen "
          + "springgreen mediumspringgreen olive olivedrab yellowgreen greenyellow chartreuse "
          + "lawngreen darkolivegreen darkseagreen aquamarine mediumaquamarine honeydew"
      ),
      (
        .blue,
        "blue navy mediumblue darkblue royalblue cornflowerblue dodgerblue deepskyblue skyblue "
          + "lightskyblue lightblue powderblue steelblue lightsteelblue midnightblue slateblue "
          + "darkslateblue mediumslateblue aqua cyan lightcyan darkcyan teal turquoise "
          + "mediumturquoise darkturquoise paleturquoise cadetblue lightseagreen purple indigo "
          + "violet plum orchid thistle lavender blueviolet darkviolet darkorchid mediumorchid "
          + "mediumpurple darkmagenta rebeccapurple aliceblue"
      ),
    ]
    var names: [String: AuthorColor] = [:]
    for (color, list) in lists {
      for name in list.split(separator: " ") { names[String(name)] = color }
    }
    return names
  }()
}
