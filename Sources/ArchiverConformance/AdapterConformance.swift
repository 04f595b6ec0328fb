package import ArchiverCore

/// Checks a source against the contract of `Source`, one function per sentence.
///
/// Every function returns one sentence per violation; an empty result means that no violation was
/// found. The source must not change meanwhile, must use `client`, and must have as many items as
/// `Subject.leastItems`.
package struct AdapterConformance<Adapter: Source>: Sendable {
  /// The source under test.
  package struct Subject: Sendable {
    /// A client with a valid credential.
    package var client: any HTTPClient
    /// A client with a credential that the source refuses; `nil` for a source without credentials.
    package var refusedClient: (any HTTPClient)?
    /// A secret that must not occur in messages; `nil` for a source without one.
    package var secret: Secret?
    /// An item that was deleted.
    package var gone: ItemReference
    /// Whether all requests use `client`; false for an external program.
    package var asksOnlyClient = true
    /// The least number of items with which the checks prove something; fewer are a violation.
    package var leastItems = 2

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

  /// Makes an adapter without shared state, as in another process.
  package typealias Factory = @Sendable (any HTTPClient) throws -> Adapter

  let subject: Subject
  let kind: String
  let kindProperties: AdapterProperties
  let make: Factory

  /// Checks a source of any kind.
  package init(
    _ subject: Subject, kind: String, properties: AdapterProperties, make: @escaping Factory
  ) {
    self.subject = subject
    self.kind = kind
    kindProperties = properties
    self.make = make
  }

  /// Checks a source of a built-in kind.
  package init(_ subject: Subject, make: @escaping Factory) where Adapter: SourceAdapter {
    self.init(subject, kind: Adapter.kind, properties: Adapter.properties, make: make)
  }

  /// A check and the sentence of the contract that it verifies.
  package struct Check {
    /// Its number in the contract, or a word.
    package let sentence: String
    /// The title of the check in a report.
    package let title: String
    /// Returns the violations.
    package let run: () async throws -> [String]
  }

  /// Runs every check and returns all violations, each with the number of its sentence.
  package func violations() async -> [String] {
    var all: [String] = []
    for check in checks {
      all += await findings(of: check).map { "\(check.sentence): \($0)" }
    }
    return all
  }

  /// Runs one check; an error is a violation too.
  package func findings(of check: Check) async -> [String] {
    do {
      return try await check.run()
    } catch {
      return ["the check ended with an error: \(error)"]
    }
  }

  /// The checks that apply to the source, in order.
  package var checks: [Check] {
    var all = [
      Check(sentence: "properties", title: "the description is valid") { properties() },
      Check(
        sentence: "listing", title: "the listing names every item, each once", run: listingIsWhole),
      Check(sentence: "1", title: "a second listing returns the same items", run: listingRepeats),
      Check(
        sentence: "2", title: "a listing since a checkpoint agrees with it", run: pagesMayComeTwice),
      Check(sentence: "items", title: "the first items can be read", run: itemsCanBeRead),
      Check(sentence: "3", title: "items may be requested in any order", run: itemsInAnyOrder),
      Check(
        sentence: "4", title: "references outlive the process", run: referencesOutliveTheProcess),
      Check(sentence: "5", title: "a deleted item is not found", run: goneIsNotFound),
    ]
    if subject.refusedClient != nil {
      all.append(
        Check(
          sentence: "6", title: "a refused credential is unauthorized", run: refusalIsUnauthorized))
    }
    all.append(Check(sentence: "7", title: "cancelling ends calls", run: cancellationEndsCalls))
    if subject.asksOnlyClient {
      all.append(
        Check(sentence: "8", title: "nothing but the client is used", run: nothingButTheClient))
    }
    all.append(
      Check(
        sentence: "9", title: "no listed item is reported as deleted", run: listedIsAvailable))
    all.append(
      Check(
        sentence: "checkpoint", title: "a foreign checkpoint is ignored",
        run: foreignCheckpointIsNone))
    return all
  }

  /// Checks the kind and the settings.
  package func properties() -> [String] {
    var wrong: [String] = []
    let isPlain = kind.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    if kind.isEmpty || !isPlain {
      wrong.append("the kind \"\(kind)\" is not lower-case letters, digits and hyphens")
    }
    let settings = kindProperties.settings
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

  /// A listing and its result.
  struct Outcome {
    var references: [ItemReference] = []
    var deleted: [String] = []
    var gaps: [ListingGap] = []
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
      outcome.gaps += page.gaps
      outcome.checkpoint = page.checkpoint ?? outcome.checkpoint
    }
    return outcome
  }

  /// Returns the error of a call; `nil` if it succeeded.
  func failure(_ call: () async throws -> Void) async -> AdapterError? {
    do {
      try await call()
      return nil
    } catch {
      return error as? AdapterError ?? AdapterError(.malformed, "a foreign error: \(error)")
    }
  }
}
