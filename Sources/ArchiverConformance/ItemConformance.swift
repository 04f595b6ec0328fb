import ArchiverCore

extension AdapterConformance {
  /// 3. `item` may be called in any order, concurrently and repeatedly for the same reference.
  package func itemsInAnyOrder() async throws -> [String] {
    let adapter = try make(subject.client)
    let references = try await sample(adapter)
    var expected: [String: ItemMetadata] = [:]
    var wrong: [String] = []
    for reference in references.reversed() {
      let item = try await adapter.item(reference)
      expected[reference.id] = item.metadata
      if item.reference.id != reference.id {
        wrong.append("\(item.reference.id) was returned for \(reference.id)")
      }
    }
    let doubled = references + references
    let together = await withTaskGroup(of: (String, ItemMetadata?).self) { group in
      for reference in doubled {
        group.addTask {
          // A failure is one of the results to compare.
          (reference.id, try? await adapter.item(reference).metadata)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for (id, metadata) in together where metadata != expected[id] {
      wrong.append("\(id) is another item, or none, if requested concurrently")
    }
    return wrong + (try await batchAgrees(adapter, references, expected))
  }

  /// `items` returns one result per reference, in their order.
  private func batchAgrees(
    _ adapter: Adapter, _ references: [ItemReference], _ expected: [String: ItemMetadata]
  ) async throws -> [String] {
    let batch = Array(references.reversed().prefix(kindProperties.batchSize))
    let results = await adapter.items(batch)
    guard results.count == batch.count else {
      return ["items gave \(results.count) results for \(batch.count) references"]
    }
    return zip(batch, results).compactMap { reference, result in
      guard case .success(let item) = result else {
        return "items failed for \(reference.id), item did not"
      }
      let isSame = item.reference.id == reference.id && item.metadata == expected[reference.id]
      return isSame ? nil : "items gave \(item.reference.id) in the place of \(reference.id)"
    }
  }

  /// 4. A reference delivered in an earlier run is still good for `item`, in another process too.
  package func referencesOutliveTheProcess() async throws -> [String] {
    let references = try await sample(make(subject.client))
    let stored = try JSONEncoder().encode(references)
    let adapter = try make(subject.client)
    var wrong: [String] = []
    for reference in try JSONDecoder().decode([ItemReference].self, from: stored) {
      let error = await failure { _ = try await adapter.item(reference) }
      if let error { wrong.append("\(reference.id) fails without its listing: \(error)") }
    }
    return wrong
  }

  /// 5. An item that is gone fails with `.notFound`, never with an empty item.
  package func goneIsNotFound() async throws -> [String] {
    let adapter = try make(subject.client)
    let error = await failure { _ = try await adapter.item(subject.gone) }
    var wrong: [String] = []
    if error?.code != .notFound { wrong.append("item gave \(describe(error))") }
    let existing = try await sample(adapter).prefix(max(0, kindProperties.batchSize - 1))
    let results = await adapter.items([subject.gone] + existing)
    guard results.count == existing.count + 1 else { return wrong + ["items lost a result"] }
    if case .success = results[0] { wrong.append("items gave an item") }
    if case .failure(let error) = results[0], error.code != .notFound {
      wrong.append("items gave \(describe(error))")
    }
    for (reference, result) in zip(existing, results.dropFirst()) {
      guard case .failure(let error) = result else { continue }
      wrong.append("\(reference.id) failed when requested together with a deleted item: \(error)")
    }
    return wrong
  }

  /// Returns references of up to five items, without those that the source cannot deliver at the
  /// moment, which breaks no rule. If it can deliver none of the first twenty, returns the first
  /// five, whose errors the checks report.
  func sample(_ adapter: Adapter) async throws -> [ItemReference] {
    let references = try await list(adapter).references
    var sample: [ItemReference] = []
    for reference in references.prefix(20) where sample.count < 5 {
      let error = await failure { _ = try await adapter.item(reference) }
      if error?.code != .notReady, error?.code != .unavailable { sample.append(reference) }
    }
    return sample.isEmpty ? Array(references.prefix(5)) : sample
  }

  func describe(_ error: AdapterError?) -> String {
    error.map { ".\($0.code.rawValue) (\($0.message))" } ?? "no error"
  }
}
