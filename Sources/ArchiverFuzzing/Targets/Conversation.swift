import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Synchronization

/// A source that uses a fake server, of whose responses one is replaced by the input.
///
/// The first byte of an input selects a URL of an undisturbed conversation, which is answered with
/// the rest of the input. The other responses are unchanged, so that the input is used as deep as
/// possible.
struct Conversation: Sendable {
  struct BadAddress: Error {}

  /// The number of requests after which the server refuses: a source in a cycle must end
  /// nevertheless.
  private static let patience = 400
  private static let itemCount = 4

  let handlers: [Origin: HandlerHTTPClient.Handler]
  let access: SourceAccess
  let makeSource: @Sendable (any HTTPClient) throws(AdapterError) -> any Source

  init(
    handlers: [Origin: HandlerHTTPClient.Handler], access: SourceAccess,
    makeSource: @escaping @Sendable (any HTTPClient) throws(AdapterError) -> any Source
  ) {
    self.handlers = handlers
    self.access = access
    self.makeSource = makeSource
  }

  /// Returns a target whose seeds are the responses of an undisturbed conversation.
  func target(_ name: String, dictionary: [String]) async throws -> FuzzTarget {
    let heard = Mutex<[String: [UInt8]]>([:])
    let problems = await hold { request, response in
      heard.withLock { $0[request.target] = response.content }
      return response
    }
    guard problems.isEmpty else { throw Misunderstanding(problems: problems) }
    let answers = heard.withLock { $0 }
    let targets = answers.keys.sorted().prefix(250)
    let seeds = targets.enumerated().map { [UInt8($0)] + (answers[$1] ?? []) }
    return FuzzTarget(name: name, dictionary: dictionary, seeds: seeds, hasSelector: true) {
      input in
      guard let first = input.first, !targets.isEmpty else { return [] }
      let replaced = targets[Int(first) % targets.count]
      return await hold { request, response in
        guard request.target == replaced else { return response }
        var response = response
        response.body = .bytes(Array(input.dropFirst()))
        return response
      }
    }
  }

  /// Lists the source, fetches the listed items and returns violations.
  private func hold(
    _ answer: @escaping @Sendable (ServerRequest, ServerResponse) -> ServerResponse
  ) async -> [String] {
    let requests = Mutex(0)
    let disturbed = handlers.mapValues { handler -> HandlerHTTPClient.Handler in
      { request in
        let number = requests.withLock {
          $0 += 1
          return $0
        }
        guard number <= Conversation.patience else { return .text("enough", status: 403) }
        return answer(request, handler(request))
      }
    }
    do throws(AdapterError) {
      let source = try makeSource(HandlerHTTPClient(handlers: disturbed, access: access))
      return await items(of: source)
    } catch {
      return error.message.isEmpty ? ["a refusal without words"] : []
    }
  }

  private func items(of source: some Source) async -> [String] {
    var references: [ItemReference] = []
    var problems: [String] = []
    do {
      for try await page in source.listing(since: nil) {
        references += page.references
        if references.count >= Conversation.itemCount { break }
      }
    } catch {
      if error.message.isEmpty { problems.append("a refusal without words") }
    }
    for reference in references {
      if reference.id.isEmpty { problems.append("an item without an id") }
      if reference.id.utf8.count > 1_024 { problems.append("an id of over 1,024 bytes") }
    }
    for outcome in await source.items(Array(references.prefix(Conversation.itemCount))) {
      switch outcome {
      case .success(let item): problems += self.problems(of: item)
      case .failure(let error):
        if error.message.isEmpty { problems.append("a refusal without words") }
      }
    }
    return problems
  }

  private func problems(of item: SourceItem) -> [String] {
    guard case .html(let bytes, let base) = item.body else { return [] }
    do throws(MarkupError) {
      return CanonicalGrammar(try HTMLSanitizer().sanitize(bytes, baseURL: base).bytes).violations
    } catch {
      return []
    }
  }
}

/// The undisturbed conversation failed, so that there are no seeds.
struct Misunderstanding: Error, CustomStringConvertible {
  let problems: [String]

  var description: String { problems.joined(separator: "; ") }
}
