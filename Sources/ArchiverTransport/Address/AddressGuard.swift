import ArchiverCore

/// Decides before a request, and again when it connects, which addresses it may reach.
///
/// 1. An origin that the policy or the source's access names may be anywhere.
/// 2. Any other host is looked up here first. One address that is not public denies the whole
///    answer, so that a second attempt cannot reach it; the rest is pinned for the connection.
///    Addresses of a NAT64 translator beside others are left out rather than held against the host.
/// 3. Every socket is judged again by the address it is about to connect to, and every connection,
///    a pooled one too, by the address it has.
/// 4. Through a proxy the connection is to the proxy, whose own addresses are then allowed. The
///    target is judged as far as this machine can look it up; a name that only the proxy knows
///    passes unless it is a local one. What the proxy itself resolves cannot be seen.
struct AddressGuard: Sendable {
  let resolver: NameResolver
  let proxies: ProxySettings
  let policy: AddressPolicy
  let source: Origin?

  /// What a request may connect to.
  struct Permit: Sendable {
    /// Whether any address is allowed.
    var isUnrestricted = false
    /// Non-public addresses that are allowed: the proxy's.
    var proxyAddresses: [IPAddress] = []
    /// Addresses that the name is pinned to; if empty, curl resolves the name.
    var pinned: [IPAddress] = []

    func allows(_ address: IPAddress) -> Bool {
      isUnrestricted || address.isPublic || proxyAddresses.contains(address)
    }
  }

  /// Returns the permit for a request; throws `.addressDenied`, `.badURL`, `.resolve`, `.timeout`
  /// or `.cancelled`.
  func permit(for url: WebURL, timeout: Duration) async throws(HTTPError) -> Permit {
    if policy.allowsPrivateAddress(for: url.origin) || source == url.origin {
      return Permit(isUnrestricted: true, pinned: resolver.replaced(url.host) ?? [])
    }
    switch HostName(urlHost: url.host) {
    case .invalid:
      throw HTTPError(.badURL, "\(url.withoutQuery) has an invalid host")
    case .local:
      throw denied(url, "its host is a name of the local network")
    case .literal(let address):
      guard address.isPublic else { throw denied(url, reason(address)) }
      return Permit(proxyAddresses: await proxyAddresses(url, timeout))
    case .name(let name):
      return try await permit(for: name, url, timeout)
    }
  }

  private func permit(
    for name: String, _ url: WebURL, _ timeout: Duration
  ) async throws(HTTPError) -> Permit {
    let proxyAddresses = await proxyAddresses(url, timeout)
    let found = try await addresses(of: name, url, timeout)
    if found.isEmpty {
      guard !proxyAddresses.isEmpty else {
        throw HTTPError(
          .resolve,
          "\(url.withoutQuery) cannot be reached: its host has no IP address")
      }
      return Permit(proxyAddresses: proxyAddresses)
    }
    let usable = found.filter { $0.addressClass != .nat64 }
    if let bad = (usable.isEmpty ? found : usable).first(where: { !$0.isPublic }) {
      throw denied(url, reason(bad))
    }
    return Permit(proxyAddresses: proxyAddresses, pinned: usable)
  }

  private func addresses(
    of name: String, _ url: WebURL, _ timeout: Duration
  ) async throws(HTTPError) -> [IPAddress] {
    if let replaced = resolver.replaced(name) { return replaced }
    if let found = await resolver.addresses(of: name, timeout: timeout) { return found }
    if Task.isCancelled { throw .cancelled(url) }
    throw HTTPError(
      .timeout, "\(url.withoutQuery) cannot be reached: the DNS lookup of its host timed out")
  }

  private func proxyAddresses(_ url: WebURL, _ timeout: Duration) async -> [IPAddress] {
    guard let host = proxies.host(forScheme: url.scheme) else { return [] }
    if case .literal(let address) = HostName(urlHost: host) { return [address] }
    if let replaced = resolver.replaced(host) { return replaced }
    return await resolver.addresses(of: host, timeout: timeout) ?? []
  }

  private func denied(_ url: WebURL, _ reason: String) -> HTTPError {
    HTTPError(.addressDenied, "\(url.withoutQuery) was not requested: \(reason)")
  }

  private func reason(_ address: IPAddress) -> String {
    "\(address) is not a public address (\(address.addressClass.rawValue))"
  }
}

extension HTTPError {
  static func cancelled(_ url: WebURL) -> HTTPError {
    HTTPError(.cancelled, "the request to \(url.withoutQuery) was cancelled")
  }
}
