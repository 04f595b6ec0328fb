import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

@Suite struct DownloadProgressTests {
  private struct Told: Hashable {
    let bytes: Int?
    let total: Int?
  }

  private func told(
    _ heads: [HTTPResponseHead], _ pieces: [[Int]], wait: Bool
  ) async throws -> [Told] {
    let told = Mutex<[Told]>([])
    try await TemporaryFolder.with("progress") { path in
      let archive = try Archive.open(path: path + "/a", mode: .readWrite(holder: "test"))
      let sink = AssetSink(
        archive.objects.makeSink(), content: .file(mediaType: nil), limits: Limits()
      ) { bytes, total in
        told.withLock { $0.append(Told(bytes: bytes, total: total)) }
      }
      for (head, sizes) in zip(heads, pieces) {
        try sink.begin(head)
        for size in sizes {
          if wait { try await Task.sleep(for: .milliseconds(220)) }
          try [UInt8](repeating: 1, count: size).withUnsafeBytes { try sink.receive($0) }
        }
      }
      #expect(try sink.object.finish().byteCount == pieces.joined().reduce(0, +))
    }
    return told.withLock { $0 }
  }

  private func head(_ status: Int, _ headers: HTTPHeaders) throws -> HTTPResponseHead {
    HTTPResponseHead(
      status: status, headers: headers, url: try #require(WebURL("https://a.example/f")))
  }

  @Test func `bytes so far are told with the whole`() async throws {
    let told = try await told(
      [try head(200, ["Content-Length": "300"])], [[100, 200]], wait: true)
    #expect(
      told == [
        .init(bytes: 0, total: 300), .init(bytes: 100, total: 300), .init(bytes: 300, total: 300),
      ])
  }

  @Test func `many small pieces are not many events`() async throws {
    let told = try await told(
      [try head(200, ["Content-Length": "5000"])], [Array(repeating: 1, count: 5_000)], wait: false)
    #expect(told.count < 50)
  }

  @Test func `what is resumed counts from where it was`() async throws {
    let first = try head(200, ["Content-Length": "300", "ETag": "\"x\""])
    let second = try head(206, ["Content-Length": "200", "Content-Range": "bytes 100-299/300"])
    let told = try await told([first, second], [[100], [200]], wait: false)
    #expect(told.contains(.init(bytes: 100, total: 300)))
  }

  @Test func `the size of compressed content is unknown`() async throws {
    let told = try await told(
      [try head(200, ["Content-Length": "10", "Content-Encoding": "gzip"])], [[100]], wait: true)
    #expect(told.allSatisfy { $0.total == nil } && told.count == 2)
  }
}
