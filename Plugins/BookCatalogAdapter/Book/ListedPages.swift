import ArchiverCore
import Synchronization

/// The books on pages that were asked again in this run, so that a page of many books whose files are gone is
/// requested once.
final class ListedPages: Sendable {
  private static let most = 200

  private let identities = Mutex<[String: Set<String>]>([:])
  /// The entries of the last page on which a shortened one was read again.
  private let last = Mutex<(page: String, entries: [CatalogEntry])?>(nil)

  /// Whether a page that was asked again lists a book.
  func lists(_ identity: String, on page: WebURL) -> Bool {
    identities.withLock { $0[page.absoluteString]?.contains(identity) ?? false }
  }

  /// Returns the entries of a page, if it is the last one kept.
  func entries(on page: WebURL) -> [CatalogEntry]? {
    last.withLock { $0?.page == page.absoluteString ? $0?.entries : nil }
  }

  /// Keeps the entries of a page, which may be many megabytes, instead of those of another one.
  func keep(_ entries: [CatalogEntry], of page: WebURL) {
    last.withLock { $0 = (page.absoluteString, entries) }
  }

  /// Keeps the identities of a page's books.
  func keep(_ books: Set<String>, of page: WebURL) {
    identities.withLock { known in
      if known.count >= ListedPages.most { known = [:] }
      known[page.absoluteString] = books
    }
  }
}
