import ArchiverCore

/// The address of an image in an attribute that no script known here reads.
///
/// Some sixty names are in use and new ones come; where the image itself is a placeholder, any attribute
/// whose value can only be the address of an image is better.
enum LazySource {
  private static let others: Set<String> = [
    "src", "srcset", "alt", "title", "class", "id", "style", "sizes", "usemap", "name", "width",
    "height", "loading", "decoding", "onload", "onerror", "href", "longdesc", "aria-label",
  ]
  private static let endings = [
    ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg", ".bmp", ".jpe", ".jfif", ".heic",
    ".jxl", ".tif", ".tiff",
  ]
  /// Names that say that the value is an address although it does not end like one.
  private static let words = [
    "src", "lazy", "img", "image", "original", "url", "photo", "pic", "full", "large", "hires",
    "hi-res",
    "background", "bg", "media",
  ]

  /// Returns the value of the first such attribute, and whether it is a set (`srcset`).
  ///
  /// A value in JSON or CSS (`url(…)`) gives the first address in it.
  static func find(_ attributes: HTMLAttributes) -> (value: String, isSet: Bool)? {
    for item in attributes.items where !others.contains(item.name) {
      if isAddress(item.value, of: item.name) {
        return (item.value, item.name.contains("set") || item.value.contains(", "))
      }
      if let found = quoted(item.value), isAddress(found, of: item.name) { return (found, false) }
    }
    return nil
  }

  private static func isAddress(_ value: String, of name: String) -> Bool {
    guard let first = value.split(whereSeparator: \.isWhitespace).first, first.utf8.count < 4_096,
      !first.hasPrefix("{"), !first.hasPrefix("["), !first.hasPrefix("url(")
    else { return false }
    let path = first.prefix { $0 != "?" && $0 != "#" }.lowercased()
      .trimmingSuffix { $0 == "," }
    let isRooted = ["https://", "http://", "//", "/"].contains(where: path.hasPrefix)
    if endings.contains(where: path.hasSuffix) {
      return isRooted || path.contains("/") || name.contains("src")
    }
    // Without an ending the name has to say it.
    return isRooted && path.utf8.count > 1 && name.hasPrefix("data-")
      && words.contains(where: name.contains)
  }

  private static let inside = Pattern(
    #"(?:url\(\s*["']?|["'\[])((?:https?:)?\\?/[^"'\s()<>,]{3,}|[^"'\s()<>,:]+\.(?:jpe?g|png|gif|webp|avif|svg))"#
  )

  /// Returns the first address in brackets or quotation marks; `nil` when there is none.
  private static func quoted(_ value: String) -> String? {
    guard value.utf8.count < 65_536, value.contains(where: { "[{(".contains($0) }) else {
      return nil
    }
    var value = value
    return value.withUTF8 { bytes in
      var found: String?
      inside.matches(in: bytes) { match in
        guard found == nil, let range = match[1] else { return }
        found = String(decoding: bytes[range], as: UTF8.self).replacing("\\/", with: "/")
      }
      return found
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isCut: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isCut(last) { text = text.dropLast() }
    return String(text)
  }
}
