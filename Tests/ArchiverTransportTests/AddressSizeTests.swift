import ArchiverCore
import Testing

@testable import ArchiverTransport

@Suite struct AddressSizeTests {
  @Test(
    arguments: [
      (0, false), (3, false), (4, true), (5, false), (15, false), (16, true), (17, false),
      (32, false),
    ] as [(Int, Bool)])
  func `an address has four bytes or sixteen`(count: Int, isAddress: Bool) {
    let bytes = [UInt8](repeating: 1, count: count)
    #expect(IPAddress(bytes: bytes)?.bytes == (isAddress ? bytes : nil))
  }

  @Test func `an address of sixteen bytes is an IPv6 address`() throws {
    let bytes: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
    let address = try #require(IPAddress(bytes: bytes))
    #expect(!address.isIPv4)
    #expect(address.description == "2001:db8::1")
  }
}
