import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverTransport

/// The public collection of addresses, by every path an address can take.
@Suite(
  .enabled(
    if: Fixtures.folder != nil,
    "no shared fixtures: set ARCHIVER_FIXTURES or put them beside the project"))
struct AddressVectorTests {
  @Test func `the collection is whole`() {
    #expect(AddressVector.all.count >= 231)
    #expect(AddressVector.all.count { $0.answer != nil } > 180)
    #expect(AddressVector.all.count { !$0.carriers.isEmpty } > 130)
  }

  @Test(arguments: AddressVector.all)
  func `an address as it is written gets its verdict`(_ vector: AddressVector) async throws {
    let code = await verdict(
      WebURL(vector.address), names: AddressVector.names, allowing: vector.allowed)
    #expect((code != nil) == vector.deny, "\(code?.rawValue ?? "allowed")")
    if let code { #expect([.addressDenied, .badURL].contains(code), "\(code.rawValue)") }
  }

  @Test(arguments: AddressVector.all)
  func `an address found by DNS gets its verdict`(_ vector: AddressVector) async throws {
    guard let answer = vector.answer else { return }
    let url = try #require(WebURL("http://name.test/"))
    let allowed = vector.allowed.isEmpty ? [] : ["name.test"]
    let code = await verdict(url, names: ["name.test": answer], allowing: allowed)
    #expect(code == (vector.deny ? .addressDenied : nil))
    // A public address beside it changes nothing, except that a translator's is left out.
    let isTranslated = answer.contains { IPAddress($0)?.addressClass == .nat64 }
    let mixed = await verdict(
      url, names: ["name.test": ["93.184.216.34"] + answer], allowing: allowed)
    #expect(mixed == (vector.deny && !isTranslated ? .addressDenied : nil))
  }

  @Test(arguments: AddressVector.all)
  func `an IPv6 address that carries a denied one is denied`(_ vector: AddressVector) async throws {
    let url = try #require(WebURL("http://name.test/"))
    for carrier in vector.carriers {
      let literal = try #require(WebURL("http://[\(carrier)]/"))
      #expect(await verdict(literal) == .addressDenied, "\(carrier)")
      #expect(
        await verdict(url, names: ["name.test": [carrier]]) == .addressDenied, "\(carrier) by name")
    }
  }

  @Test func `the target of a redirect gets its verdict`() async throws {
    // Permitted URLs are requested through a proxy, so that nothing leaves this machine.
    let proxy = try LoopbackServer(handler: { _ in .text("reached") })
    defer { proxy.stop() }
    let loopback = try Loopback(
      resolver: { AddressVector.names[$0] ?? ($0 == "elsewhere.test" ? ["192.31.196.1"] : []) },
      environment: [
        "http_proxy": proxy.baseURL.absoluteString, "https_proxy": proxy.baseURL.absoluteString,
        "no_proxy": "127.0.0.1",
      ]
    ) { request in
      let index = Int(request.parameter("to") ?? "") ?? 0
      return .redirect(AddressVector.all[index].address, status: 307)
    }
    for (index, vector) in AddressVector.all.enumerated() {
      let client = loopback.client(allowing: vector.allowed)
      let start = HTTPRequest(
        .get, try loopback.url("/?to=\(index)"), timeouts: .brief)
      let before = proxy.requests.count
      let error = await failure { try await client.send(start) }
      let code = error?.code
      if vector.deny {
        #expect(
          [.addressDenied, .badURL, .redirectRefused].contains(code),
          "\(vector.address): \(code?.rawValue ?? "allowed")")
        #expect(proxy.requests.count == before, "\(vector.address)")
      } else {
        #expect(code == nil, "\(vector.address): \(error?.message ?? "")")
      }
    }
    let requests = loopback.server.requests
    #expect(requests.count == AddressVector.all.count, "each was asked for once, and no target")
  }

  /// Returns the reason for refusing a request; `nil` if it is permitted.
  private func verdict(
    _ url: WebURL?, names: [String: [String]] = [:], allowing hosts: [String] = []
  ) async -> HTTPError.Code? {
    guard let url else { return .badURL }
    let addressGuard = AddressGuard(
      resolver: NameResolver(replacement: { names[$0] }), proxies: ProxySettings(environment: [:]),
      policy: AddressPolicy(hosts: Set(hosts.compactMap { AddressPolicy.AllowedHost($0) })),
      source: nil)
    do throws(HTTPError) {
      _ = try await addressGuard.permit(for: url, timeout: .seconds(5))
      return nil
    } catch {
      return error.code
    }
  }
}
