package import ArchiverCore

/// What a sanitiser permits beyond the fixed allow-list, and its limits.
package struct SanitizerOptions: Sendable {
  /// Permitted class names; all others are dropped. `embed`, `hl`, `hl-…` and `hl-note`, which the
  /// sanitiser itself writes, are always kept where it writes them.
  package var allowedClasses: Set<String>
  /// Whether all headings of a page with an `h1` are moved down one level.
  package var demotesHeadings: Bool
  package var limits: SanitizerLimits
  /// How the source marks highlights, if not by `mark` elements with `data-hl`.
  package var highlightElement: HighlightElement?

  package init(
    allowedClasses: Set<String> = [], demotesHeadings: Bool = true,
    limits: SanitizerLimits = SanitizerLimits(), highlightElement: HighlightElement? = nil
  ) {
    self.highlightElement = highlightElement
    self.allowedClasses = allowedClasses
    self.demotesHeadings = demotesHeadings
    self.limits = limits
  }
}
