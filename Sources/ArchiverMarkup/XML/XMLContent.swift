import CXML2

// Mixed content, for rewriting a document.
extension XMLElement {
  /// A child of an element: text or another element.
  package enum Content {
    case element(XMLElement)
    /// Text and CDATA sections; references to entities that are not predefined are left out.
    case text(String)
  }

  package struct Attribute {
    /// Without its prefix.
    package let name: String
    /// The namespace URL; `nil` without one and in HTML.
    package let namespace: String?
    package let value: String
  }

  /// The child elements and texts in document order, without comments and processing instructions.
  package var contents: [Content] {
    var found = [Content]()
    var next = node.pointee.children
    while let child = next {
      switch child.pointee.type {
      case XML_ELEMENT_NODE: found.append(.element(XMLElement(node: child, document: document)))
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
        if let text = child.pointee.content { found.append(.text(String(cString: text))) }
      default: break
      }
      next = child.pointee.next
    }
    return found
  }

  package var hasAttributes: Bool { node.pointee.properties != nil }

  /// The attributes in document order, without namespace declarations.
  package var attributes: [Attribute] {
    var found = [Attribute]()
    var next = node.pointee.properties
    while let attribute = next {
      next = attribute.pointee.next
      let space = attribute.pointee.ns?.pointee.href.map { String(cString: $0) }
      let value = xmlNodeListGetString(node.pointee.doc, attribute.pointee.children, 1)
      defer { if let value { cxml2_free(value) } }
      found.append(
        Attribute(
          name: String(cString: attribute.pointee.name), namespace: space,
          value: value.map { String(cString: $0) } ?? ""))
    }
    return found
  }
}
