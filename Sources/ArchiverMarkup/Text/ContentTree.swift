/// A node of sanitised HTML, for conversion to another notation.
package enum ContentNode: Sendable {
  case element(ContentElement)
  /// Text with resolved references and unchanged white space.
  case text(String)
}

/// An element of sanitised HTML.
package struct ContentElement: Sendable {
  /// Lower-case.
  package let name: String
  /// Names are lower-case and unique.
  package let attributes: [(name: String, value: String)]
  package internal(set) var children: [ContentNode]

  package init(
    name: String, attributes: [(name: String, value: String)], children: [ContentNode] = []
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
  }

  /// Returns the value of an attribute; `nil` if it is absent.
  package subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The values in the `class` attribute.
  package var classes: [Substring] { self["class"]?.split(separator: " ") ?? [] }

  /// The child elements, in order.
  package var elements: [ContentElement] {
    children.compactMap { node in
      guard case .element(let element) = node else { return nil }
      return element
    }
  }

  /// The text content, unchanged.
  package var text: String {
    var result = ""
    for child in children {
      switch child {
      case .text(let text): result += text
      case .element(let element): result += element.text
      }
    }
    return result
  }

  /// Calls `body` with each descendant element, in document order.
  package func forEachInside(_ body: (ContentElement) -> Void) {
    for element in elements {
      body(element)
      element.forEachInside(body)
    }
  }
}

/// Parses sanitised HTML into a tree.
package enum ContentTree {
  /// The maximum depth; deeper elements become siblings at that depth. The sanitiser writes no
  /// deeper ones, and traversals recurse once per level.
  package static let deepest = 256

  /// Returns an element without a name that contains a fragment. Throws the parser's errors.
  package static func parse(
    _ html: [UInt8], limits: SanitizerLimits = .widest
  ) throws(MarkupError) -> ContentElement {
    let input = try InputPreparation.prepare(html, limits: limits)
    let builder = ContentTreeBuilder()
    try HTMLParser.parse(input, in: .init(name: "body"), into: builder)
    var root = builder.root
    while root.children.count == 1, case .element(let only) = root.children[0], only.name.isEmpty {
      root = only
    }
    return root
  }
}

/// Builds the tree from the parser's events.
private final class ContentTreeBuilder: HTMLEventHandler {
  private var open = [ContentElement(name: "", attributes: [])]
  /// The number of open elements beyond the maximum depth.
  private var beside = 0

  var root: ContentElement { open[0] }

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) {
    // The parser puts a fragment into an `html` element.
    let element = ContentElement(
      name: name == "html" || name == "body" ? "" : name, attributes: attributes.items)
    if open.count > ContentTree.deepest {
      beside += 1
      open[open.count - 1].children.append(.element(element))
    } else {
      open.append(element)
    }
  }

  func end(_ name: String) {
    if beside > 0 {
      beside -= 1
    } else if open.count > 1 {
      let element = open.removeLast()
      open[open.count - 1].children.append(.element(element))
    }
  }

  func text(_ text: UnsafeBufferPointer<UInt8>) {
    let words = String(decoding: text, as: UTF8.self)
    if case .text(let last) = open[open.count - 1].children.last {
      open[open.count - 1].children[open[open.count - 1].children.count - 1] = .text(last + words)
    } else {
      open[open.count - 1].children.append(.text(words))
    }
  }
}
