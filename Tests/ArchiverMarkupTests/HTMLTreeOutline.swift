import Testing

@testable import ArchiverMarkup

/// A tree on one line: `svg:` and `math:` precede foreign names, braces enclose the content of a
/// template, and a bar separates adjacent text nodes.
enum HTMLTreeOutline {
  /// Parses a document or a fragment; `␀` is NUL.
  static func of(
    _ html: String, in context: HTMLParser.Context? = nil, closesEmptyTags: Bool = false
  ) throws -> String {
    let bytes = Array(html.replacing("␀", with: "\0").utf8)
    let tree = try HTMLParser.tree(of: bytes, in: context, closesEmptyTags: closesEmptyTags)
    let root = context == nil ? HTMLTree.document : tree[HTMLTree.document].lastChild
    return content(of: root, tree)
  }

  /// Parses the content of a body in a document without quirks.
  static func ofBody(_ html: String, closesEmptyTags: Bool = false) throws -> String {
    let all = try of("<!DOCTYPE html><body>" + html, closesEmptyTags: closesEmptyTags)
    let start = "<!DOCTYPE html><html><head></head><body>"
    let end = "</body></html>"
    try #require(all.hasPrefix(start) && all.hasSuffix(end), "\(all)")
    return String(all.dropFirst(start.count).dropLast(end.count))
  }

  /// Returns the children of a node, and expects their links to be consistent.
  private static func content(of parent: Int32, _ tree: HTMLTree) -> String {
    var result = ""
    var previous: Int32 = 0
    var child = tree[parent].firstChild
    while child != 0 {
      let node = tree[child]
      #expect(node.parent == parent && node.previous == previous && !node.isOpen)
      if node.kind == .text, previous != 0, tree[previous].kind == .text { result += "|" }
      result += line(child, tree)
      previous = child
      child = node.next
    }
    #expect(tree[parent].lastChild == previous)
    return result
  }

  private static func line(_ child: Int32, _ tree: HTMLTree) -> String {
    let node = tree[child]
    switch node.kind {
    case .text: return text(tree.text(of: child))
    case .comment: return "<!--" + text(tree.text(of: child)) + "-->"
    case .doctype:
      let name = text(tree.text(of: child))
      return name.isEmpty ? "<!DOCTYPE>" : "<!DOCTYPE \(name)>"
    case .element: return element(child, tree)
    case .document: return "(document)"
    }
  }

  private static func element(_ child: Int32, _ tree: HTMLTree) -> String {
    let node = tree[child]
    let prefix =
      switch node.namespace {
      case .html: ""
      case .svg: "svg:"
      case .mathML: "math:"
      }
    let name = prefix + tree.names.string(node.name)
    var result = "<" + name
    for attribute in tree.attributes(of: child) {
      result += " " + tree.names.string(attribute.name) + "=" + text(tree.bytes(attribute.value))
    }
    result += ">"
    if node.content != 0 { result += "{" + content(of: node.content, tree) + "}" }
    return result + content(of: child, tree) + "</" + name + ">"
  }
}
