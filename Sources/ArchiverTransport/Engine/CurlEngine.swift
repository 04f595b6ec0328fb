/// The process's HTTP engine: libcurl on a thread of its own, with one connection pool.
///
/// Create one per process, and clients from it. HTTP/2 is used over TLS if the server offers it.
/// Bodies arrive decoded (gzip, deflate, br, zstd). TLS is always verified. There are no cookies
/// beyond a chain of redirects (`RedirectCookies`), no `.netrc`, and no schemes but http and https.
package final class CurlEngine: Sendable {
  private let loop: EngineLoop
  let resolver: NameResolver
  let proxies: ProxySettings

  package init(configuration: TransportConfiguration) {
    proxies = ProxySettings(environment: configuration.environment)
    resolver = NameResolver(replacement: configuration.resolver)
    loop = EngineLoop(configuration, proxies)
    loop.start()
  }

  deinit {
    loop.stop()
  }

  /// Ends every pending request with `.cancelled` and refuses new ones. Returns at once.
  package func shutdown() {
    loop.stop()
  }

  func perform(_ request: TransferRequest) async -> Transfer.Outcome {
    let slot = TransferSlot()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let transfer = Transfer(request, continuation)
        loop.submit(transfer)
        if slot.fill(transfer) { loop.cancel(transfer) }
      }
    } onCancel: {
      if let transfer = slot.cancel() { loop.cancel(transfer) }
    }
  }
}
