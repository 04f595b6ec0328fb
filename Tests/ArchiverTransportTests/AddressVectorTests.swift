import ArchiverCore
import Testing

@testable import ArchiverTransport

/// The public collection of addresses and their verdicts that lies beside the project.
struct AddressVectorTests {
  private struct Vector: Decodable {
    let target: String
    let kind: String
    let deny: Bool
    let note: String
  }

  // These names lead where the collection's authors met them; no server is asked.
  private static let names = [
    "169.254.169.254.nip.io": ["169.254.169.254"], "127.0.0.1.nip.io": ["127.0.0.1"],
    "rebind.test": ["127.0.0.1"], "public.test": ["93.184.216.34", "10.0.0.1"],
  ]

  // The collection lists these twice: denied, and allowed by its origin's own configuration.
  private static let allowedByConfiguration: Set = ["172.16.0.1", "172.16.1.1", "192.168.1.1"]

  private static let vectors: [Vector] = {
    guard let data = Fixtures.contents("security/ssrf-vectors.json") else { return [] }
    do {
      return try JSONDecoder().decode([Vector].self, from: data)
    } catch {
      Issue.record("the collection cannot be read: \(error)")
      return []
    }
  }()

  @Test(
    .enabled(
      if: Fixtures.folder != nil,
      "no shared fixtures: set ARCHIVER_FIXTURES or put them beside the project"))
  func `every vector gets its verdict`() async throws {
    #expect(AddressVectorTests.vectors.count > 200)
    for vector in AddressVectorTests.vectors {
      let isConfigured = AddressVectorTests.allowedByConfiguration.contains(vector.target)
      if isConfigured && !vector.deny {
        #expect(try await permits(vector.target, allowing: [vector.target]))
      } else {
        #expect(try await permits(vector.target) == !vector.deny, "\(vector.kind) \(vector.target)")
      }
    }
  }

  /// Whether a request would be made at all; a redirect's target is judged in place of its source.
  private func permits(_ target: String, allowing hosts: [String] = []) async throws -> Bool {
    var text = String(target.split(separator: "Location: ").last ?? "")
    if let space = text.firstIndex(of: " ") { text = String(text[..<space]) }
    if !text.contains(":") || IPAddress(text) != nil || text.hasPrefix("fe80") {
      text = text.contains(":") ? "http://[\(text)]/" : "http://\(text)/"
    }
    guard let url = WebURL(text) else { return false }
    let addressGuard = AddressGuard(
      resolver: NameResolver(replacement: { AddressVectorTests.names[$0] }),
      proxies: ProxySettings(environment: [:]),
      policy: AddressPolicy(hosts: Set(hosts.compactMap { AddressPolicy.AllowedHost($0) })),
      source: nil)
    do throws(HTTPError) {
      _ = try await addressGuard.permit(for: url, timeout: .seconds(5))
      return true
    } catch {
      #expect(
        [.addressDenied, .badURL].contains(error.code), "\(target): \(error.code.rawValue)")
      return false
    }
  }
}
