package import ArchiverCore

/// A fragment that is safe inside the body of a page, and what was learnt while making it.
package struct SanitizedHTML: Sendable {
  /// A heading in document order.
  package struct Heading: Sendable, Hashable {
    /// 2 to 6, or 1 when headings are not moved down.
    package var level: Int
    /// The value of its `id`, unique in the fragment.
    package var id: String
    package var text: String
  }

  /// A passage the user marked, in order of first appearance.
  ///
  /// Its first piece has the id `hl-ID`; a note's sign links to `#note-ID`, which the page has to
  /// provide where it lists the annotations.
  package struct Highlight: Sendable, Hashable {
    /// The source's id with unsafe characters replaced.
    package var id: String
    /// `yellow`, `red`, `blue`, `green`, `none` or `other`.
    package var color: String
    package var note: String?
    /// The marked words, blocks separated by a space.
    package var text: String

    package init(id: String, color: String, note: String?, text: String) {
      self.id = id
      self.color = color
      self.note = note
      self.text = text
    }
  }

  /// What was left out, by kind.
  package struct Dropped: Sendable, Hashable {
    package var scripts = 0
    package var elements = 0
    package var links = 0
    package var embeds = 0
    package var trackingPixels = 0
  }

  /// A kind of content that the fragment does not have as the source had it.
  package enum Loss: String, Sendable {
    /// A script that is not a formula.
    case script
    /// A style sheet in the text.
    case style
    /// A field of a form or its suggestions; a hidden field shows nothing and does not count.
    case formControl
    /// An embedded document or plug-in, whatever replaces it.
    case embed
    /// An inline SVG image other than an icon, whatever text of it was kept.
    case drawing
    /// A formula that is shown by its source, or that was drawn and has neither MathML nor words.
    case formula
    /// A link whose address browsers do not follow from an archived page, or one inside a drawing. Its
    /// text is kept; a link that only runs a script does not count.
    case link
    /// An element whose content is there without it, because too many are within each other.
    case formatting
  }

  /// Canonical HTML: lower-case names, every attribute double-quoted, `&`, `"`, `<` and `>`
  /// escaped in values, no comments, no element left open, valid UTF-8.
  package var bytes: [UInt8]
  package var headings: [Heading]
  package var annotations: [Highlight]
  /// Words; a Chinese, Japanese or Korean character counts as one.
  package var wordCount: Int
  /// The words alone: blocks separated by a line feed, words by one space.
  package var plainText: String
  /// Whether `HTMLSanitizer.plainText(of:)` finds these very words in `bytes`; false where a style
  /// kept white space that separates words otherwise once it is written out.
  package var hasPlainTextOfBytes: Bool
  /// The first alternative text of an image that is not empty.
  package var firstImageAlt: String?
  /// Images, videos and sounds in `bytes`.
  package var mediaCount: Int
  package var dropped: Dropped
  /// How many of each kind lost their content or their look, by the raw value of `Loss`; a kind
  /// without a loss has no entry.
  package var losses: [String: Int]
  /// What references were resolved against: the `base` element if there was one.
  package var baseURL: WebURL?

  /// Whether there is neither text nor media.
  package var isEmpty: Bool { plainText.isEmpty && mediaCount == 0 }
}
