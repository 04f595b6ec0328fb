import ArchiverCore
import ArchiverMarkup

/// Lines of an index of WARC records (CDXJ), in which replay programs search.
enum CDXJLine {
  /// Returns the line of a record: a key for sorting, the time, and the position of the record.
  ///
  /// - Parameters:
  ///   - length: The size of the record's gzip member in bytes.
  static func text(
    _ record: WARCRecord, length: Int, offset: Int, file: String
  ) throws -> String {
    let address = record.address ?? ""
    let time = UTCTime.text(record.date).filter(\.isNumber)
    let mediaType = record.mediaType.prefix { $0 != ";" }
    let place = [
      "url": address, "mime": String(mediaType), "status": "200", "digest": record.digest,
      "length": String(length), "offset": String(offset), "filename": file,
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(place), as: UTF8.self)
    return "\(key(address)) \(time) \(json)\n"
  }

  /// Returns the address with its host's labels in reverse order, in lower case, without `www`,
  /// doubled slashes and needless escapes, and with a sorted query (Sort-friendly URI Reordering
  /// Transform, as the Python package `surt` applies it).
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
    key += ")/" + plain(url.path).split(separator: "/").joined(separator: "/")
    guard let query = url.query, !query.isEmpty else { return key }
    let parts = plain(query).split(separator: "&", omittingEmptySubsequences: false)
    return key + "?" + parts.sorted().joined(separator: "&")
  }

  /// Returns a part of a URL in lower case, with escapes for white space, `#`, `%` and bytes that
  /// are not ASCII only.
  private static func plain(_ text: String) -> String {
    var result = ""
    for byte in PercentEncoding.decodedBytes(text) {
      if byte <= 0x20 || byte >= 0x7F || byte == 0x23 || byte == 0x25 {
        let digits = String(byte, radix: 16)
        result += digits.count == 1 ? "%0" + digits : "%" + digits
      } else {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return result.lowercased()
  }
}
