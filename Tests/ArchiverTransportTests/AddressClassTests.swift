import ArchiverCore
import Testing

@testable import ArchiverTransport

struct AddressClassTests {
  @Test(arguments: [
    ("1.1.1.1", AddressClass.global), ("9.255.255.255", .global), ("11.0.0.0", .global),
    ("100.63.255.255", .global), ("100.128.0.0", .global), ("126.255.255.255", .global),
    ("128.0.0.0", .global), ("168.63.129.15", .global), ("169.253.255.255", .global),
    ("169.255.0.0", .global), ("172.15.255.255", .global), ("172.32.0.0", .global),
    ("191.255.255.255", .global), ("192.0.1.0", .global), ("192.167.255.255", .global),
    ("192.169.0.0", .global), ("198.17.255.255", .global), ("198.20.0.0", .global),
    ("203.0.114.0", .global), ("223.255.255.255", .global), ("0.0.0.0", .unspecified),
    ("0.1.2.3", .unspecified), ("10.255.255.255", .privateUse), ("127.0.0.1", .loopback),
    ("127.255.255.255", .loopback), ("100.64.0.0", .shared), ("100.127.255.255", .shared),
    ("168.63.129.16", .metadata), ("169.254.169.254", .linkLocal), ("172.16.0.0", .privateUse),
    ("172.31.255.255", .privateUse), ("192.168.0.0", .privateUse),
    ("192.0.0.192", .protocolAssignment), ("192.0.2.255", .documentation),
    ("198.51.100.7", .documentation), ("203.0.113.9", .documentation),
    ("192.88.99.1", .sixToFour), ("198.18.0.0", .benchmarking), ("198.19.255.255", .benchmarking),
    ("224.0.0.0", .multicast), ("239.255.255.255", .multicast), ("240.0.0.0", .reserved),
    ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
  ])
  func `IPv4 addresses fall into their class`(text: String, expected: AddressClass) throws {
    #expect(try #require(IPAddress(text)).addressClass == expected)
  }

  @Test(arguments: [
    ("2606:4700::1111", AddressClass.global), ("2a00::1", .global), ("2001:200::1", .global),
    ("2003::1", .global), ("3ffe::1", .global), ("::", .unspecified), ("::1", .loopback),
    ("::2", .embeddedIPv4), ("::7f00:1", .embeddedIPv4), ("::ffff:0:a00:1", .embeddedIPv4),
    ("::ffff:127.0.0.1", .loopback), ("::ffff:8.8.8.8", .global), ("::ffff:a00:1", .privateUse),
    ("64:ff9b::808:808", .nat64), ("64:ff9b:1::1", .nat64), ("64:ff9b:1:ffff::1", .nat64),
    ("100::1", .discard), ("100:0:0:1::1", .discard), ("200::1", .reserved),
    ("2001::1", .teredo), ("2001:2::1", .benchmarking), ("2001:10::1", .protocolAssignment),
    ("2001:1ff::1", .protocolAssignment), ("2001:db8:ffff::1", .documentation),
    ("2002:a00:1::", .sixToFour), ("3fff::1", .documentation), ("3fff:fff::1", .documentation),
    ("3fff:1000::1", .global), ("4000::1", .reserved), ("5f00::1", .reserved),
    ("fc00::1", .uniqueLocal), ("fdff::1", .uniqueLocal), ("fe00::1", .reserved),
    ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("fec0::1", .siteLocal),
    ("feff::1", .siteLocal), ("ff02::1", .multicast), ("ff0e::1", .multicast),
  ])
  func `IPv6 addresses fall into their class`(text: String, expected: AddressClass) throws {
    #expect(try #require(IPAddress(text)).addressClass == expected)
  }

  @Test func `only global addresses are public`() {
    #expect(AddressClass.allCases.filter(\.isPublic) == [.global])
  }

  @Test(arguments: ["1.2.3.4", "::1", "2001:db8::ff00:42:8329"])
  func `an address prints as it was written`(text: String) {
    #expect(IPAddress(text)?.description == text)
  }

  @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "fe80::1%lo", "[::1]", "example.com"])
  func `anything else is no address`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [(Int32(AF_INET), 8), (Int32(AF_INET6), 24)])
  func `a socket address that is cut is no address`(family: Int32, size: Int) {
    var storage = sockaddr_storage()
    storage.ss_family = sa_family_t(family)
    withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #expect(IPAddress(socketAddress: address, length: size) != nil)
        #expect(IPAddress(socketAddress: address, length: size - 1) == nil)
      }
    }
  }

  @Test func `other numbers of bytes are no address`() {
    #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    #expect(IPAddress(bytes: [1, 2, 3, 4])?.isIPv4 == true)
  }

  @Test(arguments: [
    ("0x7f.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("017700000001", "127.0.0.1"),
    ("127.1", "127.0.0.1"), ("0", "0.0.0.0"), ("0251.0376.0251.0376", "169.254.169.254"),
    ("127.0.0.1.", "127.0.0.1"), ("%31%32%37.0.0.1", "127.0.0.1"),
    ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"), ("8.8.8.8", "8.8.8.8"),
  ])
  func `odd literals are the addresses that they stand for`(host: String, address: String) throws {
    #expect(HostName(urlHost: host) == .literal(try #require(IPAddress(address))))
  }

  @Test(arguments: [
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local", "x.internal",
    "nas.home.arpa", "intranet", "metadata.packet.net",
  ])
  func `names of the local network are recognised`(host: String) {
    guard case .local = HostName(urlHost: host) else {
      Issue.record("\(host) is not local")
      return
    }
    #expect(HostName(urlHost: "\(host).example.org") != .local(host))
  }

  @Test(arguments: [
    "127.0.0.1%00.example.com", "a%2Fb.example", "a%40b.example", "1.2.3.400", "example.1",
    "[fe80::1%25eth0]", "[::1", "%FF.example", "a%20b.example", "",
  ])
  func `an impossible host name is invalid`(host: String) {
    #expect(HostName(urlHost: host) == .invalid)
  }
}
