/// Tables.
extension HTMLTreeBuilder {
  mutating func inTable() -> Step {
    switch token {
    case .text, .nul:
      guard tree[current].namespace == .html, tree[current].tag.isTablePart || isCurrent(.template)
      else { break }
      tableText.removeAll(keepingCapacity: true)
      originalMode = mode
      mode = .inTableText
      return .again
    case .comment:
      insertComment()
      return .done
    case .doctype: return .done
    case .startTag:
      if let step = startTagInTable() { return step }
    case .endTag:
      switch tag {
      case .table:
        guard isInTableScope(.table) else { return .done }
        popThrough(.table)
        resetMode()
        return .done
      case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr:
        return .done
      case .template: return inHead()
      default: break
      }
    case .end: return inBody()
    }
    return fostered()
  }

  /// Processes the token as in the body; content that is not permitted in a table goes before it.
  private mutating func fostered() -> Step {
    usesFosterParent = true
    let step = inBody()
    usesFosterParent = false
    return step
  }

  private mutating func startTagInTable() -> Step? {
    switch tag {
    case .caption:
      clearToTable()
      formatting.append(0)
      insertElement()
      mode = .inCaption
    case .colgroup:
      clearToTable()
      insertElement()
      mode = .inColumnGroup
    case .col:
      clearToTable()
      insertImplied(.colgroup)
      mode = .inColumnGroup
      return .again
    case .tbody, .tfoot, .thead:
      clearToTable()
      insertElement()
      mode = .inTableBody
    case .td, .th, .tr:
      clearToTable()
      insertImplied(.tbody)
      mode = .inTableBody
      return .again
    case .table:
      guard isInTableScope(.table) else { return .done }
      popThrough(.table)
      resetMode()
      return .again
    case .style, .script, .template: return inHead()
    case .input:
      guard isHiddenInput else { return nil }
      insertVoid()
    case .form:
      guard !isOpen(.template), form == 0 else { return .done }
      form = insertElement()
      pop()
    default: return nil
    }
    return .done
  }

  private mutating func clearToTable() {
    popTo { $0 == .table || $0 == .template || $0 == .html }
  }

  private mutating func clearToBody() {
    popTo {
      $0 == .tbody || $0 == .tfoot || $0 == .thead || $0 == .template || $0 == .html
    }
  }

  private mutating func clearToRow() {
    popTo { $0 == .tr || $0 == .template || $0 == .html }
  }

  mutating func inTableText() -> Step {
    switch token {
    case .nul: return .done
    case .text:
      tableText.append(text)
      return .done
    default: break
    }
    let pieces = tableText
    tableText = []
    mode = originalMode
    if pieces.allSatisfy({ isSpace($0) }) {
      for piece in pieces { insertText(piece) }
      return .again
    }
    usesFosterParent = true
    for piece in pieces {
      reconstructFormatting()
      insertText(piece)
    }
    usesFosterParent = false
    mayHaveFrameset = false
    return .again
  }

  mutating func inCaption() -> Step {
    switch token {
    case .endTag:
      switch tag {
      case .caption:
        closeCaption()
        return .done
      case .table: return closeCaption() ? .again : .done
      case .body, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: return .done
      default: return inBody()
      }
    case .startTag:
      switch tag {
      case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
        return closeCaption() ? .again : .done
      default: return inBody()
      }
    default: return inBody()
    }
  }

  @discardableResult
  private mutating func closeCaption() -> Bool {
    guard isInTableScope(.caption) else { return false }
    popImplied()
    popThrough(.caption)
    clearFormattingToMarker()
    mode = .inTable
    return true
  }

  mutating func inColumnGroup() -> Step {
    switch token {
    case .text:
      if !takeSpace({ $0.insertText($1) }) { return .done }
    case .comment:
      insertComment()
      return .done
    case .doctype: return .done
    case .startTag:
      switch tag {
      case .html: return inBody()
      case .col:
        insertVoid()
        return .done
      case .template: return inHead()
      default: break
      }
    case .endTag:
      switch tag {
      case .colgroup:
        guard isCurrent(.colgroup) else { return .done }
        pop()
        mode = .inTable
        return .done
      case .col: return .done
      case .template: return inHead()
      default: break
      }
    case .end: return inBody()
    case .nul: break
    }
    guard isCurrent(.colgroup) else {
      if token == .text { takeOnlySpace() }
      return .done
    }
    pop()
    mode = .inTable
    return .again
  }

  mutating func inTableBody() -> Step {
    switch token {
    case .startTag:
      switch tag {
      case .tr:
        clearToBody()
        insertElement()
        mode = .inRow
        return .done
      case .th, .td:
        clearToBody()
        insertImplied(.tr)
        mode = .inRow
        return .again
      case .caption, .col, .colgroup, .tbody, .tfoot, .thead: return leaveTableBody()
      default: return inTable()
      }
    case .endTag:
      switch tag {
      case .tbody, .tfoot, .thead:
        guard isInTableScope(tag) else { return .done }
        clearToBody()
        pop()
        mode = .inTable
        return .done
      case .table: return leaveTableBody()
      case .body, .caption, .col, .colgroup, .html, .td, .th, .tr: return .done
      default: return inTable()
      }
    default: return inTable()
    }
  }

  private mutating func leaveTableBody() -> Step {
    guard isInTableScope(.tbody, .thead, .tfoot) else { return .done }
    clearToBody()
    pop()
    mode = .inTable
    return .again
  }

  mutating func inRow() -> Step {
    switch token {
    case .startTag:
      switch tag {
      case .th, .td:
        clearToRow()
        insertElement()
        mode = .inCell
        formatting.append(0)
        return .done
      case .caption, .col, .colgroup, .tbody, .tfoot, .thead, .tr:
        return leaveRow() ? .again : .done
      default: return inTable()
      }
    case .endTag:
      switch tag {
      case .tr:
        leaveRow()
        return .done
      case .table: return leaveRow() ? .again : .done
      case .tbody, .tfoot, .thead:
        guard isInTableScope(tag) else { return .done }
        return leaveRow() ? .again : .done
      case .body, .caption, .col, .colgroup, .html, .td, .th: return .done
      default: return inTable()
      }
    default: return inTable()
    }
  }

  @discardableResult
  private mutating func leaveRow() -> Bool {
    guard isInTableScope(.tr) else { return false }
    clearToRow()
    pop()
    mode = .inTableBody
    return true
  }

  mutating func inCell() -> Step {
    switch token {
    case .endTag:
      switch tag {
      case .td, .th:
        guard isInTableScope(tag) else { return .done }
        popImplied()
        popThrough(tag)
        clearFormattingToMarker()
        mode = .inRow
        return .done
      case .body, .caption, .col, .colgroup, .html: return .done
      case .table, .tbody, .tfoot, .thead, .tr:
        guard isInTableScope(tag) else { return .done }
        closeCell()
        return .again
      default: return inBody()
      }
    case .startTag:
      switch tag {
      case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
        guard isInTableScope(.td, .th, .th) else { return .done }
        closeCell()
        return .again
      default: return inBody()
      }
    default: return inBody()
    }
  }

  private mutating func closeCell() {
    popImplied()
    popThrough { $0 == .td || $0 == .th }
    clearFormattingToMarker()
    mode = .inRow
  }
}
