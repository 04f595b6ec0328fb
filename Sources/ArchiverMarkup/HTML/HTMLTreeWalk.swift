/// Sends the events of a tree to a handler. Elements beyond the maximum depth are left out, their
/// content is kept. Links and elements without text, such as images, are content.
struct HTMLTreeWalk {
  /// The maximum number of nested elements, including `html`.
  static let maximumDepth = 512
  /// The number of links and images that may be nested beyond the maximum depth.
  private static let contentDepth = 4

  private let tree: HTMLTree
  /// The number of elements left out.
  private(set) var lostElements = 0
  /// Names that were decoded, by number.
  private var strings: [String?]

  init(_ tree: HTMLTree) {
    self.tree = tree
    strings = Array(repeating: nil, count: tree.names.count)
  }

  private struct Level {
    var element: Int32
    /// The next child to visit.
    var child: Int32
    var isTold: Bool
  }

  mutating func run(into handler: some HTMLEventHandler) throws(MarkupError) {
    var levels = [
      Level(element: HTMLTree.document, child: firstChild(HTMLTree.document), isTold: false)
    ]
    var depth = 0
    while let level = levels.last {
      let node = level.child
      guard node != 0 else {
        levels.removeLast()
        if level.isTold {
          depth -= 1
          try handler.end(name(tree[level.element].name))
        }
        continue
      }
      levels[levels.count - 1].child = tree[node].next
      switch tree[node].kind {
      case .element:
        let isTold =
          depth < Self.maximumDepth
          || depth < Self.maximumDepth + Self.contentDepth && isContent(node)
        if isTold {
          depth += 1
          try handler.start(name(tree[node].name), attributes(of: node), depth: depth)
        }
        if !isTold { lostElements += 1 }
        levels.append(Level(element: node, child: firstChild(node), isTold: isTold))
      case .text: try tell(node, in: level.element, handler)
      case .comment, .doctype, .document: break
      }
    }
  }

  private func firstChild(_ node: Int32) -> Int32 {
    let content = tree[node].content
    return tree[content != 0 ? content : node].firstChild
  }

  private mutating func name(_ id: Int32) -> String {
    if let string = strings[Int(id)] { return string }
    let string = tree.names.string(id)
    strings[Int(id)] = string
    return string
  }

  private mutating func attributes(of node: Int32) -> HTMLAttributes {
    let found = tree.attributes(of: node)
    guard !found.isEmpty else { return HTMLAttributes() }
    var items: [(name: String, value: String)] = []
    items.reserveCapacity(found.count)
    for attribute in found {
      items.append(
        (name(attribute.name), String(decoding: tree.bytes(attribute.value), as: UTF8.self)))
    }
    return HTMLAttributes(items)
  }

  private func tell(
    _ node: Int32, in element: Int32, _ handler: some HTMLEventHandler
  ) throws(MarkupError) {
    let isRaw = isRaw(element)
    var next = tree[node].first
    while next >= 0 {
      let piece = tree.pieces[Int(next)]
      next = piece.next
      let failure = tree.bytes(piece.slice).withUnsafeBufferPointer { bytes -> MarkupError? in
        if isRaw {
          handler.rawText(bytes)
          return nil
        }
        do throws(MarkupError) {
          try handler.text(bytes)
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
    }
  }

  /// Whether an element is a link, or has nothing that could be kept without it.
  private func isContent(_ node: Int32) -> Bool {
    guard tree[node].namespace == .html else { return false }
    switch tree[node].tag {
    case .a, .br, .embed, .hr, .iframe, .image, .img, .input, .object: return true
    default: return false
    }
  }

  /// Whether an element's content is a script or a style sheet, in HTML or SVG.
  private func isRaw(_ element: Int32) -> Bool {
    let tag = tree[element].tag
    return tag == .script || tag == .style
  }
}
