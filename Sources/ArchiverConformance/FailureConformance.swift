import ArchiverCore

extension AdapterConformance {
  /// 6. A refused credential fails with `.unauthorized` from the first request on.
  package func refusalIsUnauthorized() async throws -> [String] {
    guard let client = subject.refusedClient else { return [] }
    let reference = try await sample(make(subject.client)).first ?? subject.gone
    let adapter = try make(client)
    let errors = [
      ("listing", await failure { _ = try await list(adapter) }),
      ("item", await failure { _ = try await adapter.item(reference) }),
      ("items", await adapter.items([reference]).first.flatMap(\.failure)),
    ]
    var wrong: [String] = []
    for (call, error) in errors {
      if error?.code != .unauthorized { wrong.append("\(call) gave \(describe(error))") }
      if let secret = subject.secret, let error, error.message.contains(secret.reveal()) {
        wrong.append("\(call) revealed the secret")
      }
    }
    return wrong
  }

  /// 7. Cancelling the calling task ends the call with `.cancelled`.
  package func cancellationEndsCalls() async throws -> [String] {
    let adapter = try make(subject.client)
    let reference = try await sample(adapter).first ?? subject.gone
    var wrong: [String] = []
    let fresh = try make(subject.client)
    let item = await cancelled { _ = try await fresh.item(reference) }
    if item?.code != .cancelled { wrong.append("item gave \(describe(item))") }
    let listing = await cancelled { _ = try await list(fresh) }
    if listing?.code != .cancelled { wrong.append("listing gave \(describe(listing))") }
    let items = await cancelled { _ = try await fresh.items([reference]).first?.get() }
    if items?.code != .cancelled { wrong.append("items gave \(describe(items))") }
    return wrong
  }

  /// 8. An adapter keeps no state outside its own memory and asks for nothing but over
  /// `context.http`.
  ///
  /// So nothing succeeds if that client reaches no server.
  package func nothingButTheClient() async throws -> [String] {
    let reference = try await sample(make(subject.client)).first ?? subject.gone
    let adapter = try make(UnreachableClient())
    var wrong: [String] = []
    let listing = await failure { _ = try await list(adapter) }
    if listing?.code != .unavailable { wrong.append("listing gave \(describe(listing))") }
    let item = await failure { _ = try await adapter.item(reference) }
    if item?.code != .unavailable { wrong.append("item gave \(describe(item))") }
    return wrong
  }

  /// Returns the error of a call in a cancelled task.
  private func cancelled(_ call: @escaping @Sendable () async throws -> Void) async -> AdapterError?
  {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure(call)
    }
    return await task.value
  }
}

extension Result where Failure == AdapterError {
  fileprivate var failure: AdapterError? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// A client whose requests all fail.
private struct UnreachableClient: HTTPClient {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.connect, "no connection to \(request.url.origin)")
  }
}
