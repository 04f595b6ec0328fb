import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

@Suite struct BodyLimitTests {
  @Test func `a limit of zero allows an empty body only`() async throws {
    let loopback = try Loopback { .text($0.path == "/empty" ? "" : "x") }
    for destination in [BodyDestination.memory(limit: 0), .sink(Drain(), limit: 0)] {
      #expect(try await loopback.get("/empty", destination: destination).status == 200)
      let error = await failure { try await loopback.get("/full", destination: destination) }
      #expect(error?.code == .tooLarge)
    }
  }

  /// Sixteen MiB of zeros, compressed twice.
  private static let zeros =
    "H4sIAAAAAAACA+3arQ3CYBSG0f4gGgTgEXQMDIKQIFCYasIQOEQTJIYVSKhmBZiCsANBoAml"
    + "H0MgmnPUq698ckf7LAqS9HGN42aUh8/5mXUjAAAAoOXK+y4NMSDK69t8WQAAAABtt+73Or8o"
    + "8F4Np84BAAAArVdNxnloAYNXvZklHiUAAADgDy7F4rg9NSP+Ag5zyLbIPwAA"

  /// The ratio allows for 64 KiB that were received and not counted. A comment in the header of the
  /// format (RFC 1952 section 2.3.1) makes the received part larger.
  @Test(arguments: [(60_000, true), (150_000, false)])
  func `a body may expand a hundredfold from 64 KiB more than was received`(
    comment: Int, isRefused: Bool
  ) async throws {
    var bytes = Array(try #require(Data(base64Encoded: BodyLimitTests.zeros)))
    bytes[3] = 0x10
    bytes.insert(contentsOf: [UInt8](repeating: 0x61, count: comment) + [0], at: 10)
    let body = bytes
    let loopback = try Loopback { _ in
      .data(body, headers: ["Content-Encoding": "gzip, gzip"])
        .misbehaving(.stallAfter(comment, .milliseconds(20)))
    }
    let error = await failure {
      try await loopback.get("/", destination: .sink(Drain(), limit: 1 << 30))
    }
    #expect(error?.code == (isRefused ? .tooLarge : nil))
  }
}
