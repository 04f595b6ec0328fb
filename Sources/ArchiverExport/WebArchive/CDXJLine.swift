import ArchiverCore

/// A line of an index of WARC records, as replay programs search it: a key for sorting, the time,
/// and where the record is (CDXJ).
struct CDXJLine: Comparable {
  private struct Place: Encodable {
    let url: String
    let mime: String
    let status: String
    let digest: String
    let length: String
    let offset: String
    let filename: String
  }

  let text: String

  /// - Parameters:
  ///   - length: The size of the record's gzip member in bytes.
  init(_ record: WARCRecord, length: Int, offset: Int, file: String) throws {
    let address = record.address ?? ""
    let time = WARCRecord.time(record.date).filter(\.isNumber)
    let mediaType = record.mediaType.prefix { $0 != ";" }
    let place = Place(
      url: address, mime: String(mediaType), status: "200", digest: record.digest,
      length: String(length), offset: String(offset), filename: file)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(place), as: UTF8.self)
    text = "\(CDXJLine.key(address)) \(time) \(json)\n"
  }

  static func < (one: CDXJLine, two: CDXJLine) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(two.text.utf8)
  }

  /// Returns the address with its host's labels in reverse order, in lower case, without `www` and
  /// with a sorted query (Sort-friendly URI Reordering Transform).
  static func key(_ address: String) -> String {
    guard let url = WebURL(address) else { return address.lowercased() }
    var labels = url.host.lowercased().split(separator: ".").map(String.init)
    if let first = labels.first, labels.count > 2, first.hasPrefix("www"),
      first.dropFirst(3).allSatisfy(\.isNumber)
    {
      labels.removeFirst()
    }
    var key = labels.reversed().joined(separator: ",")
    if let port = url.port { key += ":\(port)" }
    var path = url.path.isEmpty ? "/" : url.path.lowercased()
    if path.count > 1, path.hasSuffix("/") { path.removeLast() }
    key += ")" + path
    guard let query = url.query, !query.isEmpty else { return key }
    return key + "?" + query.lowercased().split(separator: "&").sorted().joined(separator: "&")
  }
}
