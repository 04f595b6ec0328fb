/// SVG and MathML.
extension HTMLTreeBuilder {
  mutating func foreign() -> Step {
    switch token {
    case .nul: insertText(replacement())
    case .text:
      insertText(text)
      if mayHaveFrameset, !isSpace(text) { mayHaveFrameset = false }
    case .comment: insertComment()
    case .doctype, .end: break
    case .startTag:
      if tag.leavesForeignContent || isFontOfHTML { return leaveForeign() }
      insertForeign()
    case .endTag:
      if tag == .br || tag == .p { return leaveForeign() }
      return foreignEndTag()
    }
    return .done
  }

  private var isFontOfHTML: Bool {
    tag == .font
      && tokenizer.attributes.contains {
        ["color", "face", "size"].contains(tokenizer.names.string($0.name))
      }
  }

  private mutating func leaveForeign() -> Step {
    while open.count > 1, !allowsHTML(current) { pop() }
    return step(mode)
  }

  private func allowsHTML(_ node: Int32) -> Bool {
    let node = tree[node]
    switch node.namespace {
    case .html: return true
    case .svg: return node.isIntegrationPoint
    case .mathML:
      switch node.tag {
      case .mi, .mo, .mn, .ms, .mtext: return true
      default: return node.isIntegrationPoint
      }
    }
  }

  private mutating func insertForeign() {
    let namespace = tree[adjustedCurrent].namespace
    let node = insertElement(namespace)
    switch (namespace, tag) {
    case (.svg, .foreignobject), (.svg, .desc), (.svg, .title):
      tree[node].isIntegrationPoint = true
    case (.mathML, .annotationXML):
      tree[node].isIntegrationPoint =
        hasAttribute("encoding", value: "text/html")
        || hasAttribute("encoding", value: "application/xhtml+xml")
    default: break
    }
    if tokenizer.isSelfClosing { pop() }
  }

  private mutating func foreignEndTag() -> Step {
    var index = open.count - 1
    while index > 0 {
      let node = tree[open[index]]
      if node.namespace == .html { return step(mode) }
      if node.name == tokenizer.name {
        popThrough(node: open[index])
        return .done
      }
      index -= 1
    }
    return .done
  }
}
