import ArchiverCore
import ArchiverMarkup

/// FictionBook 2 files, which are XML. Book readers recognise them by their extension, so it is
/// kept if a browser that renders the file as a page would find nothing active in it.
enum FictionBook {
  static let mediaType = "application/fb2"
  /// The type of a zipped book; most are distributed so.
  static let zippedType = "application/fb2+zip"
  /// The type of a book compressed by gzip.
  static let compressedType = "application/fb2+gzip"
  private static let namespace = "http://www.gribuser.ru/xml/fictionbook/2.0"
  private static let largest = 32 << 20

  /// Whether a file starts like a FictionBook and cannot be taken for HTML.
  static func begins(_ prefix: some Collection<UInt8>) -> Bool {
    (prefix.starts(with: "<?xml".utf8) || prefix.starts(with: "<FictionBook".utf8))
      && prefix.firstRange(of: "<FictionBook".utf8) != nil
  }

  /// Returns the type to store such a file as: text if it contains elements of another vocabulary,
  /// a style sheet or entities, is not well-formed, or is too large to check.
  static func keptType(_ bytes: [UInt8]) -> String {
    isInert(bytes) ? mediaType : "text/plain"
  }

  private static func isInert(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= largest, bytes.firstIndex(of: "<?xml-stylesheet") == nil,
      // An unreadable file is not a book.
      let document = try? XMLDocument(bytes), !document.declaresEntities, let root = document.root,
      root.name == "FictionBook"
    else { return false }
    return ([root] + root.descendants).allSatisfy {
      $0.namespace == nil || $0.namespace == namespace
    }
  }
}
