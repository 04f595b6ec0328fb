import ArchiverCore
import Testing

@testable import ArchiverTransport

/// Defaults, and states before the first event.
@Suite struct TransportDefaultTests {
  private func request() throws -> TransferRequest {
    TransferRequest(
      url: try #require(WebURL("http://a.example/")), method: .get, headers: [:],
      destination: .memory(), timeouts: .brief, permit: AddressGuard.Permit(isUnrestricted: true))
  }

  @Test func `by default 32 requests are in flight, and all of them may be downloads`() {
    let configuration = TransportConfiguration(userAgent: "archiver-tests/1", environment: [:])
    #expect(configuration.maxConnections == 32)
    #expect(configuration.maxDownloads == 32)
  }

  @Test func `a watch without a timer has no timer that expired`() throws {
    let watch = try #require(SocketWatch())
    #expect(!watch.takeTimer())
  }

  @Test func `a cancellation meets its transfer in either order`() async throws {
    let request = try request()
    var seen: [Bool] = []
    _ = await withCheckedContinuation { (continuation: CheckedContinuation<_, Never>) in
      let transfer = Transfer(request, continuation)
      let early = TransferSlot()
      seen.append(early.cancel() == nil)
      seen.append(early.fill(transfer))
      let late = TransferSlot()
      seen.append(late.fill(transfer))
      seen.append(late.cancel() === transfer)
      transfer.resume(.failure(HTTPError(.cancelled, "not sent")))
    }
    #expect(seen == [true, true, false, true])
  }

  /// Debian's curl has both a file and a folder of authorities.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/etc/debian_version")))
  func `a file of authorities is used alone if curl has a folder of others`() throws {
    // Any file that can be read.
    let path = "/etc/debian_version"
    #expect(try CertificateAuthorities.adding(path) == .file(path))
  }
}
