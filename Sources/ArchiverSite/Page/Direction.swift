import ArchiverCore

extension ItemMetadata {
  /// The direction reported by the source; otherwise that of the language, or that of the title's first letter.
  var textDirection: TextDirection {
    if let direction { return direction }
    guard let language, !language.isEmpty else { return TextDirection(of: title) }
    return LanguageTag.isRightToLeft(language) ? .rightToLeft : .leftToRight
  }

  /// The title, or a replacement for a missing one.
  func displayTitle(_ words: Words) -> String {
    if title.contains(where: { !$0.isWhitespace }) { return title }
    return url ?? words.text("page.untitled")
  }

  /// The site's name for display.
  var displaySite: String? {
    if let siteName, !siteName.isEmpty { return siteName }
    if let site, !site.isEmpty { return site }
    return nil
  }
}

extension TextDirection {
  /// Determines the direction of the first letter of a text; left to right if there is none.
  init(of text: String) {
    let first = text.unicodeScalars.first { $0.properties.isAlphabetic }?.value ?? 0
    // The blocks of the scripts that are written from right to left.
    let rightToLeft: [ClosedRange<UInt32>] = [
      0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF,
    ]
    self = rightToLeft.contains { $0.contains(first) } ? .rightToLeft : .leftToRight
  }
}
