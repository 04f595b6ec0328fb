/// The text of pages besides the book's own, in one language.
package struct BookWords: Sendable, Hashable {
  package var language = "en"
  package var contents = "Contents"
  package var previous = "Previous"
  package var next = "Next"
  package var backToBook = "About this book"
  package var skip = "Skip to the text"
  /// `{}` is the placeholder for the number.
  package var part = "Part {}"
  package var missing = "This part is missing from the book."
  package var unreadable = "This part could not be read: {}"
  package var page = "Page {}"
  /// `{}` is the placeholder for the image format.
  package var openPicture = "Open the image ({}) in another program"
  package var fitPage = "Whole page"
  package var fitWidth = "Full width"
  package var fitHeight = "Full height"
  package var fit = "Size of the pages"
  package var landmarks = "Parts of the book"
  package var ownContents = "The book's own table of contents"
  package var pageList = "Pages of the printed book"
  package var recording =
    "A recording of this page. A reading program highlights the words being read; this page does "
    + "not."
  package var openScan = "Open the image of this page"
  package var noWords = "The text of this page is unknown; it is an image."
  /// Names of the page types in `ComicInfo.xml`.
  package var comicPages = [
    "FrontCover": "Cover", "InnerCover": "Inner cover", "Roundup": "Roundup",
    "Advertisement": "Advertisement", "Editorial": "Editorial", "Letters": "Letters",
    "Preview": "Preview", "BackCover": "Back cover", "Other": "Other", "Deleted": "Deleted",
  ]

  package init() {}
}

extension String {
  /// The text with `{}` replaced.
  func filled(_ value: String) -> String {
    split(separator: "{}", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: value)
  }
}
