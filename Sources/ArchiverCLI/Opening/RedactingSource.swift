import ArchiverCore

/// A source that redacts its secrets in errors, whatever its server or program quotes.
struct RedactingSource<Base: Source>: Source {
  let base: Base
  let secrets: AddressSecrets

  struct Listing: AsyncSequence, Sendable {
    typealias Element = ListingPage
    typealias Failure = AdapterError

    let base: Base.Listing
    let secrets: AddressSecrets

    func makeAsyncIterator() -> Iterator {
      Iterator(base: base.makeAsyncIterator(), secrets: secrets)
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.Listing.AsyncIterator
    let secrets: AddressSecrets

    mutating func next() async throws(AdapterError) -> ListingPage? {
      try await next(isolation: nil)
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(AdapterError) -> ListingPage? {
      do throws(AdapterError) {
        return try await base.next(isolation: actor)
      } catch {
        throw error.hiding(secrets)
      }
    }
  }

  func listing(since checkpoint: Checkpoint?) -> Listing {
    Listing(base: base.listing(since: checkpoint), secrets: secrets)
  }

  func wholeListing(knowing checkpoint: Checkpoint?) -> Listing {
    Listing(base: base.wholeListing(knowing: checkpoint), secrets: secrets)
  }

  private func redacted<Value>(
    _ answer: () async throws(AdapterError) -> Value
  ) async throws(AdapterError) -> Value {
    do throws(AdapterError) { return try await answer() } catch { throw error.hiding(secrets) }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    try await redacted { () async throws(AdapterError) in try await base.item(reference) }
  }

  func items(_ references: [ItemReference]) async -> [Result<SourceItem, AdapterError>] {
    await base.items(references).map { result in result.mapError { $0.hiding(secrets) } }
  }

  func titles(of ids: [String]) async -> [String: String] {
    await base.titles(of: ids)
  }

  func account() async throws(AdapterError) -> SourceAccount? {
    try await redacted { () async throws(AdapterError) in try await base.account() }
  }

  func accountRecord() async throws(AdapterError) -> JSONValue? {
    try await redacted { () async throws(AdapterError) in try await base.accountRecord() }
  }

  func standings(of ids: [String]) async throws(AdapterError) -> [String: ItemStanding] {
    try await redacted { () async throws(AdapterError) in try await base.standings(of: ids) }
  }
}

extension Source {
  /// Returns the source with these secrets redacted in its errors.
  func hiding(_ secrets: AddressSecrets) -> any Source {
    secrets.isEmpty ? self : RedactingSource(base: self, secrets: secrets)
  }
}

extension AdapterError {
  fileprivate func hiding(_ secrets: AddressSecrets) -> AdapterError {
    AdapterError(
      code, secrets.hidden(message), retryAfter: retryAfter, underlying: underlying)
  }
}
