/// A piece of text: a range of the input or, from the input's size on, of the bytes produced while
/// parsing.
struct HTMLSlice {
  var start: Int
  var count: Int
  static let empty = HTMLSlice(start: 0, count: 0)
}

/// An attribute, with its name as a number of `HTMLNames`.
struct HTMLAttribute {
  var name: Int32
  var value: HTMLSlice
}

enum HTMLNamespace: UInt8 {
  case html, svg, mathML
}

/// A node; links are indexes of nodes, 0 for none.
struct HTMLNode {
  enum Kind: UInt8 {
    case document, doctype, comment, text, element
  }

  var kind: Kind
  var namespace = HTMLNamespace.html
  var tag = HTMLTag.other
  /// Whether it is among the open elements.
  var isOpen = false
  /// Whether this element of SVG or MathML may contain HTML.
  var isIntegrationPoint = false
  /// A hash that is equal for equal formatting elements.
  var fingerprint: UInt32 = 0
  var name: Int32 = 0
  var parent: Int32 = 0
  var firstChild: Int32 = 0
  var lastChild: Int32 = 0
  var previous: Int32 = 0
  var next: Int32 = 0
  /// The node with the content of a template.
  var content: Int32 = 0
  /// The first attribute of an element, the first piece of a text.
  var first: Int32 = -1
  /// The number of an element's attributes, the last piece of a text.
  var last: Int32 = 0
}

/// A document as a tree: nodes in one array, linked by indexes.
struct HTMLTree {
  struct Piece {
    var slice: HTMLSlice
    /// The next piece of the same text; -1 at its end.
    var next: Int32
  }

  static let document: Int32 = 1

  private(set) var nodes: [HTMLNode]
  private(set) var pieces: [Piece] = []
  var attributes: [HTMLAttribute] = []
  var names = HTMLNames.known
  /// The input with normalised line ends.
  let input: [UInt8]
  /// Bytes that differ from the input, such as resolved references.
  var side: [UInt8] = []
  /// The number of elements that are missing or moved because of a limit.
  var lostElements = 0
  /// The public identifier of the doctype, if there is one.
  var publicIdentifier: HTMLSlice?
  var systemIdentifier: HTMLSlice?

  init(input: [UInt8]) {
    self.input = input
    nodes = [HTMLNode(kind: .document), HTMLNode(kind: .document)]
    nodes.reserveCapacity(input.count / 24 + 16)
    pieces.reserveCapacity(input.count / 48 + 16)
  }

  subscript(node: Int32) -> HTMLNode {
    _read { yield nodes[Int(node)] }
    _modify { yield &nodes[Int(node)] }
  }

  mutating func add(_ node: HTMLNode) -> Int32 {
    nodes.append(node)
    return Int32(nodes.count - 1)
  }

  /// Makes an element with the same name and attributes.
  mutating func clone(_ node: Int32) -> Int32 {
    let old = self[node]
    return add(
      HTMLNode(
        kind: .element, namespace: old.namespace, tag: old.tag, fingerprint: old.fingerprint,
        name: old.name, first: old.first, last: old.last))
  }

  func attributes(of node: Int32) -> ArraySlice<HTMLAttribute> {
    let node = self[node]
    guard node.kind == .element, node.last > 0 else { return [] }
    return attributes[Int(node.first)..<Int(node.first + node.last)]
  }

  /// Inserts a node without a parent before a child, or at the end if that is 0.
  mutating func insert(_ node: Int32, into parent: Int32, before: Int32 = 0) {
    let previous = before == 0 ? self[parent].lastChild : self[before].previous
    self[node].parent = parent
    self[node].previous = previous
    self[node].next = before
    if previous == 0 { self[parent].firstChild = node } else { self[previous].next = node }
    if before == 0 { self[parent].lastChild = node } else { self[before].previous = node }
  }

  /// Removes a node with its descendants from its parent.
  mutating func detach(_ node: Int32) {
    let old = self[node]
    guard old.parent != 0 else { return }
    if old.previous == 0 {
      self[old.parent].firstChild = old.next
    } else {
      self[old.previous].next = old.next
    }
    if old.next == 0 {
      self[old.parent].lastChild = old.previous
    } else {
      self[old.next].previous = old.previous
    }
    self[node].parent = 0
    self[node].previous = 0
    self[node].next = 0
  }

  /// Moves all children of a node to the end of another.
  mutating func moveChildren(of node: Int32, to parent: Int32) {
    var child = self[node].firstChild
    while child != 0 {
      let next = self[child].next
      detach(child)
      insert(child, into: parent)
      child = next
    }
  }

  /// Inserts text, merged with adjacent text before it.
  mutating func insertText(_ slice: HTMLSlice, into parent: Int32, before: Int32 = 0) {
    let previous = before == 0 ? self[parent].lastChild : self[before].previous
    if previous != 0, self[previous].kind == .text {
      let last = Int(self[previous].last)
      let old = pieces[last].slice
      if old.start + old.count == slice.start, slice.start != input.count {
        pieces[last].slice.count += slice.count
        return
      }
      pieces.append(Piece(slice: slice, next: -1))
      pieces[last].next = Int32(pieces.count - 1)
      self[previous].last = Int32(pieces.count - 1)
      return
    }
    insert(addText(slice, kind: .text), into: parent, before: before)
  }

  /// Makes a text or a comment.
  mutating func addText(_ slice: HTMLSlice, kind: HTMLNode.Kind) -> Int32 {
    pieces.append(Piece(slice: slice, next: -1))
    let piece = Int32(pieces.count - 1)
    return add(HTMLNode(kind: kind, first: piece, last: piece))
  }

  /// The bytes of a slice.
  func bytes(_ slice: HTMLSlice) -> ArraySlice<UInt8> {
    slice.start >= input.count
      ? side[(slice.start - input.count)..<(slice.start - input.count + slice.count)]
      : input[slice.start..<(slice.start + slice.count)]
  }

  /// The whole text of a text or a comment.
  func text(of node: Int32) -> [UInt8] {
    var text: [UInt8] = []
    var piece = self[node].first
    while piece >= 0 {
      text.append(contentsOf: bytes(pieces[Int(piece)].slice))
      piece = pieces[Int(piece)].next
    }
    return text
  }
}
