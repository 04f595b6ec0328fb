/// Restricts the selectors of a book to the book's part of the page.
///
/// `html` becomes `.book`, `body` becomes `.sheet`, and any other selector matches inside `.sheet`
/// only, or these two elements themselves if it begins with a class, id or attribute that they may
/// have. Classes and ids get the prefixes of the pages.
enum SelectorScope {
  static let classPrefix = "b-"
  static let idPrefix = "c-"

  private static let deepest = 16

  /// Returns the supported selectors, joined; `nil` if all are unsupported.
  ///
  /// `parent` is the result for the enclosing rule of a nested one.
  static func scoped(_ prelude: [CSSToken], within parent: String? = nil) -> String? {
    let selectors = DeclarationFilter.split(prelude, at: 0x2C).compactMap { tokens in
      var reader = SelectorReader(tokens: tokens[...], parent: parent, depth: 0)
      return reader.read()
    }
    return selectors.isEmpty ? nil : selectors.joined(separator: ",")
  }

  /// Returns selectors inside `:is()` and similar pseudo-classes, without a scope; `nil` unless all
  /// are supported.
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
