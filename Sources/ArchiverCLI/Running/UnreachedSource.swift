import ArchiverCore
import ArchiverPipeline

/// A source that was unreachable before the run: it fails at once, which is recorded like any other
/// failure.
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
  /// Returns the source as an unreachable one. Its rules remove nothing.
  func unreached(_ error: AdapterError) -> RunSource {
    var source = RunSource(
      name: name, kind: kind, properties: properties, adapter: UnreachedSource(error: error),
      client: client, origin: origin)
    source.secrets = secrets
    return source
  }
}
