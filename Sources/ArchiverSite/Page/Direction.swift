import ArchiverCore

extension ItemMetadata {
  /// The direction reported by the source, or else that of its language.
  var textDirection: TextDirection {
    if let direction { return direction }
    let subtags = (language ?? "").lowercased().split(separator: "-")
    if subtags.contains("latn") { return .leftToRight }
    let rightToLeft: Set<Substring> = [
      "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi",
    ]
    return subtags.first.map(rightToLeft.contains) == true ? .rightToLeft : .leftToRight
  }

  /// The title, or a replacement for a missing one.
  func displayTitle(_ words: Words) -> String {
    if title.contains(where: { !$0.isWhitespace }) { return title }
    return url ?? words.reading.untitled
  }

  /// The site's name for display.
  var displaySite: String? {
    if let siteName, !siteName.isEmpty { return siteName }
    if let site, !site.isEmpty { return site }
    return nil
  }
}
