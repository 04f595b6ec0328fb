import ArchiverCore
import ArchiverMarkup

/// What a package says about showing a page of fixed layout beside another one (EPUB 3.3 section
/// 8.2.2.3, `rendition:spread`, and 8.2.2.4, `page-spread-*`).
struct SpreadRules: Sendable, Hashable {
  /// The windows that show two pages together.
  enum Mode: Sendable, Hashable {
    case never
    /// Wide windows. With `auto`, a page that is wider than high is shown alone.
    case landscape, auto
    /// Windows of any shape that have room for two pages.
    case always
  }

  enum Side: Sendable, Hashable {
    case left, right, center
  }

  let mode: Mode
  /// `nil` if the package does not tell.
  let side: Side?

  /// Reads the properties of a spine entry; `book` is the mode of the whole book.
  init(_ properties: some Sequence<Substring>, book: Mode) {
    var mode = book
    var side: Side?
    for property in properties {
      switch property {
      case "page-spread-left", "rendition:page-spread-left": side = .left
      case "page-spread-right", "rendition:page-spread-right": side = .right
      case "page-spread-center", "rendition:page-spread-center": side = .center
      default:
        guard property.hasPrefix("rendition:spread-") else { continue }
        mode = SpreadRules.mode(property.dropFirst(17)) ?? mode
      }
    }
    self.mode = mode
    self.side = side
  }

  /// Returns the mode of a book from its metadata.
  static func mode(of metadata: XMLElement?) -> Mode {
    let meta = metadata?.descendants("meta").first {
      $0.attribute("property") == "rendition:spread"
    }
    return mode(Substring(meta?.words ?? "")) ?? .auto
  }

  private static func mode(_ value: Substring) -> Mode? {
    switch value {
    case "none": .never
    case "landscape": .landscape
    case "auto": .auto
    // `portrait` is deprecated and means `both`.
    case "both", "portrait": .always
    default: nil
    }
  }
}
