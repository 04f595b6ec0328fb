import ArchiverCore

/// Writes a response with its fault to a socket.
struct ResponseWriter {
  let socket: Socket
  let isHead: Bool

  /// Writes the response; returns what to do with the connection.
  func write(_ response: ServerResponse) -> ServerConnection.Next {
    do throws(Socket.Closed) {
      if case .file(let path) = response.body, response.misbehaviour == nil {
        return try writeFile(path, response)
      }
      guard let fault = response.misbehaviour else { return try writeWhole(response) }
      return try write(response, fault)
    } catch {
      return .close
    }
  }

  private func writeWhole(_ response: ServerResponse) throws(Socket.Closed) -> ServerConnection.Next
  {
    switch response.body {
    case .stream(let chunks):
      try socket.write(head(response, framing: "Transfer-Encoding: chunked\r\n"))
      guard !isHead else { return .keepOpen }
      for chunk in chunks where !chunk.isEmpty { try writeChunk(chunk) }
      try socket.write("0\r\n\r\n".utf8)
    case .bytes, .file:
      let body = response.content
      try socket.write(
        head(response, framing: framing(response, length: body.count)) + (isHead ? [] : body))
    }
    return .keepOpen
  }

  private func writeFile(
    _ path: String, _ response: ServerResponse
  ) throws(Socket.Closed) -> ServerConnection.Next {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return try writeWhole(.text("no such file", status: 404)) }
    let file = Socket(descriptor: descriptor)
    defer { file.close() }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .close }
    try socket.write(head(response, framing: framing(response, length: Int(status.st_size))))
    guard !isHead else { return .keepOpen }
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return count == 0 ? .keepOpen : .close }
      try socket.write(buffer[..<count])
    }
  }

  private func write(
    _ response: ServerResponse, _ fault: Fault
  ) throws(Socket.Closed) -> ServerConnection.Next {
    let body = isHead ? [] : response.content
    switch fault {
    case .delay(let duration):
      socket.pause(duration)
      return try writeWhole(response)
    case .resetAfter(let count), .truncateAfter(let count):
      try writeHead(response)
      try socket.write(body.prefix(count))
      if case .resetAfter = fault {
        // A reset discards what the other side has not read yet.
        socket.pause(.milliseconds(20))
        return .reset
      }
      return .close
    case .wrongLength(let length):
      try socket.write(head(response, framing: "Content-Length: \(length)\r\n"))
      try socket.write(body)
      return .close
    case .stallAfter(let count, let duration):
      try writeHead(response)
      try socket.write(body.prefix(count))
      socket.pause(duration)
      try socket.write(body.dropFirst(count))
      return .keepOpen
    case .drip(let size, let interval):
      try writeHead(response)
      for start in stride(from: 0, to: body.count, by: max(size, 1)) {
        try socket.write(body[start..<min(start + max(size, 1), body.count)])
        socket.pause(interval)
      }
      return .keepOpen
    case .endless:
      try socket.write(head(response, framing: "Transfer-Encoding: chunked\r\n"))
      if isHead { return .keepOpen }
      let chunk = body.isEmpty ? [UInt8](repeating: 0, count: 65536) : body
      while true { try writeChunk(chunk) }
    case .invalidChunking:
      try socket.write(head(response, framing: "Transfer-Encoding: chunked\r\n"))
      try socket.write("this is no chunk\r\n".utf8)
      return .close
    case .invalidStatusLine:
      try socket.write("HTTP/9.9 abc\r\n\r\n".utf8)
      return .close
    case .raw(let bytes):
      try socket.write(bytes)
      return .close
    case .closeSilently:
      return .close
    }
  }

  private func writeHead(_ response: ServerResponse) throws(Socket.Closed) {
    try socket.write(head(response, framing: "Content-Length: \(response.content.count)\r\n"))
  }

  private func writeChunk(_ bytes: [UInt8]) throws(Socket.Closed) {
    try socket.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
  }

  private func framing(_ response: ServerResponse, length: Int) -> String {
    let hasNoBody = response.status == 204 || response.status == 304
    return hasNoBody || response.headers["Content-Length"] != nil
      ? "" : "Content-Length: \(length)\r\n"
  }

  private func head(_ response: ServerResponse, framing: String) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(response.status < 400 ? "Fine" : "Sorry")\r\n"
    for field in response.headers.fields { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + framing + "\r\n").utf8)
  }
}

extension ServerResponse {
  /// The content of the body; empty for an unreadable file.
  package var content: [UInt8] {
    switch body {
    case .bytes(let bytes): bytes
    case .stream(let chunks): Array(chunks.joined())
    case .file(let path): FileManager.default.contents(atPath: path).map { Array($0) } ?? []
    }
  }
}
