/// The position from which a later listing may continue; opaque to all but the adapter that made
/// it.
public struct Checkpoint: Sendable, Hashable, Codable {
  public let value: String

  public init(_ value: String) {
    self.value = value
  }

  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// An item in a listing: enough to decide whether to fetch it, without content.
public struct ItemReference: Sendable, Hashable, Codable {
  /// The source's own id: not empty, stable for ever, at most 1,024 bytes of any text.
  public var id: String
  /// A text that changes whenever the item may have changed; compared for equality only.
  public var revision: String
  /// The title, for messages; empty if the listing has none.
  public var title: String
  /// The date for the order "newest first": when the user saved or last changed the item.
  @BoundedDate public var date: Date?
  /// Private data of the adapter, returned to it in this and later runs; at most 64 KiB.
  public var payload: String?

  public init(
    id: String, revision: String, title: String = "", date: Date? = nil, payload: String? = nil
  ) {
    self.id = id
    self.revision = revision
    self.title = title
    self.date = date
    self.payload = payload
  }
}

/// Something that a listing could not read; reported after the run.
///
/// The listing continues. One with an essential gap is never a complete enumeration, and its
/// checkpoint must not move past what it could not read.
public struct ListingGap: Sendable, Hashable {
  /// One sentence with object and reason. Never a secret.
  public var message: String
  /// Whether items may be missing or outdated because of it: the run then ends with 1. False if
  /// only details of items are missing, such as names of users.
  public var isEssential: Bool

  public init(_ message: String, isEssential: Bool) {
    self.message = message
    self.isEssential = isEssential
  }
}

/// A page of a listing.
public struct ListingPage: Sendable {
  public var references: [ItemReference]
  /// Ids of items that were deleted at the source.
  public var deleted: [String]
  /// The checkpoint once everything up to and including this page is stored; `nil` keeps the last
  /// one.
  public var checkpoint: Checkpoint?
  /// The number of items in the whole listing, if the source reports it.
  public var total: Int?
  /// On the last page: the listing returned every item of the source, so that all others count as
  /// deleted. False for incremental and filtered listings and for those with gaps.
  public var isCompleteEnumeration: Bool
  /// The gaps since the previous page.
  public var gaps: [ListingGap]
  /// Ids of references that are fetched although their revisions are archived, because a file of theirs may have been
  /// replaced without a sign in the listing. If such an item is unchanged, none of its files is downloaded. Items
  /// with missing parts are retried by a schedule of their own.
  public var revisited: Set<String>

  public init(
    references: [ItemReference] = [], deleted: [String] = [], checkpoint: Checkpoint? = nil,
    total: Int? = nil, isCompleteEnumeration: Bool = false, gaps: [ListingGap] = [],
    revisited: Set<String> = []
  ) {
    self.gaps = gaps
    self.revisited = revisited
    self.references = references
    self.deleted = deleted
    self.checkpoint = checkpoint
    self.total = total
    self.isCompleteEnumeration = isCompleteEnumeration
  }
}

/// A listing made from a state and a closure that fetches the next page.
///
/// `step` is called with the state that the previous call left, initially `initial`; `nil` ends the
/// listing. Each iteration starts from `initial`.
public struct PagedListing<State: Sendable>: AsyncSequence, Sendable {
  public typealias Element = ListingPage
  public typealias Failure = AdapterError
  public typealias Step = @Sendable (inout State) async throws(AdapterError) -> ListingPage?

  private let initial: State
  private let step: Step

  public init(_ initial: State, step: @escaping Step) {
    self.initial = initial
    self.step = step
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(state: initial, step: step)
  }

  public struct Iterator: AsyncIteratorProtocol {
    var state: State
    let step: Step

    public mutating func next() async throws(AdapterError) -> ListingPage? {
      try await step(&state)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(AdapterError) -> ListingPage? {
      try await step(&state)
    }
  }
}
