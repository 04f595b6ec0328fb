/// The elements by which a source marks highlights in its HTML.
///
/// A source without any uses `<mark data-hl="ID" class="hl-COLOUR">` around each piece of a highlight.
public struct HighlightElement: Sendable, Hashable {
  /// The name of the element, in lower case.
  public let name: String
  /// The attribute of each piece that holds the highlight's id. An element without it, and without
  /// `id`, is a highlight of which nothing else is known.
  public let key: String
  /// The beginning of the attribute `id` of a highlight's first piece, before the highlight's id.
  public let idPrefix: String
  /// The attribute of each piece that holds the colour.
  public let color: String
  /// The attribute of an empty element after a highlight; its `title` is the highlight's note.
  public let note: String

  public init(name: String, key: String, idPrefix: String, color: String, note: String) {
    self.name = name
    self.key = key
    self.idPrefix = idPrefix
    self.color = color
    self.note = note
  }
}
