package import ArchiverCore

/// The response of a handler, with an optional fault.
package struct ServerResponse: Sendable {
  package enum Body: Sendable {
    /// Sent with `Content-Length`.
    case bytes([UInt8])
    /// The file at this path, sent with `Content-Length`; 404 if it does not exist.
    case file(String)
    /// Sent with chunked transfer coding, one chunk each.
    case stream([[UInt8]])
  }

  package var status: Int
  /// Header fields, to which the server adds the length or transfer coding; names may repeat.
  package var headers: HTTPHeaders
  package var body: Body
  /// The fault of the response; `nil` for none.
  package var misbehaviour: Fault?

  package init(
    _ status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([]),
    misbehaviour: Fault? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.misbehaviour = misbehaviour
  }

  /// Returns a response with text of this media type.
  package static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200,
    headers: HTTPHeaders = [:]
  ) -> ServerResponse {
    var headers = headers
    headers["Content-Type"] = type
    return ServerResponse(status, headers: headers, body: .bytes(Array(text.utf8)))
  }

  /// Returns a response with a JSON text.
  package static func json(
    _ text: String, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> ServerResponse {
    .text(text, type: "application/json", status: status, headers: headers)
  }

  /// Returns a response with bytes of this media type.
  package static func data(
    _ bytes: [UInt8], type: String = "application/octet-stream", headers: HTTPHeaders = [:]
  ) -> ServerResponse {
    var headers = headers
    headers["Content-Type"] = type
    return ServerResponse(200, headers: headers, body: .bytes(bytes))
  }

  /// Returns a redirect to an absolute or relative location.
  package static func redirect(_ location: String, status: Int = 302) -> ServerResponse {
    ServerResponse(status, headers: ["Location": location])
  }

  /// Returns this response with a fault.
  package func misbehaving(_ fault: Fault) -> ServerResponse {
    var response = self
    response.misbehaviour = fault
    return response
  }
}

/// A violation of the protocol by a server. Byte counts are of the body as sent.
package enum Fault: Sendable, Hashable {
  /// Waits before the head is sent.
  case delay(Duration)
  /// Sends a number of bytes of the body, then a TCP reset.
  case resetAfter(Int)
  /// Sends this much of the body, then closes in good order.
  case truncateAfter(Int)
  /// Announces this length, sends the body as it is and closes.
  case wrongLength(Int)
  /// Sends this much of the body, is silent for a while, then sends the rest.
  case stallAfter(Int, Duration)
  /// Sends the body in pieces of this size with a pause after each.
  case drip(Int, every: Duration)
  /// Sends the body again and again without an end, chunked.
  case endless
  /// Sends the head for a chunked body, then an invalid chunk.
  case invalidChunking
  /// Sends an invalid status line.
  case invalidStatusLine
  /// Sends these bytes in place of a response and closes.
  case raw([UInt8])
  /// Closes without a single byte.
  case closeSilently
}
