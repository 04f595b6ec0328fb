import ArchiverCore
import Synchronization

/// The books on pages that were asked again in this run, so that a page of many books whose files are gone is
/// requested once.
final class ListedPages: Sendable {
  private static let most = 200

  private let identities = Mutex<[String: Set<String>]>([:])

  /// Whether a page that was asked again lists a book.
  func lists(_ identity: String, on page: WebURL) -> Bool {
    identities.withLock { $0[page.absoluteString]?.contains(identity) ?? false }
  }

  /// Keeps the identities of a page's books.
  func keep(_ books: Set<String>, of page: WebURL) {
    identities.withLock { known in
      if known.count >= ListedPages.most { known = [:] }
      known[page.absoluteString] = books
    }
  }
}
