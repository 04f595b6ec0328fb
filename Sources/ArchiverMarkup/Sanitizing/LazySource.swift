import ArchiverCore

/// The address of an image in an attribute that no script known here reads.
///
/// Some sixty names are in use and new ones come; where the image itself is a placeholder, any attribute
/// whose value can only be the address of an image is better.
enum LazySource {
  private static let others: Set<String> = [
    "src", "srcset", "alt", "title", "class", "id", "style", "sizes", "usemap", "name", "width",
    "height", "loading", "decoding", "onload", "onerror", "href",
  ]
  private static let endings = [
    ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg", ".bmp", ".jpe", ".jfif",
  ]

  /// Returns the value of the first such attribute, and whether it is a set (`srcset`).
  static func find(_ attributes: HTMLAttributes) -> (value: String, isSet: Bool)? {
    for item in attributes.items where !others.contains(item.name) && isAddress(item) {
      return (item.value, item.name.contains("set") || item.value.contains(", "))
    }
    return nil
  }

  private static func isAddress(_ item: (name: String, value: String)) -> Bool {
    let value = item.value.drop(while: \.isWhitespace)
    guard let first = value.split(whereSeparator: \.isWhitespace).first, first.utf8.count < 4_096
    else { return false }
    let path = first.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let isRooted =
      path.hasPrefix("https://") || path.hasPrefix("http://") || path.hasPrefix("//")
      || path.hasPrefix("/")
    if endings.contains(where: path.hasSuffix) { return isRooted || item.name.contains("src") }
    // Without an ending the name has to say it.
    return isRooted && item.name.hasPrefix("data-") && item.name.contains("src")
  }
}
