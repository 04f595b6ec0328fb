/// The body: text and start tags.
extension HTMLTreeBuilder {
  mutating func inBody() -> Step {
    switch token {
    case .text:
      reconstructFormatting()
      insertText(text)
      if mayHaveFrameset, !isSpace(text) { mayHaveFrameset = false }
      return .done
    case .startTag: return startTagInBody()
    case .endTag: return endTagInBody()
    case .comment: insertComment()
    case .nul, .doctype: break
    case .end: return templateModes.isEmpty ? .done : inTemplate()
    }
    return .done
  }

  mutating func closeParagraph() {
    guard isInButtonScope(.p) else { return }
    popImplied(except: .p)
    popThrough(.p)
  }

  private mutating func startTagInBody() -> Step {
    switch tag {
    case .html:
      if !isOpen(.template) { mergeAttributes(into: open[0]) }
    case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
      return inHead()
    case .body:
      guard open.count > 1, isHTML(open[1], .body), !isOpen(.template) else { return .done }
      mayHaveFrameset = false
      mergeAttributes(into: open[1])
    case .frameset: replaceBody()
    case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl,
      .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p,
      .search, .section, .summary, .ul:
      closeParagraph()
      insertElement()
    case .h1, .h2, .h3, .h4, .h5, .h6:
      closeParagraph()
      if tree[current].namespace == .html, tree[current].tag.isHeading { pop() }
      insertElement()
    case .pre, .listing:
      closeParagraph()
      insertElement()
      skipsLineFeed = true
      mayHaveFrameset = false
    case .form: openForm()
    case .li: openItem { $0 == .li }
    case .dd, .dt: openItem { $0 == .dd || $0 == .dt }
    case .plaintext:
      closeParagraph()
      insertElement()
      tokenizer.content = .plainText
    case .button:
      if isInScope(.button) {
        popImplied()
        popThrough(.button)
      }
      reconstructFormatting()
      insertElement()
      mayHaveFrameset = false
    default: return inlineStartTag()
    }
    return .done
  }

  private mutating func inlineStartTag() -> Step {
    switch tag {
    case .a:
      if let old = lastFormatting(.a) {
        let node = formatting[old]
        adopt()
        removeFormatting(node)
        if tree[node].isOpen { removeFromOpen(node) }
      }
      insertFormatting()
    case .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u:
      insertFormatting()
    case .nobr:
      reconstructFormatting()
      if isInScope(.nobr) { adopt() }
      insertFormatting()
    case .applet, .marquee, .object:
      reconstructFormatting()
      insertElement()
      formatting.append(0)
      mayHaveFrameset = false
    case .table:
      if !isQuirky { closeParagraph() }
      insertElement()
      mayHaveFrameset = false
      mode = .inTable
    case .area, .br, .embed, .img, .keygen, .wbr: insertVoidInText()
    case .image:
      tokenizer.tag = .img
      tokenizer.name = Int32(HTMLTag.img.rawValue)
      insertVoidInText()
    case .input: insertInput()
    case .param, .source, .track: insertVoid()
    case .hr:
      closeParagraph()
      if isInScope(.select) { popImplied() }
      insertVoid()
      mayHaveFrameset = false
    case .textarea, .xmp, .iframe, .noembed: return enterTextInBody()
    case .select: openSelect()
    case .option, .optgroup: openOption()
    case .rb, .rtc:
      if isInScope(.ruby) { popImplied() }
      insertElement()
    case .rp, .rt:
      if isInScope(.ruby) { popImplied(except: .rtc) }
      insertElement()
    case .math: insertRoot(.mathML)
    case .svg: insertRoot(.svg)
    case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr: break
    default:
      reconstructFormatting()
      insertElement()
    }
    return .done
  }

  private mutating func insertRoot(_ namespace: HTMLNamespace) {
    reconstructFormatting()
    insertElement(namespace)
    if tokenizer.isSelfClosing { pop() }
  }

  private mutating func insertFormatting() {
    reconstructFormatting()
    addFormatting(insertElement())
  }

  private mutating func insertVoidInText() {
    reconstructFormatting()
    insertVoid()
    mayHaveFrameset = false
  }

  private mutating func enterTextInBody() -> Step {
    switch tag {
    case .textarea:
      skipsLineFeed = true
      mayHaveFrameset = false
      return enterText(.rcdata)
    case .xmp:
      closeParagraph()
      reconstructFormatting()
      mayHaveFrameset = false
    case .iframe: mayHaveFrameset = false
    default: break
    }
    return enterText(.rawText)
  }

  private mutating func mergeAttributes(into node: Int32) {
    let old = Array(tree.attributes(of: node))
    let new = tokenizer.attributes.filter { one in !old.contains { $0.name == one.name } }
    // A page may repeat the tag without limit; its attributes must not grow without limit.
    guard !new.isEmpty, old.count < 256 else { return }
    tree[node].first = Int32(tree.attributes.count)
    tree[node].last = Int32(old.count + new.count)
    tree.attributes.append(contentsOf: old + new)
  }

  private mutating func replaceBody() {
    guard open.count > 1, isHTML(open[1], .body), mayHaveFrameset else { return }
    tree.detach(open[1])
    while open.count > 1 { pop() }
    insertElement()
    mode = .inFrameset
  }

  private mutating func openForm() {
    let isInTemplate = isOpen(.template)
    guard form == 0 || isInTemplate else { return }
    closeParagraph()
    let node = insertElement()
    if !isInTemplate { form = node }
  }

  /// Opens a list item after closing the previous one.
  private mutating func openItem(_ isSame: (HTMLTag) -> Bool) {
    mayHaveFrameset = false
    var index = open.count - 1
    while index >= 0 {
      let kind = kinds[index]
      if kind.isHTML, isSame(kind.tag) {
        popImplied(except: kind.tag)
        popThrough(kind.tag)
        break
      }
      if kind.isSpecial, !kind.isHTML(.address), !kind.isHTML(.div), !kind.isHTML(.p) { break }
      index -= 1
    }
    closeParagraph()
    insertElement()
  }

  private mutating func insertInput() {
    if context != 0, isHTML(context, .select) { return }
    if isInScope(.select) { popThrough(.select) }
    reconstructFormatting()
    insertVoid()
    if !isHiddenInput { mayHaveFrameset = false }
  }

  /// Whether the tag has the type `hidden`.
  var isHiddenInput: Bool { hasAttribute("type", value: "hidden") }

  /// Whether the tag has an attribute with a value, compared ignoring case.
  func hasAttribute(_ name: String, value: StaticString) -> Bool {
    for attribute in tokenizer.attributes
    where attribute.value.count == value.utf8CodeUnitCount
      && tokenizer.names.string(attribute.name) == name
    {
      return (0..<attribute.value.count).allSatisfy {
        byte(attribute.value.start + $0) | 0x20 == value.utf8Start[$0] | 0x20
      }
    }
    return false
  }

  private mutating func openSelect() {
    if context != 0, isHTML(context, .select) { return }
    if isInScope(.select) { return popThrough(.select) }
    reconstructFormatting()
    insertElement()
    mayHaveFrameset = false
  }

  private mutating func openOption() {
    if isInScope(.select) {
      popImplied(except: tag == .option ? .optgroup : .other)
    } else if isCurrent(.option) {
      pop()
    }
    reconstructFormatting()
    insertElement()
  }
}
