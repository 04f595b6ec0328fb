import ArchiverCore

/// Parses HTML as defined by the WHATWG standard, with scripting disabled.
enum HTMLParser {
  /// The context element of a fragment.
  struct Context {
    var name: String
    var namespace = HTMLNamespace.html
  }

  /// The maximum input size in bytes.
  static let maximumSize = 1 << 30

  /// Parses UTF-8 into a tree: a document, or a fragment whose nodes are below one `html`.
  ///
  /// With `closesEmptyTags`, `<name/>` is an empty element for all names, as in XML.
  static func tree(
    of bytes: [UInt8], in context: Context? = nil, closesEmptyTags: Bool = false
  ) throws(MarkupError) -> HTMLTree {
    guard bytes.count <= maximumSize else {
      throw MarkupError(.tooLarge, "HTML of \(bytes.count) bytes exceeds the parser's maximum")
    }
    let input = withLineFeeds(bytes)
    return input.withUnsafeBufferPointer { buffer in
      var builder = HTMLTreeBuilder(HTMLTree(input: input), buffer)
      builder.closesEmptyTags = closesEmptyTags
      if let context { builder.enter(context) }
      builder.build()
      return builder.tree
    }
  }

  /// Parses UTF-8 and sends events to a handler.
  ///
  /// Returns the number of elements that are missing or moved because of the limits on depth and on
  /// reconstructed formatting elements; the handler receives all text.
  @discardableResult
  static func parse(
    _ bytes: [UInt8], in context: Context? = nil, into handler: some HTMLEventHandler
  ) throws(MarkupError) -> Int {
    let tree = try tree(of: bytes, in: context)
    var walk = HTMLTreeWalk(tree)
    try walk.run(into: handler)
    return tree.lostElements + walk.lostElements
  }

  /// Parses a document or, if no tag at the beginning identifies one, the content of a body.
  @discardableResult
  static func parseContent(
    _ bytes: [UInt8], into handler: some HTMLEventHandler
  ) throws(MarkupError) -> Int {
    try parse(bytes, in: isDocument(bytes) ? nil : Context(name: "body"), into: handler)
  }

  /// Whether the first markup after white space and comments occurs in documents only.
  static func isDocument(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while true {
      rest = rest.drop { HTMLTokenizer.isSpace($0) || $0 == 0x0D }
      if rest.starts(with: "<!--".utf8) {
        // Also `<!-->` is a whole comment.
        var end = rest.startIndex + 2
        while end + 2 < rest.endIndex, !rest[end...].starts(with: "-->".utf8) { end += 1 }
        rest = rest[min(end + 3, rest.endIndex)...]
      } else if rest.starts(with: "<?".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst()
      } else {
        break
      }
    }
    guard rest.first == UInt8(ascii: "<") else { return false }
    let name = rest.dropFirst().prefix { !HTMLTokenizer.endsName($0) }
    guard name.count <= 8 else { return false }
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return ["!doctype", "html", "head", "body", "frameset"].contains(text)
  }

  /// Normalises line ends to line feeds.
  static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.withUnsafeBufferPointer({ $0.index(of: 0x0D, from: 0) }) else {
      return bytes
    }
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
