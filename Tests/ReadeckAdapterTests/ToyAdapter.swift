import ArchiverCore
import ArchiverTestKit
import Synchronization

/// An adapter of three items that can break any one clause of the contract.
struct ToyAdapter: SourceAdapter {
  enum Flaw: String, CaseIterable {
    case otherIdsEachTime, newRevisionsSinceCheckpoint, mixesItems, needsItsListing
    case emptyWhenGone, notFoundWhenRefused, ignoresCancellation, answersWithoutAsking
    case trustsAnyCheckpoint, reversesItems, tellsSecret, sharesOptions
    case withholdsWhatItLists, missesWhatIsGone

    /// The clause that it breaks, as `AdapterConformance` names it.
    var sentence: String {
      switch self {
      case .otherIdsEachTime: "1"
      case .newRevisionsSinceCheckpoint: "2"
      case .mixesItems, .reversesItems: "3"
      case .needsItsListing: "4"
      case .emptyWhenGone: "5"
      case .notFoundWhenRefused, .tellsSecret: "6"
      case .ignoresCancellation: "7"
      case .answersWithoutAsking: "8"
      case .withholdsWhatItLists, .missesWhatIsGone: "9"
      case .trustsAnyCheckpoint: "checkpoint"
      case .sharesOptions: "properties"
      }
    }
  }

  struct Configuration: Decodable, Sendable {}

  final class Memory: Sendable {
    let listings = Mutex(0)
  }

  static let kind = "toy"
  @TaskLocal static var sharesOptions = false
  static var properties: AdapterProperties {
    AdapterProperties(
      title: "Toy", summary: "Three items",
      settings: [
        AdapterSetting("one", .text, option: "--one", help: "Help"),
        AdapterSetting("two", .text, option: sharesOptions ? "--one" : "--two", help: "Help"),
      ], batchSize: 3)
  }

  private let flaw: Flaw?
  private let http: any HTTPClient
  private let memory = Memory()
  private static let starts = Mutex(0)

  static func access(_ configuration: Configuration) throws(AdapterError) -> SourceAccess {
    throw AdapterError(.configuration, "A toy has no address")
  }

  init(configuration: Configuration, context: AdapterContext) throws(AdapterError) {
    self.init(nil, context.http)
  }

  init(_ flaw: Flaw?, _ http: any HTTPClient) {
    self.flaw = flaw
    self.http = http
  }

  func listing(since checkpoint: Checkpoint?) -> PagedListing<Bool> {
    PagedListing(false) { isDone throws(AdapterError) in
      guard !isDone else { return nil }
      isDone = true
      try await ask("/list")
      memory.listings.withLock { $0 += 1 }
      let run = ToyAdapter.starts.withLock { count in
        count += 1
        return count
      }
      if flaw == .trustsAnyCheckpoint, checkpoint != nil { return ListingPage() }
      let isNew = flaw == .newRevisionsSinceCheckpoint && checkpoint?.value == "toy"
      let prefix = flaw == .otherIdsEachTime ? "\(run)-" : ""
      return ListingPage(
        references: ["a", "b", "c"].map {
          ItemReference(id: prefix + $0, revision: isNew ? "2" : "1")
        }, checkpoint: Checkpoint("toy"))
    }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    try await ask("/item")
    if flaw == .needsItsListing, memory.listings.withLock({ $0 }) == 0 {
      throw AdapterError(.malformed, "Which listing?")
    }
    let isThere = ["a", "b", "c"].contains(reference.id.suffix(1))
    guard isThere || flaw == .emptyWhenGone else { throw AdapterError(.notFound, "It is gone") }
    var reference = reference
    if flaw == .mixesItems { reference.id = "a" }
    return SourceItem(
      reference: reference, metadata: ItemMetadata(kind: .page, title: reference.id),
      body: .none(reason: "A toy"))
  }

  func items(_ references: [ItemReference]) async -> [Result<SourceItem, AdapterError>] {
    var results: [Result<SourceItem, AdapterError>] = []
    for reference in flaw == .reversesItems ? references.reversed() : references {
      do throws(AdapterError) {
        results.append(.success(try await item(reference)))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }

  func standings(of ids: [String]) async throws(AdapterError) -> [String: ItemStanding] {
    let listed: ItemStanding = flaw == .withholdsWhatItLists ? .withheld : .available
    let gone: ItemStanding = flaw == .missesWhatIsGone ? .available : .gone
    return Dictionary(
      ids.map { ($0, ["a", "b", "c"].contains($0.suffix(1)) ? listed : gone) },
      uniquingKeysWith: { first, _ in first })
  }

  private func ask(_ path: String) async throws(AdapterError) {
    if flaw == .ignoresCancellation, Task.isCancelled { return }
    if flaw == .answersWithoutAsking, !Task.isCancelled { return }
    guard let url = WebURL("http://toy.test\(path)") else { return }
    let status: Int
    do throws(HTTPError) {
      status = try await http.send(HTTPRequest(.get, url)).status
    } catch {
      throw AdapterError(error.code == .cancelled ? .cancelled : .unavailable, error.message)
    }
    guard status == 401 else { return }
    throw AdapterError(
      flaw == .notFoundWhenRefused ? .notFound : .unauthorized,
      flaw == .tellsSecret ? "sesame is wrong" : "Refused")
  }

  static func violations(_ flaw: Flaw?) async -> [String] {
    guard let base = WebURL("http://toy.test/") else { return ["no address"] }
    let handler: HandlerHTTPClient.Handler = { request in
      ServerResponse(request.headers["Authorization"] == "Bearer good" ? 200 : 401)
    }
    let subject = AdapterConformance<ToyAdapter>.Subject(
      client: HandlerHTTPClient(baseURL: base, bearer: Secret("good"), handler: handler),
      refusedClient: HandlerHTTPClient(baseURL: base, handler: handler), secret: Secret("sesame"),
      gone: ItemReference(id: "gone", revision: "1"))
    return await $sharesOptions.withValue(flaw == .sharesOptions) {
      await AdapterConformance<ToyAdapter>(subject) { ToyAdapter(flaw, $0) }.violations()
    }
  }
}
