/// A piece of sanitised HTML, as a tree to write it in another notation.
package enum ContentNode: Sendable {
  case element(ContentElement)
  /// Text with references resolved, white space as it stands.
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

  /// Returns the value of an attribute; `nil` when it is absent.
  package subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The words of the `class` attribute.
  package var classes: [Substring] { self["class"]?.split(separator: " ") ?? [] }

  /// The child elements in their order.
  package var elements: [ContentElement] {
    children.compactMap { node in
      guard case .element(let element) = node else { return nil }
      return element
    }
  }

  /// All text inside, as it stands.
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

  /// Calls `body` with each element inside, in the order of the document.
  package func forEachInside(_ body: (ContentElement) -> Void) {
    for element in elements {
      body(element)
      element.forEachInside(body)
    }
  }
}

/// Reads sanitised HTML into a tree.
package enum ContentTree {
  /// The maximum depth; deeper elements become siblings at that depth. The sanitiser writes no
  /// more, and walking a tree recurses once per level.
  package static let deepest = 256

  /// Returns an element without a name that holds all of a fragment. Fails like the parser.
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

/// Makes the tree of what the parser finds.
private final class ContentTreeBuilder: HTMLEventHandler {
  private var open = [ContentElement(name: "", attributes: [])]
  /// Elements that are open and too deep to stand within the one above them.
  private var beside = 0

  var root: ContentElement { open[0] }

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) {
    // The standard puts what a fragment holds into an `html` of its own.
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
