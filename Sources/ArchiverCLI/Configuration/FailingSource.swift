import ArchiverCore
import ArchiverPipeline

/// A source that fails at once, which is recorded like any other failure: its program is not
/// installed, or its server was unreachable before the run.
struct FailingSource: Source {
  let error: AdapterError

  func listing(since checkpoint: Checkpoint?) -> PagedListing<Bool> {
    PagedListing(false) { (_: inout Bool) throws(AdapterError) in throw error }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem { throw error }
}

extension RunSource {
  /// Returns the source as an unreachable one. Its rules remove nothing.
  func unreached(_ error: AdapterError) -> RunSource {
    var source = RunSource(
      name: name, kind: kind, properties: properties, adapter: FailingSource(error: error),
      client: client, origin: origin)
    source.secrets = secrets
    return source
  }
}
