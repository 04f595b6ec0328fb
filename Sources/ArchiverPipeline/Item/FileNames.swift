import ArchiverCore

/// Replaces placeholders by the paths of a bundle's files in its tables and records (see
/// `Attachment.Location.inline`).
struct FileNames {
  private static let mark = "archived-file:"

  private var paths: [String: String] = [:]

  /// Adds a file of the bundle.
  mutating func add(_ address: String, _ path: String) {
    paths[FileNames.lasting(address)] = path
  }

  /// Returns the URL without a signature.
  private static func lasting(_ address: String) -> String {
    let isSigned = ["X-Amz-", "Signature=", "signature="].contains { address.contains($0) }
    return isSigned ? String(address.prefix { $0 != "?" }) : address
  }

  func written(into attachment: Attachment) -> Attachment {
    guard case .inline(let bytes) = attachment.location else { return attachment }
    var attachment = attachment
    attachment.location = .inline(written(into: bytes))
    return attachment
  }

  /// Replaces each placeholder by a path or a URL.
  func written(into bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let mark = bytes.firstIndex(of: FileNames.mark, from: rest.startIndex) {
      result += rest[..<mark]
      rest = rest[(mark + FileNames.mark.utf8.count)...]
      let address = rest.prefix { $0 > 0x20 && $0 != 0x22 }
      var end = address.endIndex
      // In a table cell brackets and commas may follow.
      while end > address.startIndex, [0x29, 0x2C].contains(address[end - 1]),
        paths[FileNames.lasting(String(decoding: rest[..<end], as: UTF8.self))] == nil
      {
        end -= 1
      }
      let text = String(decoding: rest[..<end], as: UTF8.self)
      result += (paths[FileNames.lasting(text)] ?? FileNames.lasting(text)).utf8
      rest = rest[end...]
    }
    return result + rest
  }
}

extension Attachment {
  /// Whether it is a table or record that may name other files of the bundle.
  var namesFiles: Bool {
    guard role == .file, case .inline = location else { return false }
    return mediaType == "text/csv" || mediaType == "application/json"
  }
}
