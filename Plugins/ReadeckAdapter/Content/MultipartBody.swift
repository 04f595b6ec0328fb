import ArchiverCore

/// The response of `POST /api/bookmarks/sync`: `multipart/mixed` (RFC 2046 section 5.1).
///
///     --BOUNDARY CRLF *(NAME ":" VALUE CRLF) CRLF CONTENT CRLF … --BOUNDARY-- CRLF
///
/// If the server fails midway, it still closes the body with status 200 and writes its error after
/// the closing boundary. The body itself therefore does not tell whether it is complete.
struct MultipartBody: Sendable {
  struct Part: Sendable {
    let headers: HTTPHeaders
    let content: [UInt8]
  }

  /// The maximum size in bytes of a part's header.
  static let headerLimit = 64 << 10
  /// The maximum number of parts; a request names at most a few dozen bookmarks with two parts
  /// each.
  static let partLimit = 10_000

  let parts: [Part]
  /// Whether the body ends with the closing boundary.
  let isIntact: Bool

  /// Parses all complete parts; throws only if the body is not multipart.
  init(_ bytes: [UInt8], contentType: String) throws(AdapterError) {
    guard let boundary = MultipartBody.boundary(contentType) else {
      throw AdapterError(
        .malformed, "Readeck's sync response has no boundary in its Content-Type")
    }
    let delimiter = "--\(boundary)"
    guard let start = MultipartBody.delimiterStart(bytes, delimiter, from: 0) else {
      throw AdapterError(.malformed, "Readeck's sync response does not contain its boundary")
    }
    var parts: [Part] = []
    var position = start + delimiter.utf8.count
    while !MultipartBody.starts(bytes, "--", at: position) {
      guard parts.count < MultipartBody.partLimit,
        let lineEnd = bytes.firstIndex(of: "\r\n", from: position),
        let end = MultipartBody.delimiterStart(bytes, delimiter, from: lineEnd),
        let part = Part(bytes, from: lineEnd + 2, to: end)
      else {
        self.parts = parts
        isIntact = false
        return
      }
      parts.append(part)
      position = end + delimiter.utf8.count
    }
    self.parts = parts
    isIntact = bytes[(position + 2)...].allSatisfy { $0 == 0x0D || $0 == 0x0A || $0 == 0x20 }
  }

  private static func boundary(_ contentType: String) -> String? {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ !$0.isWhitespace }).lowercased() == "boundary"
      else { continue }
      let value = pair[1].filter { $0 != "\"" && !$0.isWhitespace }
      return (1...70).contains(value.utf8.count) ? String(value) : nil
    }
    return nil
  }

  /// Finds a delimiter at the beginning of a line.
  private static func delimiterStart(
    _ bytes: [UInt8], _ delimiter: String, from start: Int
  ) -> Int? {
    if start == 0, self.starts(bytes, delimiter, at: 0) { return 0 }
    return bytes.firstIndex(of: "\r\n\(delimiter)", from: start).map { $0 + 2 }
  }

  private static func starts(_ bytes: [UInt8], _ text: String, at position: Int) -> Bool {
    bytes.dropFirst(position).starts(with: text.utf8)
  }
}

extension MultipartBody.Part {
  /// Parses the part between two delimiters; `nil` if its header is incomplete or too large.
  ///
  /// `end` is the start of the next delimiter, to which the preceding line break belongs.
  fileprivate init?(_ bytes: [UInt8], from start: Int, to end: Int) {
    // A part without header fields begins with the empty line.
    guard let gap = bytes.firstIndex(of: "\r\n\r\n", from: start - 2), gap + 4 <= end,
      gap - start <= MultipartBody.headerLimit
    else { return nil }
    var headers = HTTPHeaders()
    var lineStart = start
    while lineStart < gap {
      let lineEnd = min(gap, bytes.firstIndex(of: "\r\n", from: lineStart) ?? gap)
      let line = bytes[lineStart..<lineEnd]
      lineStart = lineEnd + 2
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      headers.append(
        String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
    self.init(headers: headers, content: Array(bytes[(gap + 4)..<max(gap + 4, end - 2)]))
  }
}
