import ArchiverCore

extension AdapterConformance {
  /// What a call for an item gave: its metadata, or the code of the error.
  private enum ItemOutcome: Equatable {
    case item(ItemMetadata)
    case failure(AdapterError.Code)
  }

  private func outcome(_ adapter: Adapter, _ reference: ItemReference) async -> ItemOutcome {
    do {
      return .item(try await adapter.item(reference).metadata)
    } catch {
      return .failure(error.code)
    }
  }

  /// The first items of a listing can be read.
  ///
  /// One that the source cannot deliver at the moment breaks no rule.
  package func itemsCanBeRead() async throws -> [String] {
    let adapter = try make(subject.client)
    var failures: [String] = []
    for reference in try await list(adapter).references.prefix(20) {
      let error = await failure { _ = try await adapter.item(reference) }
      guard let error, error.code != .notReady, error.code != .unavailable else { continue }
      let isContrary = error.code == .notFound ? ", although it is listed" : ""
      failures.append("\(reference.id) gave \(describe(error))\(isContrary)")
    }
    if failures.isEmpty { return [] }
    return ["\(failures.count) \(failures.count == 1 ? "item" : "items") failed:"] + failures
  }

  /// 3. `item` may be called in any order, concurrently and repeatedly for the same reference.
  ///
  /// An item that always fails alike breaks no rule of order.
  package func itemsInAnyOrder() async throws -> [String] {
    let adapter = try make(subject.client)
    let references = try await sample(adapter)
    var expected: [String: ItemOutcome] = [:]
    var wrong: [String] = []
    for reference in references.reversed() {
      do {
        let item = try await adapter.item(reference)
        expected[reference.id] = .item(item.metadata)
        if item.reference.id != reference.id {
          wrong.append("\(item.reference.id) was returned for \(reference.id)")
        }
      } catch {
        expected[reference.id] = .failure(error.code)
      }
    }
    let doubled = references + references
    let together = await withTaskGroup(of: (String, ItemOutcome).self) { group in
      for reference in doubled {
        group.addTask { (reference.id, await outcome(adapter, reference)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for (id, outcome) in together where outcome != expected[id] {
      wrong.append("\(id) is another item, or none, if requested concurrently")
    }
    return wrong + (await batchAgrees(adapter, references, expected))
  }

  /// `items` returns one result per reference, in their order.
  private func batchAgrees(
    _ adapter: Adapter, _ references: [ItemReference], _ expected: [String: ItemOutcome]
  ) async -> [String] {
    let batch = Array(references.reversed().prefix(kindProperties.batchSize))
    let results = await adapter.items(batch)
    guard results.count == batch.count else {
      return ["items gave \(results.count) results for \(batch.count) references"]
    }
    return zip(batch, results).compactMap { reference, result in
      switch result {
      case .failure(let error):
        return expected[reference.id] == .failure(error.code)
          ? nil : "items failed for \(reference.id), item did not"
      case .success(let item):
        let isSame =
          item.reference.id == reference.id && expected[reference.id] == .item(item.metadata)
        return isSame ? nil : "items gave \(item.reference.id) in the place of \(reference.id)"
      }
    }
  }

  /// 4. A reference delivered in an earlier run is still good for `item`, in another process too.
  package func referencesOutliveTheProcess() async throws -> [String] {
    let first = try make(subject.client)
    let references = try await sample(first)
    let stored = try JSONEncoder().encode(references)
    let adapter = try make(subject.client)
    var wrong: [String] = []
    for reference in try JSONDecoder().decode([ItemReference].self, from: stored) {
      guard let error = await failure({ _ = try await adapter.item(reference) }),
        await outcome(first, reference) != .failure(error.code)
      else { continue }
      wrong.append("\(reference.id) fails without its listing: \(error)")
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
      guard case .failure(let error) = result,
        await outcome(adapter, reference) != .failure(error.code)
      else { continue }
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
