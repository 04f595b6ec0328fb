package import ArchiverCore

/// Checks an adapter against the contract of `SourceAdapter`, one function per sentence.
///
/// Every function returns what it found wrong, a sentence each; none means that the adapter keeps
/// the contract as far as a test can see. The source must hold at least two items, must not change
/// meanwhile, and answer over `client`.
package struct AdapterConformance<Adapter: SourceAdapter>: Sendable {
  /// What the checks need to know about the source.
  package struct Subject: Sendable {
    /// Reaches the source with a good credential.
    package var client: any HTTPClient
    /// Reaches the source with a credential that it refuses; `nil` for a source without any.
    package var refusedClient: (any HTTPClient)?
    /// Must not be in any message; `nil` for a source without any.
    package var secret: Secret?
    /// An item that was there once and is gone.
    package var gone: ItemReference

    package init(
      client: any HTTPClient, refusedClient: (any HTTPClient)?, secret: Secret?,
      gone: ItemReference
    ) {
      self.client = client
      self.refusedClient = refusedClient
      self.secret = secret
      self.gone = gone
    }
  }

  /// Makes an adapter that knows nothing of others, as another process does.
  package typealias Factory = @Sendable (any HTTPClient) throws -> Adapter

  let subject: Subject
  let make: Factory

  package init(_ subject: Subject, make: @escaping Factory) {
    self.subject = subject
    self.make = make
  }

  /// Runs every check and returns all that is wrong, each with the number of its sentence.
  package func violations() async -> [String] {
    var all: [String] = []
    for (sentence, check) in checks {
      do {
        all += try await check().map { "\(sentence): \($0)" }
      } catch {
        all.append("\(sentence): the check ended with an error: \(error)")
      }
    }
    return all
  }

  private var checks: [(String, () async throws -> [String])] {
    [
      ("properties", { self.properties() }),
      ("1", listingRepeats), ("2", pagesMayComeTwice), ("3", itemsInAnyOrder),
      ("4", referencesOutliveTheProcess), ("5", goneIsNotFound), ("6", refusalIsUnauthorized),
      ("7", cancellationEndsCalls), ("8", nothingButTheClient),
      ("checkpoint", foreignCheckpointIsNone),
    ]
  }

  /// The kind and the settings are in order.
  package func properties() -> [String] {
    var wrong: [String] = []
    if Adapter.kind.isEmpty || !Adapter.kind.allSatisfy({ $0.isASCII && $0.isLowercase }) {
      wrong.append("the kind \"\(Adapter.kind)\" is not lower-case letters")
    }
    let settings = Adapter.properties.settings
    for names in [
      settings.map(\.key), settings.compactMap(\.environment), settings.compactMap(\.option),
    ] where Set(names).count != names.count {
      wrong.append("settings share a name: \(names.sorted())")
    }
    for setting in settings where setting.help.isEmpty || setting.help.hasSuffix(".") {
      wrong.append("the help of \(setting.key) is empty or ends with a full stop")
    }
    return wrong
  }

  /// A listing and what it amounts to.
  struct Outcome {
    var references: [ItemReference] = []
    var deleted: [String] = []
    var checkpoint: Checkpoint?

    var revisions: [String: String] {
      Dictionary(references.map { ($0.id, $0.revision) }) { _, last in last }
    }
  }

  func list(_ adapter: Adapter, since checkpoint: Checkpoint? = nil) async throws -> Outcome {
    try await collect(adapter.listing(since: checkpoint))
  }

  func collect(_ listing: Adapter.Listing) async throws -> Outcome {
    var outcome = Outcome()
    for try await page in listing {
      outcome.references += page.references
      outcome.deleted += page.deleted
      outcome.checkpoint = page.checkpoint ?? outcome.checkpoint
    }
    return outcome
  }

  /// The error of a call; `nil` when it succeeded.
  func failure(_ call: () async throws -> Void) async -> AdapterError? {
    do {
      try await call()
      return nil
    } catch {
      return error as? AdapterError ?? AdapterError(.malformed, "a foreign error: \(error)")
    }
  }
}
