import ArchiverCore

/// Fetches the blocks of a page level by level, with a work list instead of recursion and one
/// response in memory at a time.
struct BlockFetcher: Sendable {
  let client: NotionClient
  /// Responses kept by discovery are used if they are at least this new.
  var mayBeRecent: Date?
  /// Deeper blocks are reported as missing; Notion's own editor permits far fewer levels.
  var depthLimit = 400
  /// Further blocks are reported as missing.
  var countLimit = 500_000

  /// The fetched blocks.
  struct Result: Sendable {
    var tree = BlockTree()
    /// Sentences about parts that could not be read.
    var notes: [String] = []
    /// Parts that could not be read.
    var missing: [MissingPart] = []
    /// Whether a response could not be parsed; it may be readable in a later run.
    var isBroken = false
  }

  private struct Pending {
    let container: NotionID
    /// Where to look if the container has no children: a synced copy's original.
    let fallback: NotionID?
    let node: Int?
    /// Whether it is the original of a synced copy, which may be on a page that is not shared.
    var isOriginal = false
  }

  /// Fetches everything below a page or block.
  ///
  /// - Parameter received: Called with each block as received, in the order of the responses.
  func fetch(
    _ root: NotionID, received: (JSONValue) -> Void = { _ in }
  ) async throws(AdapterError) -> Result {
    var result = Result()
    var pending = [Pending(container: root, fallback: nil, node: nil)]
    while let next = pending.popLast() {
      var added = try await children(of: next, root, &result, received)
      if added.isEmpty, let fallback = next.fallback, next.container != fallback {
        let original = Pending(
          container: fallback, fallback: nil, node: next.node, isOriginal: true)
        added = try await children(of: original, root, &result, received)
      }
      for index in added.reversed() {
        pending += expansions(of: index, root, &result)
      }
    }
    return result
  }

  private func children(
    of pending: Pending, _ root: NotionID, _ result: inout Result, _ received: (JSONValue) -> Void
  ) async throws(AdapterError) -> [Int] {
    var added: [Int] = []
    var read = ReadEntries()
    var trail = PageTrail()
    do throws(AdapterError) {
      var goesOn = true
      while goesOn {
        let page: NotionList
        do throws(AdapterError) {
          page = try await self.page(of: pending, root, trail)
        } catch {
          guard trail.restarts(after: error) else { throw error }
          read.restart()
          continue
        }
        for value in page.results where read.insert(value) {
          guard let node = BlockTree.Node(value) else {
            result.missing.append(
              MissingPart(.children, name: "a block", reason: "it is no object", isPermanent: true))
            continue
          }
          if (value["in_trash"] ?? value["archived"])?.bool == true { continue }
          received(value)
          added.append(result.tree.append(node, below: pending.node))
        }
        goesOn = trail.goesOn(after: page)
        if result.tree.nodes.count > countLimit, goesOn {
          BlockFetcher.noteCount(&result)
          goesOn = false
        }
      }
      if let fault = trail.fault {
        result.isBroken = true
        note(fault, pending, isRest: true, isPermanent: false, &result)
      }
    } catch {
      guard error.concernsOneObject, pending.node != nil || error.isUnreadable else { throw error }
      let isRest = trail.cursor != nil
      // An interrupted list may be complete in a later run, for instance when its cursor had
      // expired.
      result.isBroken = result.isBroken || error.isPassing || isRest
      if pending.fallback == nil || isRest {
        note(
          error.message, pending, isRest: isRest, isPermanent: error.isRefusal && !isRest, &result)
      }
    }
    return added
  }

  /// Reports that a page has too many blocks.
  private static func noteCount(_ result: inout Result) {
    let count = result.tree.nodes.count
    result.notes.append("Only the first \(count) blocks were read.")
    result.missing.append(
      MissingPart(
        .children, name: "further blocks", reason: "the page has more than \(count)",
        isPermanent: true))
  }

  private func page(
    of pending: Pending, _ root: NotionID, _ trail: PageTrail
  ) async throws(AdapterError) -> NotionList {
    try await client.page(
      ["blocks", pending.container.dashed, "children"], cursor: trail.cursor,
      about: pending.node == nil ? "page \(root)" : "a block of page \(root)",
      // Kept responses have cursors that may be as old.
      mayBeRecent: trail.hasRestarted ? nil : mayBeRecent)
  }

  /// Records children that could not be read.
  private func note(
    _ reason: String, _ pending: Pending, isRest: Bool, isPermanent: Bool, _ result: inout Result
  ) {
    let part = isRest ? "The rest of the content" : "The content"
    if let node = pending.node {
      result.tree[node].missing = "\(part) could not be read: \(reason)."
    }
    result.notes.append("A part of the page could not be read: \(reason).")
    result.missing.append(
      MissingPart(
        .children, name: pending.isOriginal ? "a synced block" : "", reason: reason,
        isPermanent: isPermanent, isEssential: !(pending.isOriginal && isPermanent)))
  }

  /// Returns the requests that complete a node, and records those that must not be made.
  private func expansions(of index: Int, _ root: NotionID, _ result: inout Result) -> [Pending] {
    let node = result.tree[index]
    if let sections = MeetingNotes.sections(of: node), !sections.isEmpty || !node.hasChildren {
      let pending = sections.map { section in
        let added = result.tree.append(section.node, below: index)
        return Pending(container: section.id, fallback: nil, node: added)
      }
      return pending.reversed()
    }
    guard !node.isDocument, node.hasChildren || node.syncedFrom != nil else { return [] }
    guard let id = node.id else {
      result.tree[index].missing = "The content could not be read: the block has no id."
      result.missing.append(
        MissingPart(
          .children, name: "the content of a block", reason: "the block has no id",
          isPermanent: true))
      return []
    }
    guard node.depth < depthLimit else {
      result.tree[index].missing = "It is nested too deep to be shown."
      result.notes.append("A part of the page is nested more than \(depthLimit) levels deep.")
      result.missing.append(
        MissingPart(
          .children, name: "the content of a block",
          reason: "it is nested more than \(depthLimit) levels deep", isPermanent: true))
      return []
    }
    let above = result.tree.ancestors(of: node.parent)
    let isCircular = above.contains { ancestor in
      [id, node.syncedFrom].contains {
        $0 != nil && ($0 == ancestor.id || $0 == ancestor.syncedFrom)
      }
    }
    if isCircular || node.syncedFrom == root {
      result.tree[index].missing = "This synced block contains itself."
      return []
    }
    return [Pending(container: id, fallback: node.syncedFrom, node: index)]
  }
}

/// Meeting notes, whose parts are separate blocks named in the payload.
enum MeetingNotes {
  static func sections(
    of node: BlockTree.Node
  ) -> [(id: NotionID, node: BlockTree.Node)]? {
    guard node.type == "meeting_notes" || node.type == "transcription" else { return nil }
    let parts = known + others(node.payload["children"])
    return parts.compactMap { key, title in
      // Meetings lack the parts that were not requested.
      guard let id = NotionID(node.payload["children"]?[key]) else { return nil }
      let section = BlockTree.Node(
        id: id, type: "meeting_section", payload: ["title": .string(title)], parent: nil, depth: 0,
        hasChildren: true)
      return (id, section)
    }
  }

  private static let known = [
    ("summary_block_id", "Summary"), ("notes_block_id", "Notes"),
    ("transcript_block_id", "Transcript"),
  ]

  /// Parts under unknown keys, each titled with the words of its key.
  private static func others(_ children: JSONValue?) -> [(String, String)] {
    let keys = (children?.object ?? [:]).keys.filter { key in !known.contains { $0.0 == key } }
    return keys.sorted().map { key in
      let words = key.replacing("_block_id", with: "").replacing("_", with: " ")
      return (key, words.prefix(1).uppercased() + words.dropFirst())
    }
  }
}
