/// Binds the selectors of a book to the part of the page that is the book's.
///
/// `html` becomes `.book`, `body` becomes `.sheet`, any other selector matches inside `.sheet` only,
/// or these two themselves where it begins with a class, an id or an attribute that they may have; classes
/// and ids get the prefixes they have in the pages.
enum SelectorScope {
  static let classPrefix = "b-"
  static let idPrefix = "c-"

  private static let deepest = 16

  /// Returns the selectors that are understood, joined; `nil` when none is.
  ///
  /// `parent` is the result for the rule around a nested one.
  static func scoped(_ prelude: [CSSToken], within parent: String? = nil) -> String? {
    let selectors = DeclarationFilter.split(prelude, at: 0x2C).compactMap { tokens in
      var reader = SelectorReader(tokens: tokens[...], parent: parent, depth: 0)
      return reader.read()
    }
    return selectors.isEmpty ? nil : selectors.joined(separator: ",")
  }

  /// Returns the selectors inside `:is()` and its like, which need no place; `nil` unless all are understood.
  static func inner(_ tokens: ArraySlice<CSSToken>, parent: String?, depth: Int) -> String? {
    guard depth < deepest else { return nil }
    let parts = DeclarationFilter.split(Array(tokens), at: 0x2C)
    let selectors = parts.compactMap { tokens -> String? in
      var reader = SelectorReader(tokens: tokens[...], parent: parent, depth: depth)
      return reader.readInner()
    }
    return selectors.isEmpty || selectors.count != parts.count
      ? nil : selectors.joined(separator: ",")
  }
}
