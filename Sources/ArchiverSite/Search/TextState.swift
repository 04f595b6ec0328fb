import ArchiverStorage

/// What is known of each item's text, so that it need not be read again while the item stays.
///
/// A file of lines of five fields separated by tabs: source, id, content hash, fingerprint of the
/// text, number of passages. Source and id are percent-encoded. Without the file everything is
/// read anew, with the same result.
struct TextState {
  struct Entry {
    let contentHash: String
    let fingerprint: String
    let passageCount: Int
  }

  /// By `source TAB id`.
  var entries: [String: Entry] = [:]

  init() {}

  init(_ bytes: [UInt8]?) {
    for line in (bytes ?? []).split(separator: 0x0A) {
      let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 5, let count = Int(fields[4]), (1...1_000_000).contains(count) else {
        continue
      }
      entries["\(fields[0])\t\(fields[1])"] = Entry(
        contentHash: fields[2], fingerprint: fields[3], passageCount: count)
    }
  }

  func bytes(order: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for key in order {
      guard let entry = entries[key] else { continue }
      bytes += "\(key)\t\(entry.contentHash)\t\(entry.fingerprint)\t\(entry.passageCount)\n".utf8
    }
    return bytes
  }
}
