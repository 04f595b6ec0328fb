import ArchiverMarkup

/// Books in FictionBook 2, which are XML. Their readers know them by their ending, so they keep it where a
/// browser that takes them for a page would find nothing in them that acts.
enum FictionBook {
  static let mediaType = "application/fb2"
  /// Of one in a ZIP archive, as most are passed on.
  static let zippedType = "application/fb2+zip"
  private static let namespace = "http://www.gribuser.ru/xml/fictionbook/2.0"
  private static let largest = 32 << 20

  /// Whether a file begins like such a book, and like nothing that is taken for HTML.
  static func begins(_ prefix: some Collection<UInt8>) -> Bool {
    (prefix.starts(with: "<?xml".utf8) || prefix.starts(with: "<FictionBook".utf8))
      && prefix.firstRange(of: "<FictionBook".utf8) != nil
  }

  /// Returns the type that a file is kept as which begins like such a book: text when it holds
  /// elements of another vocabulary, a style sheet or entities, is not well formed or too large to tell.
  static func keptType(_ bytes: [UInt8]) -> String {
    isInert(bytes) ? mediaType : "text/plain"
  }

  private static func isInert(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= largest, bytes.firstRange(of: "<?xml-stylesheet".utf8) == nil,
      // What cannot be read is no book.
      let document = try? XMLDocument(bytes), !document.declaresEntities, let root = document.root,
      root.name == "FictionBook"
    else { return false }
    return ([root] + root.descendants).allSatisfy {
      $0.namespace == nil || $0.namespace == namespace
    }
  }
}
