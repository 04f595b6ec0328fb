import ArchiverCore

/// Reads requests from a connection and writes the responses, sequentially.
struct ServerConnection {
  enum Next {
    case keepOpen, close, reset
  }

  private let socket: Socket
  private let number: Int
  private var buffer: [UInt8] = []

  init(socket: Socket, number: Int) {
    self.socket = socket
    self.number = number
  }

  /// Serves until one side closes; returns whether the connection ends with a reset.
  mutating func run(
    answer: (ServerRequest, (ServerResponse) -> Next) -> Next
  ) -> Bool {
    while let request = readRequest() {
      let writer = ResponseWriter(socket: socket, isHead: request.method == "HEAD")
      switch answer(request, writer.write) {
      case .keepOpen: if request.headers["Connection"]?.lowercased() == "close" { return false }
      case .close: return false
      case .reset: return true
      }
    }
    return false
  }

  private mutating func readRequest() -> ServerRequest? {
    do throws(Socket.Closed) {
      guard let line = try readLine() else { return nil }
      let parts = line.split(separator: " ")
      guard parts.count == 3 else { return nil }
      var headers = HTTPHeaders()
      while let field = try readLine(), !field.isEmpty {
        let pair = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return nil }
        headers.append(String(pair[0]), ServerConnection.trimmed(pair[1]))
      }
      if headers["Expect"]?.lowercased() == "100-continue" {
        try socket.write("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      }
      return ServerRequest(
        method: String(parts[0]), target: String(parts[1]), headers: headers,
        body: try readBody(headers), connection: number)
    } catch {
      return nil
    }
  }

  private mutating func readBody(_ headers: HTTPHeaders) throws(Socket.Closed) -> [UInt8] {
    if headers["Transfer-Encoding"]?.lowercased() == "chunked" { return try readChunks() }
    return try take(Int(headers["Content-Length"] ?? "") ?? 0)
  }

  private mutating func readChunks() throws(Socket.Closed) -> [UInt8] {
    var body = [UInt8]()
    while let line = try readLine(), let size = Int(line.prefix { $0 != ";" }, radix: 16) {
      body += try take(size)
      _ = try readLine()
      if size == 0 { break }
    }
    return body
  }

  private mutating func readLine() throws(Socket.Closed) -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = buffer[..<end]
        let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        buffer.removeFirst(end + 1)
        return text
      }
      let bytes = try socket.read()
      if bytes.isEmpty { return nil }
      buffer += bytes
    }
  }

  private mutating func take(_ count: Int) throws(Socket.Closed) -> [UInt8] {
    while buffer.count < count {
      let bytes = try socket.read()
      if bytes.isEmpty { throw Socket.Closed() }
      buffer += bytes
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
