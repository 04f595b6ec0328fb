import ArchiverCore

/// Which feeds of a catalog are followed.
struct FeedSelection: Sendable {
  private let only: [String]
  private let skipped: [String]

  init(_ configuration: BookCatalogConfiguration) {
    only = (configuration.feeds ?? []).map { $0.trimmed }.filter { !$0.isEmpty }
    skipped = (configuration.skipFeeds ?? []).map { $0.trimmed }.filter { !$0.isEmpty }
  }

  /// Whether every feed is followed, so that books that are not listed are removed.
  var isWhole: Bool { only.isEmpty && skipped.isEmpty }

  var isLimited: Bool { !only.isEmpty }

  /// Returns the selected feeds that are given as URLs.
  func addresses(_ base: WebURL) -> [WebURL] {
    only.filter { $0.contains("/") }.compactMap { base.resolving($0) }
  }

  /// Whether a feed is selected by title or URL.
  func names(_ link: CatalogLink) -> Bool { FeedSelection.matches(link, only) }

  /// Returns the selected titles that none of these links has.
  func unnamed(by links: [CatalogLink]) -> [String] {
    only.filter { title in
      !title.contains("/") && !links.contains { FeedSelection.matches($0, [title]) }
    }
  }

  func skips(_ link: CatalogLink) -> Bool { FeedSelection.matches(link, skipped) }

  private static func matches(_ link: CatalogLink, _ wanted: [String]) -> Bool {
    let title = (link.title ?? "").lowercased()
    return wanted.contains { value in
      title == value.lowercased() || link.address == value
        || (value.hasPrefix("/") && WebURL(link.address)?.path == value)
    }
  }
}
