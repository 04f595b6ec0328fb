/// Reads HTML as the WHATWG standard defines it, with scripting off.
enum HTMLParser {
  /// The element whose content a fragment is.
  struct Context {
    var name: String
    var namespace = HTMLNamespace.html
  }

  /// The most bytes that are read.
  static let maximumSize = 1 << 30

  /// Parses bytes in UTF-8 into a tree: a document, or a fragment whose nodes are below one `html`.
  static func tree(of bytes: [UInt8], in context: Context? = nil) throws(MarkupError) -> HTMLTree {
    guard bytes.count <= maximumSize else {
      throw MarkupError(.tooLarge, "HTML of \(bytes.count) bytes is more than can be read")
    }
    let input = withLineFeeds(bytes)
    return input.withUnsafeBufferPointer { buffer in
      var builder = HTMLTreeBuilder(HTMLTree(input: input), buffer)
      if let context { builder.enter(context) }
      builder.build()
      return builder.tree
    }
  }

  /// Parses bytes in UTF-8 and tells a handler of what is found.
  static func parse(_ bytes: [UInt8], into handler: some HTMLEventHandler) throws(MarkupError) {
    let tree = try tree(of: bytes)
    var walk = HTMLTreeWalk(tree)
    try walk.run(into: handler)
  }

  /// Every line end as one line feed.
  static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.firstIndex(of: 0x0D) else { return bytes }
    var result = Array(bytes[..<first])
    result.reserveCapacity(bytes.count)
    var index = first
    while index < bytes.count {
      if bytes[index] == 0x0D {
        result.append(0x0A)
        if index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
      } else {
        result.append(bytes[index])
      }
      index += 1
    }
    return result
  }
}

extension HTMLTreeBuilder {
  /// Prepares for a fragment.
  mutating func enter(_ element: HTMLParser.Context) {
    let name = tokenizer.names.id(Array(element.name.lowercased().utf8))
    let tag = HTMLTag(name: name)
    var node = HTMLNode(kind: .element, namespace: element.namespace, tag: tag, name: name)
    if element.namespace == .svg {
      node.isIntegrationPoint = tag == .foreignobject || tag == .desc || tag == .title
    }
    context = tree.add(node)
    if element.namespace == .html {
      switch tag {
      case .title, .textarea: tokenizer.content = .rcdata
      case .style, .xmp, .iframe, .noembed, .noframes: tokenizer.content = .rawText
      case .script: tokenizer.content = .script
      case .plaintext: tokenizer.content = .plainText
      case .template: templateModes.append(.inTemplate)
      case .form: form = context
      default: break
      }
    }
    insertImplied(.html)
    resetMode()
  }
}
