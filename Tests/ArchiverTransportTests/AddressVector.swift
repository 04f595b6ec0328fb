import ArchiverCore
import Testing

@testable import ArchiverTransport

/// A URL of the public collection with its verdict.
struct AddressVector: Decodable, Sendable, CustomTestStringConvertible {
  let target: String
  let kind: String
  let deny: Bool
  let note: String

  var testDescription: String { "\(kind) \(target)" }

  /// The collection beside the project; empty if it is absent.
  static let all: [AddressVector] = {
    guard let data = Fixtures.contents("security/ssrf-vectors.json") else { return [] }
    do {
      return try JSONDecoder().decode([AddressVector].self, from: data)
    } catch {
      Issue.record("the collection cannot be read: \(error)")
      return []
    }
  }()

  /// The addresses of these names in the collection; no DNS server is queried.
  static let names = [
    "169.254.169.254.nip.io": ["169.254.169.254"], "127.0.0.1.nip.io": ["127.0.0.1"],
    "rebind.test": ["127.0.0.1"], "public.test": ["93.184.216.34", "10.0.0.1"],
  ]

  /// The collection lists these twice: denied, and allowed by its origin's own configuration.
  private static let configurable: Set = ["172.16.0.1", "172.16.1.1", "192.168.1.1"]

  /// The hosts that the user has to name for the verdict.
  var allowed: [String] { !deny && AddressVector.configurable.contains(target) ? [target] : [] }

  /// The requested URL as written; for a redirect, its target.
  var address: String {
    var text = String(target.split(separator: "Location: ").last ?? "")
    if let space = text.firstIndex(of: " ") { text = String(text[..<space]) }
    guard !text.contains(":") || IPAddress(text) != nil || text.hasPrefix("fe80") else {
      return text
    }
    return text.contains(":") ? "http://[\(text)]/" : "http://\(text)/"
  }

  /// The DNS response for the vector's host; `nil` if the vector is not about an address.
  var answer: [String]? {
    guard let url = WebURL(address) else { return nil }
    switch HostName(urlHost: url.host) {
    case .literal(let address): return [address.description]
    case .name(let name): return AddressVector.names[name]
    case .invalid, .local: return nil
    }
  }

  /// IPv6 addresses that embed the vector's IPv4 address.
  var carriers: [String] {
    guard deny, let first = answer?.last, let four = IPAddress(first), four.isIPv4 else {
      return []
    }
    let bytes = four.bytes.map { String($0, radix: 16) }.map { $0.count < 2 ? "0" + $0 : $0 }
    let high = bytes[0] + bytes[1]
    let low = bytes[2] + bytes[3]
    let hidden = four.bytes.map { String($0 ^ 0xFF, radix: 16) }.map {
      $0.count < 2 ? "0" + $0 : $0
    }
    return [
      "::ffff:\(first)", "::\(first)", "::ffff:0:\(high):\(low)",  // mapped, compatible, translated
      "64:ff9b::\(high):\(low)", "64:ff9b:1::\(high):\(low)",  // NAT64 (RFC 6052, RFC 8215)
      "2002:\(high):\(low)::1",  // 6to4 (RFC 3056)
      "2001:0:c000:204:8000:63bf:\(hidden[0])\(hidden[1]):\(hidden[2])\(hidden[3])",  // Teredo
      "fe80::5efe:\(high):\(low)",  // ISATAP (RFC 5214)
    ]
  }
}
