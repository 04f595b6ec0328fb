import ArchiverCore
import ArchiverPipeline

/// A source that the network did not lead to: its run fails at once, and is recorded as any other.
struct UnreachedSource: Source {
  let error: AdapterError

  struct Listing: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = ListingPage
    typealias Failure = AdapterError

    let error: AdapterError

    func makeAsyncIterator() -> Listing { self }

    func next() async throws(AdapterError) -> ListingPage? { throw error }

    func next(
      isolation actor: isolated (any Actor)?
    ) async throws(AdapterError) -> ListingPage? { throw error }
  }

  func listing(since checkpoint: Checkpoint?) -> Listing { Listing(error: error) }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem { throw error }
}

extension RunSource {
  /// Returns the source as one that cannot be reached. Nothing of it is removed by its rules.
  func unreached(_ error: AdapterError) -> RunSource {
    var source = RunSource(
      name: name, kind: kind, properties: properties, adapter: UnreachedSource(error: error),
      client: client, origin: origin)
    source.secrets = secrets
    return source
  }
}
