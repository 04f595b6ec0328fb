import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

struct EncodingTests {
  private static let text = "hello hello hello hello archive"
  private static let bombs = [
    // 50 MiB of zeros, compressed three times, and once.
    (
      "gzip, gzip, gzip",
      """
      H4sIAAAAAAACA5Pv5mAAASbmt3d085gCJdoucjfPUPghGNqxicWFdRmnhMmiq7zcL6QUMldlGWiIBbbmNq1ewyzD\
      reAb3Jhl9faMksD3eYvd6j+dnfv8lyr/0qqyW9ey/st3P33/Ov0eD9Bghydi7cvXyDA77b/hu+w7SOBN2tuwxVKs\
      dXJVyc+B/IYXtvf5rK9yN77/mXzYEiigUBX+/PGKW0z3un2/n7MFC1QfBLnRoysBRC1xNQBRl5QkQFSnIMiWhi0c\
      bCCzo1iYQRp0V38ujPRjXNyf9N1sRZ04Q8PpH6fyr70O4/j7hl/zfORaneMMDAAPpn8++gAAAA==
      """
    ),
    ("br", "z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37//z//8A/ARCHBQC69x8="),
  ]

  private static func bytes(_ text: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: text)))
  }

  @Test(arguments: [
    ("gzip", "H4sIAAAAAAACA8tIzcnJV8jAIBOLkjMyy1IBDJ+rrR8AAAA="),
    ("deflate", "eNrLSM3JyVfIwCATi5IzMstSAbn5C7M="),
    ("deflate", "y0jNyclXyMAgE4uSMzLLUgE="),
    ("br", "Hx4A+I2Ubt5EVYaWbCBvVcg8dQAYEUc="),
    ("zstd", "KLUv/SAfnQAAaGhlbGxvIGFyY2hpdmUBAPFKEQ=="),
  ])
  func `a body arrives decoded`(encoding: String, body: String) async throws {
    let bytes = try EncodingTests.bytes(body)
    let loopback = try Loopback { _ in .data(bytes, headers: ["Content-Encoding": encoding]) }
    let response = try await loopback.get("/")
    #expect(String(decoding: response.body, as: UTF8.self) == EncodingTests.text)
    #expect(response.byteCount == bytes.count)
  }

  @Test(arguments: bombs)
  func `the limit counts decoded bytes`(encoding: String, body: String) async throws {
    let bytes = try EncodingTests.bytes(body)
    let loopback = try Loopback { request in
      let status = Int(request.parameter("status") ?? "") ?? 200
      return ServerResponse(
        status, headers: ["Content-Encoding": encoding], body: .bytes(bytes))
    }
    let sink = Collector()
    let error = await failure {
      try await loopback.get("/", destination: .sink(sink, limit: 1 << 20))
    }
    #expect(error?.code == .tooLarge)
    #expect(sink.bytes.count <= 1 << 20)
    let page = try await loopback.get("/?status=404")
    #expect(page.body.count == 64 << 10)
  }

  @Test(arguments: bombs)
  func `a body that expands a hundredfold is refused, whatever the limit`(
    encoding: String, body: String
  ) async throws {
    let bytes = try EncodingTests.bytes(body)
    let loopback = try Loopback { _ in .data(bytes, headers: ["Content-Encoding": encoding]) }
    let drain = Collector()
    let error = await failure {
      try await loopback.get("/", destination: .sink(drain, limit: 1 << 30))
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("100 times its size") == true)
    #expect(drain.bytes.count < 20 << 20)
  }

  @Test(arguments: ["gzip", "br", "zstd"])
  func `a body that is not what it says is an error`(encoding: String) async throws {
    let loopback = try Loopback { _ in
      .data(Array("this was never compressed".utf8), headers: ["Content-Encoding": encoding])
    }
    let error = await failure { try await loopback.get("/") }
    #expect(error?.code == .protocolError)
  }

  @Test(arguments: [
    "UTF-8", "none", "zip", "aws-chunked", "binary, utf-8", "ResponseContentEncoding",
  ])
  func `a content coding that does not exist is ignored`(name: String) async throws {
    let loopback = try Loopback { request in
      .text(
        EncodingTests.text, status: Int(request.parameter("status") ?? "") ?? 200,
        headers: ["Content-Encoding": name])
    }
    let response = try await loopback.get("/")
    #expect(String(decoding: response.body, as: UTF8.self) == EncodingTests.text)
    #expect(response.headers["Content-Encoding"].map { $0 == "none" } ?? true)
    let sink = Collector()
    _ = try await loopback.get("/", destination: .sink(sink, limit: 1_000))
    #expect(String(decoding: sink.bytes, as: UTF8.self) == EncodingTests.text)
    #expect(sink.heads.count == 1)
    #expect(try await loopback.get("/?status=404").status == 404)
    // The handle decodes other bodies as before.
    #expect(loopback.server.requests.count <= 6)
  }

  @Test func `a body of a coding that does not exist beside a real one is an error`() async throws {
    let loopback = try Loopback { _ in
      .text("text", headers: ["Content-Encoding": "gzip, aws-chunked"])
    }
    #expect(await failure { try await loopback.get("/") }?.code == .protocolError)
    #expect(loopback.server.requests.count == 1)
  }
}
