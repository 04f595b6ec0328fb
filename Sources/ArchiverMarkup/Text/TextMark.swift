/// What a page of a book tells about the text of an element, whose style is not at hand when the
/// text is read for search.
package enum TextMark: String, Sendable {
  /// On a line of its own, although its name is that of an inline element.
  case line
  /// Not part of the text: the number of a page of the printed book.
  case none

  package static let attribute = "data-text"
}
