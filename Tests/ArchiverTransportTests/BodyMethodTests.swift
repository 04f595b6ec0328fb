import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Bodies by method, on one handle that is used again.
@Suite struct BodyMethodTests {
  @Test(arguments: [HTTPRequest.Method.post, .patch])
  func `a body in memory is sent at once whatever its size, without a type of curl's`(
    method: HTTPRequest.Method
  ) async throws {
    let loopback = try Loopback(maxConnections: 1) { _ in ServerResponse() }
    let body = [UInt8](repeating: 7, count: (1 << 20) + 1)
    var request = HTTPRequest(method, try loopback.url("/"), body: body, timeouts: .brief)
    for type in [nil, "application/json", nil] as [String?] {
      request.headers["Content-Type"] = type
      #expect(try await loopback.client().send(request).status == 200)
    }
    let received = loopback.server.requests
    #expect(received.map(\.method) == [String](repeating: method.rawValue, count: 3))
    #expect(received.map { $0.headers["Content-Type"] } == [nil, "application/json", nil])
    #expect(received.allSatisfy { $0.headers["Expect"] == nil })
    #expect(received.allSatisfy { $0.body == body })
    _ = try await loopback.get("/page")
    #expect(loopback.server.requests.last?.method == "GET")
    #expect(loopback.server.requests.last?.body == [])
  }

  @Test func `a body that became shorter is sent without the rest of the earlier one`()
    async throws
  {
    let loopback = try Loopback(maxConnections: 1) { _ in ServerResponse() }
    let texts = ["a long body", "short", "", "longer"]
    for text in texts {
      let request = HTTPRequest(
        .post, try loopback.url("/"), body: Array(text.utf8), timeouts: .brief)
      _ = try await loopback.client().send(request)
    }
    #expect(loopback.server.requests.map(\.text) == texts)
  }

  @Test func `a file is sent in place of a longer body that the handle sent from memory`()
    async throws
  {
    try await TemporaryFolder.with("body") { folder in
      try Data("file".utf8).write(to: URL(filePath: folder + "/file"))
      let loopback = try Loopback(maxConnections: 1) { _ in ServerResponse() }
      let client = loopback.client()
      var request = HTTPRequest(
        .post, try loopback.url("/"), body: Array("in memory".utf8), timeouts: .brief)
      #expect(try await client.send(request).status == 200)
      request.body = nil
      request.upload = FileSlice(path: folder + "/file", byteCount: 4)
      #expect(try await client.send(request).status == 200)
      #expect(loopback.server.requests.map(\.text) == ["in memory", "file"])
    }
  }

  @Test func `a PUT without a body has a length of zero`() async throws {
    let loopback = try Loopback { _ in ServerResponse() }
    let timeouts = HTTPTimeouts(stall: .seconds(5), total: .seconds(10))
    let request = HTTPRequest(.put, try loopback.url("/"), timeouts: timeouts)
    #expect(try await loopback.client().send(request).status == 200)
    #expect(loopback.server.requests.map { $0.headers["Content-Length"] } == ["0"])
  }

  @Test(arguments: [("file", "became shorter while it was sent"), ("none", "cannot be read: ")])
  func `a file that cannot be sent is reported with the cause`(
    name: String, cause: String
  ) async throws {
    try await TemporaryFolder.with("body") { folder in
      try Data("short".utf8).write(to: URL(filePath: folder + "/file"))
      let loopback = try Loopback { _ in ServerResponse() }
      var request = HTTPRequest(.put, try loopback.url("/"), timeouts: .brief)
      request.upload = FileSlice(path: "\(folder)/\(name)", byteCount: 9)
      let sent = request
      let error = await failure { try await loopback.client().send(sent) }
      #expect(error?.code == .sink)
      #expect(error?.message.hasPrefix("\(folder)/\(name) \(cause)") == true)
    }
  }
}
