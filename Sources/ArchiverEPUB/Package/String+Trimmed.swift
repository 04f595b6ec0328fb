import ArchiverMarkup

extension String {
  /// The text without leading and trailing white space.
  var trimmed: String {
    var slice = self[...]
    while slice.first?.isWhitespace == true { slice.removeFirst() }
    while slice.last?.isWhitespace == true { slice.removeLast() }
    return String(slice)
  }
}

extension XMLElement {
  /// Returns the words of the first child with a name; `nil` without any.
  func words(of name: String) -> String? {
    let words = child(name)?.words ?? ""
    return words.isEmpty ? nil : words
  }
}
