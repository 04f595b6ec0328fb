import ArchiverCore

@testable import ArchiverMarkup

/// A tree as indented lines, in the form of the conformance data.
struct HTMLTreeText {
  let tree: HTMLTree
  private var bytes: [UInt8] = []

  /// The lines below a node, as bytes: the data has text that is not valid UTF-8.
  static func lines(_ tree: HTMLTree, below root: Int32 = HTMLTree.document) -> [UInt8] {
    var text = HTMLTreeText(tree: tree)
    text.add(below: root, level: 0)
    return text.bytes
  }

  private init(tree: HTMLTree) { self.tree = tree }

  private mutating func add(below parent: Int32, level: Int) {
    var child = tree[parent].firstChild
    while child != 0 {
      let node = tree[child]
      switch node.kind {
      case .text: add(level, "\"", tree.text(of: child), "\"")
      case .comment: add(level, "<!-- ", tree.text(of: child), " -->")
      case .doctype: addDoctype(child, level)
      case .element: addElement(child, level)
      case .document: break
      }
      child = node.next
    }
  }

  private mutating func add(_ level: Int, _ before: String, _ text: [UInt8], _ after: String) {
    bytes += "| ".utf8
    bytes += [UInt8](repeating: 0x20, count: level * 2)
    bytes += before.utf8
    bytes += text
    bytes += after.utf8
    bytes.append(0x0A)
  }

  private mutating func addDoctype(_ node: Int32, _ level: Int) {
    var text = tree.text(of: node)
    if tree.publicIdentifier != nil || tree.systemIdentifier != nil {
      text += " \"".utf8
      text += tree.bytes(tree.publicIdentifier ?? .empty)
      text += "\" \"".utf8
      text += tree.bytes(tree.systemIdentifier ?? .empty)
      text += "\"".utf8
    }
    add(level, "<!DOCTYPE ", text, ">")
  }

  private mutating func addElement(_ element: Int32, _ level: Int) {
    let node = tree[element]
    let prefix =
      switch node.namespace {
      case .html: "<"
      case .svg: "<svg "
      case .mathML: "<math "
      }
    let name = HTMLForeignNames.element(tree.names.string(node.name), in: node.namespace)
    add(level, prefix, Array(name.utf8), ">")
    let attributes = tree.attributes(of: element).map { attribute in
      (name: attributeName(attribute, node.namespace), value: Array(tree.bytes(attribute.value)))
    }
    for attribute in attributes.sorted(by: {
      $0.name.utf16.lexicographicallyPrecedes($1.name.utf16)
    }) {
      add(level + 1, attribute.name + "=\"", attribute.value, "\"")
    }
    if node.content != 0 {
      add(level + 1, "content", [], "")
      add(below: node.content, level: level + 2)
    }
    add(below: element, level: level + 1)
  }

  private func attributeName(_ attribute: HTMLAttribute, _ namespace: HTMLNamespace) -> String {
    let name = HTMLForeignNames.attribute(tree.names.string(attribute.name), in: namespace)
    guard namespace != .html, HTMLForeignNames.hasNamespace(name) else { return name }
    return name.split(separator: ":").joined(separator: " ")
  }
}

/// Notes what a parse tells as text: tags with their attributes, `{…}` around raw text.
final class HTMLEventLog: HTMLEventHandler {
  var log = ""
  var text = ""
  var starts = 0
  var ends = 0
  var greatestDepth = 0

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) throws(MarkupError) {
    starts += 1
    greatestDepth = max(greatestDepth, depth)
    log += "<" + name
    for item in attributes.items { log += " " + item.name + "=" + item.value }
    log += ">"
  }

  func end(_ name: String) throws(MarkupError) {
    ends += 1
    log += "</" + name + ">"
  }

  func text(_ text: UnsafeBufferPointer<UInt8>) throws(MarkupError) {
    let piece = String(decoding: text, as: UTF8.self)
    self.text += piece
    log += piece
  }

  func rawText(_ text: UnsafeBufferPointer<UInt8>) {
    log += "{" + String(decoding: text, as: UTF8.self) + "}"
  }
}
