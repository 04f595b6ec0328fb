/// The modes before the body and after it.
extension HTMLTreeBuilder {
  mutating func initial() -> Step {
    switch token {
    case .text:
      if !takeSpace() { return .done }
    case .comment:
      insertComment(into: HTMLTree.document)
      return .done
    case .doctype:
      insertDoctype()
      mode = .beforeHTML
      return .done
    default: break
    }
    if token != .doctype { isQuirky = true }
    mode = .beforeHTML
    return .again
  }

  private mutating func insertDoctype() {
    let node = tree.addText(tokenizer.slice, kind: .doctype)
    tree.insert(node, into: HTMLTree.document)
    tree.publicIdentifier = tokenizer.publicIdentifier
    tree.systemIdentifier = tokenizer.systemIdentifier
    isQuirky = HTMLQuirks.isQuirky(
      name: bytes(tokenizer.slice) ?? [], publicIdentifier: bytes(tokenizer.publicIdentifier),
      systemIdentifier: bytes(tokenizer.systemIdentifier), forced: tokenizer.forcesQuirks)
  }

  private func bytes(_ slice: HTMLSlice?) -> [UInt8]? {
    guard let slice else { return nil }
    var bytes: [UInt8] = []
    for index in slice.start..<(slice.start + slice.count) { bytes.append(byte(index)) }
    return bytes
  }

  mutating func beforeHTML() -> Step {
    switch token {
    case .doctype: return .done
    case .comment:
      insertComment(into: HTMLTree.document)
      return .done
    case .text:
      if !takeSpace() { return .done }
    case .startTag where tag == .html:
      let node = makeElement()
      tree.insert(node, into: HTMLTree.document)
      push(node)
      mode = .beforeHead
      return .done
    case .endTag where ![.head, .body, .html, .br].contains(tag): return .done
    default: break
    }
    insertImplied(.html)
    mode = .beforeHead
    return .again
  }

  mutating func beforeHead() -> Step {
    switch token {
    case .doctype: return .done
    case .comment:
      insertComment()
      return .done
    case .text:
      if !takeSpace() { return .done }
    case .startTag where tag == .html: return inBody()
    case .startTag where tag == .head:
      head = insertElement()
      mode = .inHead
      return .done
    case .endTag where ![.head, .body, .html, .br].contains(tag): return .done
    default: break
    }
    head = insertImplied(.head)
    mode = .inHead
    return .again
  }

  mutating func inHead() -> Step {
    switch token {
    case .doctype: return .done
    case .comment:
      insertComment()
      return .done
    case .text:
      if !takeSpace({ $0.insertText($1) }) { return .done }
    case .startTag:
      switch tag {
      case .html: return inBody()
      case .base, .basefont, .bgsound, .link, .meta:
        insertVoid()
        return .done
      case .title: return enterText(.rcdata)
      case .noframes, .style: return enterText(.rawText)
      case .script: return enterText(.script)
      case .noscript:
        insertElement()
        mode = .inHeadNoscript
        return .done
      case .template:
        openTemplate()
        return .done
      case .head: return .done
      default: break
      }
    case .endTag:
      switch tag {
      case .head:
        pop()
        mode = .afterHead
        return .done
      case .template:
        closeTemplate()
        return .done
      case .body, .html, .br: break
      default: return .done
      }
    default: break
    }
    pop()
    mode = .afterHead
    return .again
  }

  /// Inserts an element whose content is text.
  mutating func enterText(_ content: HTMLTokenizer.Content) -> Step {
    insertElement()
    tokenizer.content = content
    tokenizer.escape = .none
    originalMode = mode
    mode = .text
    return .done
  }

  private mutating func openTemplate() {
    let node = insertElement()
    tree[node].content = tree.add(HTMLNode(kind: .document))
    formatting.append(0)
    mayHaveFrameset = false
    mode = .inTemplate
    templateModes.append(.inTemplate)
  }

  mutating func closeTemplate() {
    guard isOpen(.template) else { return }
    popThoroughlyImplied()
    popThrough(.template)
    clearFormattingToMarker()
    _ = templateModes.popLast()
    resetMode()
  }

  mutating func inHeadNoscript() -> Step {
    switch token {
    case .doctype: return .done
    case .comment: return inHead()
    case .text:
      if !takeSpace({ $0.insertText($1) }) { return .done }
    case .startTag:
      switch tag {
      case .html: return inBody()
      case .basefont, .bgsound, .link, .meta, .noframes, .style: return inHead()
      case .head, .noscript: return .done
      default: break
      }
    case .endTag:
      if tag == .noscript {
        pop()
        mode = .inHead
        return .done
      }
      if tag != .br { return .done }
    default: break
    }
    pop()
    mode = .inHead
    return .again
  }

  mutating func afterHead() -> Step {
    switch token {
    case .doctype: return .done
    case .comment:
      insertComment()
      return .done
    case .text:
      if !takeSpace({ $0.insertText($1) }) { return .done }
    case .startTag:
      switch tag {
      case .html: return inBody()
      case .body:
        insertElement()
        mayHaveFrameset = false
        mode = .inBody
        return .done
      case .frameset:
        insertElement()
        mode = .inFrameset
        return .done
      case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template,
        .title:
        return inHeadAgain()
      case .head: return .done
      default: break
      }
    case .endTag:
      switch tag {
      case .template: return inHead()
      case .body, .html, .br: break
      default: return .done
      }
    default: break
    }
    insertImplied(.body)
    mode = .inBody
    return .again
  }

  /// Inserts an element that belongs into the head after the end of the head.
  private mutating func inHeadAgain() -> Step {
    push(head)
    let step = inHead()
    if current == head { pop() } else { removeFromOpen(head) }
    return step
  }

  mutating func afterBody() -> Step {
    switch token {
    case .text:
      if isSpace(text) { return inBody() }
    case .comment:
      insertComment(into: open[0])
      return .done
    case .doctype: return .done
    case .startTag where tag == .html: return inBody()
    case .endTag where tag == .html:
      if context == 0 { mode = .afterAfterBody }
      return .done
    case .end: return .done
    default: break
    }
    mode = .inBody
    return .again
  }

  mutating func afterAfterBody() -> Step {
    switch token {
    case .comment:
      insertComment(into: HTMLTree.document)
      return .done
    case .doctype: return inBody()
    case .text:
      if isSpace(text) { return inBody() }
    case .startTag where tag == .html: return inBody()
    case .end: return .done
    default: break
    }
    mode = .inBody
    return .again
  }

  mutating func inFrameset() -> Step {
    switch token {
    case .text: takeOnlySpace()
    case .comment: insertComment()
    case .startTag:
      switch tag {
      case .html: return inBody()
      case .frameset: insertElement()
      case .frame: insertVoid()
      case .noframes: return inHead()
      default: break
      }
    case .endTag where tag == .frameset:
      guard open.count > 1 else { return .done }
      pop()
      if context == 0, !isCurrent(.frameset) { mode = .afterFrameset }
    default: break
    }
    return .done
  }

  mutating func afterFrameset() -> Step {
    switch token {
    case .text: takeOnlySpace()
    case .comment: insertComment()
    case .startTag where tag == .html: return inBody()
    case .startTag where tag == .noframes: return inHead()
    case .endTag where tag == .html: mode = .afterAfterFrameset
    default: break
    }
    return .done
  }

  mutating func afterAfterFrameset() -> Step {
    switch token {
    case .comment: insertComment(into: HTMLTree.document)
    case .text: takeOnlySpace()
    case .startTag where tag == .html: return inBody()
    case .startTag where tag == .noframes: return inHead()
    default: break
    }
    return .done
  }
}
