/// Tags as words, inside elements whose content HTML reads as text and libxml2 as markup.
///
/// The spelling is ours, the meaning the author's: a tutorial that shows tags still shows them.
enum LiteralMarkup {
  private static let void: Set<String> = [
    "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "isindex",
    "link", "meta", "param", "source", "track", "wbr",
  ]

  static func startTag(_ name: String, _ attributes: HTMLAttributes) -> String {
    var tag = "<" + name
    for (name, value) in attributes.items {
      tag += value.isEmpty ? " \(name)" : " \(name)=\"\(value)\""
    }
    return tag + ">"
  }

  /// Returns nothing for an element that has no end tag.
  static func endTag(_ name: String) -> String {
    void.contains(name) ? "" : "</\(name)>"
  }
}
