/// The content model of an element of the output.
enum BlockKind: Equatable {
  case root
  /// Contains blocks and inline content.
  case container
  case division
  case details
  case summary
  case paragraph
  case heading
  case preformatted
  case list
  case item
  case definitionList
  case term
  case definition
  case table
  case caption
  case columnGroup
  case rowGroup
  case row
  case cell

  /// Whether it contains inline content only; blocks inside lose their tags.
  var isFlat: Bool {
    switch self {
    case .heading, .preformatted, .caption, .term: true
    default: false
    }
  }

  /// The element that is required between this one and content, if any.
  var impliedChild: (name: String, kind: BlockKind)? {
    switch self {
    case .list: ("li", .item)
    case .definitionList: ("dd", .definition)
    case .table: ("tbody", .rowGroup)
    case .rowGroup: ("tr", .row)
    case .row: ("td", .cell)
    default: nil
    }
  }

  /// Whether it is removed if it has no content.
  var vanishesWhenEmpty: Bool {
    switch self {
    case .root, .item, .term, .definition, .cell, .row: false
    default: true
    }
  }
}

/// An element of the output that has not been closed.
struct OpenBlock {
  var serial: Int
  var name: String
  var kind: BlockKind
  var attributes: ElementAttributes
  /// False for a paragraph that has no content yet or was interrupted by a block.
  var isWritten = false
  /// Whether its start tag has ever been written.
  var wasWritten = false
  var isImplied = false
  /// Whether it follows text in the same line.
  var followsText = false
  var start = 0
  var contentStart = 0
  var textStart = 0
}

/// An inline element in effect, whether or not it is open at this point of the output.
struct ActiveInline {
  var serial: Int
  var name: String
  var attributes: ElementAttributes
  var wasWritten = false
  /// Whether it has an id only, so that it is not reopened.
  var isForAnchorOnly = false
  /// Whether it counts as open here without having been written.
  var isSilent = false
}

/// Attributes ready to be written. The id is separate because it is written once only.
struct ElementAttributes {
  var id: String?
  /// Each as ` name="value"`, escaped.
  var bytes: [UInt8] = []
  /// The `white-space` of the element, which is not written.
  var whiteSpace: WhiteSpace?

  var isEmpty: Bool { id == nil && bytes.isEmpty }

  mutating func set(_ name: String, _ value: String) {
    bytes.appendAttribute(name, value)
  }
}
