package import ArchiverCore

/// A complete request as received by a server, identical with and without sockets.
package struct ServerRequest: Sendable {
  /// In capitals, as sent.
  package let method: String
  /// The request target as sent: path and query, percent-encoded.
  package let target: String
  /// The target up to its question mark, percent-encoded.
  package let path: String
  /// The fields of the query in order, with decoded `+` and percent-encoding.
  package let query: [(name: String, value: String)]
  package let headers: HTTPHeaders
  package let body: [UInt8]
  /// The number of the connection, from 1; 0 without a socket.
  package let connection: Int

  package init(
    method: String, target: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    connection: Int = 0
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.connection = connection
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = parts.count == 2 ? ServerRequest.fields(of: parts[1]) : []
  }

  /// Returns the first value of a query field; `nil` if it is absent.
  package func parameter(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// Returns every value of a query field, in order.
  package func parameters(_ name: String) -> [String] {
    query.filter { $0.name == name }.map(\.value)
  }

  /// The body decoded as UTF-8, with replacement characters for invalid bytes.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The percent-decoded segments of the path, without empty ones.
  package var segments: [String] {
    path.split(separator: "/").map { ServerRequest.decoded($0) }
  }

  private static func fields(of query: Substring) -> [(name: String, value: String)] {
    query.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        decoded(parts[0], plusIsSpace: true),
        parts.count == 2 ? decoded(parts[1], plusIsSpace: true) : ""
      )
    }
  }

  private static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var result = [UInt8]()
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        result.append(value)
        index += 3
      } else {
        let isSpace = plusIsSpace && bytes[index] == UInt8(ascii: "+")
        result.append(isSpace ? 0x20 : bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
