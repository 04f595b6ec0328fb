import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Synchronization
import Testing

/// Requests that send a body to be stored, or remove one.
struct UploadTests {
  private func put(
    _ loopback: Loopback, body: [UInt8]? = nil, upload: FileSlice? = nil
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(
      .put, try loopback.url("/thing"), headers: ["Content-Type": "text/css"], body: body,
      redirectLimit: 0, timeouts: .brief)
    request.upload = upload
    return try await loopback.client().send(request)
  }

  @Test(arguments: [0, 5, 3_000_000])
  func `the body of a PUT arrives as it is`(count: Int) async throws {
    let loopback = try Loopback { _ in ServerResponse(200) }
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(try await put(loopback, body: body).status == 200)
    let request = try #require(loopback.server.requests.first)
    #expect(request.method == "PUT" && request.body == body)
    #expect(request.headers["Content-Length"] == String(count))
    #expect(request.headers["Content-Type"] == "text/css")
  }

  @Test(arguments: [0, (1 << 20) - 1, (1 << 20) + 1])
  func `a server is asked before it is sent a large body, and takes a small one at once`(
    count: Int
  ) async throws {
    let loopback = try Loopback { _ in ServerResponse(200) }
    let body = [UInt8](repeating: 7, count: count)
    try await TemporaryFolder.with("upload") { folder in
      try Data(body).write(to: URL(filePath: folder + "/file"))
      #expect(try await put(loopback, body: body).status == 200)
      let slice = FileSlice(path: folder + "/file", byteCount: count)
      #expect(try await put(loopback, upload: slice).status == 200)
      var post = HTTPRequest(.post, try loopback.url("/thing"), timeouts: .brief)
      post.upload = slice
      #expect(try await loopback.client().send(post).status == 200)
    }
    let isAsked = count > 1 << 20
    for request in loopback.server.requests {
      #expect(request.headers["Expect"] == (isAsked ? "100-continue" : nil), "\(request.method)")
      #expect(request.body == body)
    }
    #expect(loopback.server.requests.count == 3)
  }

  @Test func `a caller that expects nothing has a large body sent at once`() async throws {
    let loopback = try Loopback { _ in ServerResponse(200) }
    let body = [UInt8](repeating: 7, count: 2 << 20)
    let request = HTTPRequest(
      .put, try loopback.url("/thing"),
      headers: ["X-Empty": "", "Expect": "", "X-Other": "1"], body: body, redirectLimit: 0,
      timeouts: .brief)
    #expect(try await loopback.client().send(request).status == 200)
    let received = try #require(loopback.server.requests.first)
    #expect(received.headers["Expect"] == nil)
    #expect(received.headers["X-Empty"] == "" && received.headers["X-Other"] == "1")
    #expect(received.body == body)
  }

  @Test func `a part of a file is sent`() async throws {
    try await TemporaryFolder.with("upload") { folder in
      let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
      try Data(bytes).write(to: URL(filePath: folder + "/file"))
      let loopback = try Loopback { _ in ServerResponse(200) }
      let slice = FileSlice(path: folder + "/file", offset: 1_000_001, byteCount: 2_500_000)
      #expect(try await put(loopback, upload: slice).status == 200)
      #expect(loopback.server.requests.first?.body == Array(bytes[1_000_001..<3_500_001]))
    }
  }

  @Test(arguments: [0, 900_000])
  func `a POST sends a file between other bytes, and the handle is used again`(count: Int)
    async throws
  {
    try await TemporaryFolder.with("upload") { folder in
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
      try Data(bytes).write(to: URL(filePath: folder + "/file"))
      let loopback = try Loopback(maxConnections: 1) { _ in ServerResponse(200) }
      let client = loopback.client()
      let head = Array(repeating: UInt8(1), count: 300_000)
      var request = HTTPRequest(
        .post, try loopback.url("/thing"), headers: ["Content-Type": "multipart/form-data"],
        redirectLimit: 0, timeouts: .brief)
      request.upload = FileSlice(
        path: folder + "/file", byteCount: count, head: head, tail: [2, 3])
      #expect(try await client.send(request).status == 200)
      _ = try await client.send(
        HTTPRequest(.post, try loopback.url("/two"), body: Array("two".utf8), timeouts: .brief))
      let received = loopback.server.requests
      #expect(received.map(\.method) == ["POST", "POST"])
      #expect(received[0].body == head + bytes + [2, 3])
      #expect(received[0].headers["Content-Length"] == "\(count + 300_002)")
      #expect(received[0].headers["Content-Type"] == "multipart/form-data")
      #expect(received[1].body == Array("two".utf8))
    }
  }

  @Test func `a file that is missing or too short ends the request`() async throws {
    try await TemporaryFolder.with("upload") { folder in
      try Data("short".utf8).write(to: URL(filePath: folder + "/file"))
      let loopback = try Loopback { _ in ServerResponse(200) }
      for slice in [
        FileSlice(path: folder + "/none", byteCount: 3),
        FileSlice(path: folder + "/file", byteCount: 9),
      ] {
        let error = await #expect(throws: HTTPError.self) {
          try await put(loopback, upload: slice)
        }
        #expect(error?.code == .sink && error?.message.contains(slice.path) == true)
      }
    }
  }

  @Test func `a handle that sent a file asks for pages and removes things next`() async throws {
    let loopback = try Loopback(maxConnections: 1) { _ in .text("answer") }
    _ = try await put(loopback, body: Array("one".utf8))
    let deleted = try await loopback.client().send(
      HTTPRequest(.delete, try loopback.url("/gone"), timeouts: .brief))
    #expect(deleted.status == 200)
    #expect(try await loopback.get("/page").body == Array("answer".utf8))
    _ = try await loopback.client().send(
      HTTPRequest(.post, try loopback.url("/post"), body: Array("two".utf8), timeouts: .brief))
    let requests = loopback.server.requests
    #expect(requests.map(\.method) == ["PUT", "DELETE", "GET", "POST"])
    #expect(requests.map(\.text) == ["one", "", "", "two"])
  }

  @Test func `an upload whose answer is a failure is repeated whole`() async throws {
    let count = Mutex(0)
    let loopback = try Loopback { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return ServerResponse(number == 1 ? 503 : 200)
    }
    let body = [UInt8](repeating: 3, count: 200_000)
    let client = RetryingHTTPClient(
      loopback.client(), policy: RetryPolicy(firstDelay: .milliseconds(1)))
    let response = try await client.send(
      HTTPRequest(.put, try loopback.url("/x"), body: body, timeouts: .brief))
    #expect(response.status == 200)
    #expect(loopback.server.requests.map(\.body) == [body, body])
  }
}
