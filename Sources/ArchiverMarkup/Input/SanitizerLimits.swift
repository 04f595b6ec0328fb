package import ArchiverCore

/// The limits of a sanitiser; exceeding one throws an error that names it.
package struct SanitizerLimits: Sendable, Hashable {
  /// The size of the input in bytes.
  package var inputBytes: Int
  /// The number of elements in the input.
  package var nodes: Int
  /// The number of images in the output.
  package var images: Int

  /// The configured limits, or the defaults.
  package init(_ limits: Limits = Limits()) {
    inputBytes = limits[.htmlSize]
    nodes = limits[.htmlElements]
    images = limits[.images]
  }

  /// For HTML that was accepted before.
  package static let widest = SanitizerLimits(.widest)
}
