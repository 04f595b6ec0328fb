// Positions of list and table elements, after the tree construction rules of the HTML standard.
extension ContentWriter {
  mutating func findPlace(for kind: BlockKind) -> Place? {
    switch kind {
    case .item: return findListPlace(owner: .list, siblings: [.item])
    case .term, .definition:
      return findListPlace(owner: .definitionList, siblings: [.term, .definition])
    case .rowGroup, .caption, .columnGroup:
      guard let table = nearestTable() else { return nil }
      closeBlocks(downTo: table + 1)
    case .row:
      guard let table = nearestTable() else { return .division }
      if blocks.count > table + 1, blocks[table + 1].kind == .rowGroup {
        closeBlocks(downTo: table + 2)
      } else {
        closeBlocks(downTo: table + 1)
        supply("tbody", .rowGroup)
      }
    case .cell:
      guard let table = nearestTable() else { return .division }
      findCellPlace(table)
    case .summary:
      guard let last = blocks.lastIndex(where: { $0.kind != .paragraph }),
        blocks[last].kind == .details, output.count == blocks[last].contentStart
      else { return .division }
    default: break
    }
    return .own
  }

  mutating func findListPlace(owner: BlockKind, siblings: [BlockKind]) -> Place {
    for index in blocks.indices.reversed() {
      let kind = blocks[index].kind
      if kind == owner {
        closeBlocks(downTo: index + 1)
        return .own
      }
      if siblings.contains(kind) {
        closeBlocks(downTo: index)
        return .own
      }
      guard kind == .paragraph || kind == .division || kind.isFlat && kind != .caption else {
        return .division
      }
    }
    return .division
  }

  func nearestTable() -> Int? {
    blocks.lastIndex { $0.kind == .table }
  }

  mutating func findCellPlace(_ table: Int) {
    if blocks.count > table + 2, blocks[table + 2].kind == .row {
      closeBlocks(downTo: table + 3)
    } else if blocks.count > table + 1, blocks[table + 1].kind == .rowGroup {
      closeBlocks(downTo: table + 2)
      supply("tr", .row)
    } else {
      closeBlocks(downTo: table + 1)
      supply("tbody", .rowGroup)
      supply("tr", .row)
    }
  }

  mutating func supply(_ name: String, _ kind: BlockKind) {
    closeInlines()
    interruptParagraph()
    _ = push(name, kind, ElementAttributes(), implied: true)
  }

  /// Opens the elements required between a list or table and the content to be written.
  mutating func supplyContainer() {
    if top.kind == .columnGroup { closeTop() }
    while let (name, kind) = top.kind.impliedChild { supply(name, kind) }
  }

  /// Writes a `col` and a missing group around it.
  mutating func writeColumn(_ attributes: ElementAttributes) {
    guard let table = nearestTable() else { return }
    if blocks.count != table + 2 || top.kind != .columnGroup {
      closeBlocks(downTo: table + 1)
      supply("colgroup", .columnGroup)
    }
    output += "<col".utf8
    output += attributes.bytes
    output.append(0x3E)
  }
}
