/// The properties of an open element that searches examine, in two bytes.
struct HTMLOpenKind {
  private var bits: UInt16

  private static let html: UInt16 = 0x100
  private static let special: UInt16 = 0x200
  private static let scopeMarker: UInt16 = 0x400

  init(_ node: HTMLNode) {
    bits = UInt16(node.tag.rawValue)
    let isMarker: Bool
    let isSpecial: Bool
    switch node.namespace {
    case .html:
      bits |= Self.html
      isMarker = node.tag.isScopeMarker
      isSpecial = node.tag.isSpecial
    case .svg:
      isMarker = node.tag == .foreignobject || node.tag == .desc || node.tag == .title
      isSpecial = isMarker
    case .mathML:
      switch node.tag {
      case .mi, .mo, .mn, .ms, .mtext, .annotationXML: isMarker = true
      default: isMarker = false
      }
      isSpecial = isMarker
    }
    if isMarker { bits |= Self.scopeMarker }
    if isSpecial { bits |= Self.special }
  }

  var isHTML: Bool { bits & Self.html != 0 }
  var isSpecial: Bool { bits & Self.special != 0 }
  var isScopeMarker: Bool { bits & Self.scopeMarker != 0 }
  var tag: HTMLTag { HTMLTag(name: Int32(bits & 0xFF)) }

  /// Whether it is an HTML element with this tag.
  func isHTML(_ tag: HTMLTag) -> Bool {
    bits & (Self.html | 0xFF) == Self.html | UInt16(tag.rawValue)
  }
}
