import ArchiverCore

/// A form with files: `multipart/form-data` (RFC 7578).
struct MultipartForm {
  /// Random, so that no content can contain it and end its part.
  private let boundary: String
  private(set) var bytes: [UInt8] = []
  /// The number of fields and files.
  private(set) var count = 0

  init() {
    let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
    boundary = "archiver-\(words.joined())"
  }

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  mutating func add(_ name: String, _ value: String) {
    begin("name=\"\(name)\"")
    bytes += value.utf8
    end()
  }

  /// Adds a resource of a bookmark: a file that begins with a line of JSON with its URL and type.
  mutating func addResource(
    _ url: String, _ type: String, _ content: [UInt8]
  ) throws(AdapterError) {
    let head: JSONValue = [
      "url": .string(url), "headers": .object(["Content-Type": .string(type)]),
    ]
    begin("name=\"resource\"; filename=\"blob\"", "application/octet-stream")
    do {
      bytes += try JSONEncoder().encode(head)
    } catch {
      throw AdapterError(.malformed, "a request to Readeck cannot be written", underlying: error)
    }
    bytes += [0x0A] + content
    end()
  }

  /// Begins a file whose content the caller sends after `bytes`; `endFile` ends it and the form.
  mutating func beginFile(_ field: String, name: String, type: String) {
    begin("name=\"\(field)\"; filename=\"\(name)\"", type)
  }

  mutating func endFile() {
    end()
    close()
  }

  /// Ends the form; nothing may be added afterwards.
  mutating func close() { bytes += "--\(boundary)--\r\n".utf8 }

  private mutating func begin(_ disposition: String, _ type: String? = nil) {
    count += 1
    bytes += "--\(boundary)\r\n".utf8
    bytes += "Content-Disposition: form-data; \(disposition)\r\n".utf8
    if let type { bytes += "Content-Type: \(type)\r\n".utf8 }
    bytes += "\r\n".utf8
  }

  private mutating func end() { bytes += "\r\n".utf8 }
}
