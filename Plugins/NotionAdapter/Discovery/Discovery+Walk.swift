import ArchiverCore

// Pages inside pages, found in the pages' blocks.
extension Discovery {
  mutating func nextWalk() async throws(AdapterError) {
    if !toWalk.isEmpty, givesUp("the contents of \(toWalk.count) pages") {
      unwalked.formUnion(toWalk)
      toWalk = []
    }
    guard let id = toWalk.popLast() else {
      phase = !databases.isEmpty ? .rows : hasChosen ? .remarks : .known
      return
    }
    do throws(AdapterError) {
      guard try await isInScope(id) else { return }
      let result = try await BlockFetcher(client: client).fetch(id)
      failures = 0
      for missing in result.missing where missing.isEssential && !missing.isPermanent {
        unwalked.insert(id)
        gaps.append(
          ListingGap(
            "the content of page \(id) is not known completely: "
              + "\(missing.reason)", isEssential: true))
      }
      try await note(originalsOf: id, result.tree)
      for node in result.tree.nodes where node.isDocument {
        guard let child = node.id else {
          unreadable.add(["object": node.type == "child_database" ? "database" : "page"])
          continue
        }
        guard found[child] == nil, !trashed.contains(child) else { continue }
        do throws(AdapterError) {
          try await meet(child, isDatabase: node.type == "child_database")
        } catch {
          try pass(error, "a page inside page \(id) was not read")
          unwalked.insert(id)
        }
      }
    } catch {
      try pass(error, "the content of page \(id) is unknown")
      if error.isPassing { unwalked.insert(id) }
    }
  }

  mutating func meet(
    _ id: NotionID, isDatabase: Bool
  ) async throws(AdapterError) {
    if isDatabase, try await lookup.database(ofBlock: id).mayBeView {
      guard let view = try await lookup.linkedView(id), found[view.database] == nil,
        let object = try await lookup.object(view.database)
      else { return }
      add(object)
    } else if let object = try await lookup.object(id) {
      add(object)
    }
  }
}
