package import ArchiverCore

/// What a sanitiser lets through beyond the fixed allow-list, and how much it takes on.
package struct SanitizerOptions: Sendable {
  /// Class names that are kept; every other one is dropped. `embed`, `hl`, `hl-…` and `hl-note`,
  /// which the sanitiser writes itself, are always kept where it writes them.
  package var allowedClasses: Set<String>
  /// Whether a page that uses `h1` has all its headings moved down one level.
  package var demotesHeadings: Bool
  package var limits: SanitizerLimits

  package init(
    allowedClasses: Set<String> = [], demotesHeadings: Bool = true,
    limits: SanitizerLimits = SanitizerLimits()
  ) {
    self.allowedClasses = allowedClasses
    self.demotesHeadings = demotesHeadings
    self.limits = limits
  }
}

/// The most a sanitiser accepts; what passes one of these throws an error that names it.
package struct SanitizerLimits: Sendable, Hashable {
  /// Bytes of input.
  package var inputBytes: Int
  /// Elements in the input.
  package var nodes: Int
  /// Images in the output.
  package var images: Int

  /// What the user set, or the standard.
  package init(_ limits: Limits = Limits()) {
    inputBytes = limits[.htmlSize]
    nodes = limits[.htmlElements]
    images = limits[.images]
  }

  /// For HTML that was let through once.
  package static let widest = SanitizerLimits(.widest)
}
