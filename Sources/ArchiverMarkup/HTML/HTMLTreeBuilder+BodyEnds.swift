/// The body: end tags.
extension HTMLTreeBuilder {
  mutating func endTagInBody() -> Step {
    switch tag {
    case .template: return inHead()
    case .body, .html:
      guard isInScope(.body) else { return .done }
      mode = .afterBody
      return tag == .html ? .again : .done
    case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir,
      .div, .dl, .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .listing, .main,
      .menu, .nav, .ol, .pre, .search, .section, .select, .summary, .ul:
      close()
    case .form: closeForm()
    case .p:
      if !isInButtonScope(.p) {
        let node = tree.add(HTMLNode(kind: .element, tag: .p, name: Int32(HTMLTag.p.rawValue)))
        insert(node)
      }
      closeParagraph()
    case .li:
      guard isInListScope(.li) else { return .done }
      popImplied(except: .li)
      popThrough(.li)
    case .dd, .dt:
      guard isInScope(tag) else { return .done }
      popImplied(except: tag)
      popThrough(tag)
    case .h1, .h2, .h3, .h4, .h5, .h6:
      guard isHeadingInScope() else { return .done }
      popImplied()
      popThrough { $0.isHeading }
    case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
      adopt()
    case .applet, .marquee, .object:
      guard isInScope(tag) else { return .done }
      popImplied()
      popThrough(tag)
      clearFormattingToMarker()
    case .br:
      tokenizer.beginTag()
      reconstructFormatting()
      insertVoid()
      mayHaveFrameset = false
    default: anyOtherEndTag()
    }
    return .done
  }

  private mutating func close() {
    guard isInScope(tag) else { return }
    popImplied()
    popThrough(tag)
  }

  private mutating func closeForm() {
    if isOpen(.template) { return close() }
    let node = form
    form = 0
    guard node != 0, isInScope(node: node) else { return }
    popImplied()
    removeFromOpen(node)
  }

  /// Processes the text of a script, a style sheet, a title and similar elements.
  mutating func inText() -> Step {
    switch token {
    case .text:
      insertText(text)
      return .done
    case .endTag:
      pop()
      mode = originalMode
      return .done
    default:
      pop()
      mode = originalMode
      return .again
    }
  }

  /// Resets the insertion mode according to the open elements.
  mutating func resetMode() {
    var index = open.count - 1
    while index >= 0 {
      let isLast = index == 0
      let node = tree[isLast && context != 0 ? context : open[index]]
      if node.namespace == .html {
        switch node.tag {
        case .td, .th:
          if !isLast { return mode = .inCell }
        case .tr: return mode = .inRow
        case .tbody, .thead, .tfoot: return mode = .inTableBody
        case .caption: return mode = .inCaption
        case .colgroup: return mode = .inColumnGroup
        case .table: return mode = .inTable
        case .template: return mode = templateModes.last ?? .inTemplate
        case .head:
          if !isLast { return mode = .inHead }
        case .body: return mode = .inBody
        case .frameset: return mode = .inFrameset
        case .html: return mode = head == 0 ? .beforeHead : .afterHead
        default: break
        }
      }
      index -= 1
    }
    mode = .inBody
  }

  mutating func inTemplate() -> Step {
    switch token {
    case .text, .nul, .comment, .doctype: return inBody()
    case .startTag:
      switch tag {
      case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template,
        .title:
        return inHead()
      case .caption, .colgroup, .tbody, .tfoot, .thead: return switchTemplate(to: .inTable)
      case .col: return switchTemplate(to: .inColumnGroup)
      case .tr: return switchTemplate(to: .inTableBody)
      case .td, .th: return switchTemplate(to: .inRow)
      default: return switchTemplate(to: .inBody)
      }
    case .endTag: return tag == .template ? inHead() : .done
    case .end:
      guard isOpen(.template) else { return .done }
      popThrough(.template)
      clearFormattingToMarker()
      _ = templateModes.popLast()
      resetMode()
      return .again
    }
  }

  private mutating func switchTemplate(to mode: Mode) -> Step {
    _ = templateModes.popLast()
    templateModes.append(mode)
    self.mode = mode
    return .again
  }
}
