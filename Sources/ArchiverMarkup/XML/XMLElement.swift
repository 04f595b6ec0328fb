import CXML2

/// An element of a parsed document; it keeps the document alive.
package struct XMLElement: Hashable {
  let node: xmlNodePtr
  let document: XMLDocument

  /// Whether two are the same node of a document.
  package static func == (one: XMLElement, other: XMLElement) -> Bool { one.node == other.node }

  package func hash(into hasher: inout Hasher) { hasher.combine(node) }

  /// The name without its prefix; lower-case in HTML.
  package var name: String { String(cString: node.pointee.name) }

  /// The namespace URL; `nil` without one and in HTML.
  package var namespace: String? {
    node.pointee.ns?.pointee.href.map { String(cString: $0) }
  }

  /// The element around this one; `nil` for the root.
  package var parent: XMLElement? {
    guard let parent = node.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE else {
      return nil
    }
    return XMLElement(node: parent, document: document)
  }

  /// The child elements in document order.
  package var children: [XMLElement] {
    var found = [XMLElement]()
    var next = node.pointee.children
    while let child = next {
      if child.pointee.type == XML_ELEMENT_NODE {
        found.append(XMLElement(node: child, document: document))
      }
      next = child.pointee.next
    }
    return found
  }

  /// The child elements with this name, of any namespace by default.
  package func children(_ name: String, namespace: String? = nil) -> [XMLElement] {
    children.filter { $0.matches(name, namespace) }
  }

  /// The first child element with this name.
  package func child(_ name: String, namespace: String? = nil) -> XMLElement? {
    children.first { $0.matches(name, namespace) }
  }

  /// All descendant elements in document order.
  package var descendants: [XMLElement] {
    var found = [XMLElement]()
    visit { found.append($0) }
    return found
  }

  /// All descendant elements with this name, in document order.
  package func descendants(_ name: String, namespace: String? = nil) -> [XMLElement] {
    var found = [XMLElement]()
    visit { element in
      if element.matches(name, namespace) { found.append(element) }
    }
    return found
  }

  /// The text content, including that of descendants, unchanged.
  package var text: String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { cxml2_free(content) }
    return String(cString: content)
  }

  /// The text content with collapsed white space.
  package var words: String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns an attribute's value; without a namespace, that of the attribute without one.
  package func attribute(_ name: String, namespace: String? = nil) -> String? {
    var next = node.pointee.properties
    while let attribute = next {
      let space = attribute.pointee.ns?.pointee.href.map { String(cString: $0) }
      if String(cString: attribute.pointee.name) == name, space == namespace {
        return attribute.pointee.children.map { value in
          guard let content = xmlNodeGetContent(value) else { return "" }
          defer { cxml2_free(content) }
          return String(cString: content)
        } ?? ""
      }
      next = attribute.pointee.next
    }
    return nil
  }

  /// Returns the value of the first attribute with this name in any namespace.
  package func attribute(inAnyNamespace name: String) -> String? {
    var next = node.pointee.properties
    while let attribute = next {
      if String(cString: attribute.pointee.name) == name {
        let space = attribute.pointee.ns?.pointee.href.map { String(cString: $0) }
        return self.attribute(name, namespace: space)
      }
      next = attribute.pointee.next
    }
    return nil
  }

  private func matches(_ name: String, _ namespace: String?) -> Bool {
    self.name == name && (namespace == nil || self.namespace == namespace)
  }

  /// Visits descendants without recursion, because documents may be deep.
  private func visit(_ body: (XMLElement) -> Void) {
    var next = node.pointee.children
    while let current = next {
      if current.pointee.type == XML_ELEMENT_NODE {
        body(XMLElement(node: current, document: document))
        if let child = current.pointee.children {
          next = child
          continue
        }
      }
      var last = current
      while last.pointee.next == nil, let parent = last.pointee.parent, parent != node {
        last = parent
      }
      next = last.pointee.next
    }
  }
}
