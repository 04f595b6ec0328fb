/// The member `assets` of an `item.json`: the one long list of a record with many images, which
/// Foundation's encoder would spend most of its time on.
///
/// The bytes are those that `ItemRecord.encoded()` writes.
struct AssetList {
  private(set) var bytes: [UInt8] = []

  /// Writes a list; `nil` if it is empty or has a text that JSON escapes.
  init?(_ assets: [ItemRecord.Asset]) {
    guard !assets.isEmpty else { return nil }
    bytes.reserveCapacity(assets.count * 512)
    var separator = "\n  \"assets\" : [\n    {\n"
    for asset in assets {
      bytes += separator.utf8
      separator = ",\n    {\n"
      append("byteCount", asset.byteCount)
      bytes += ",\n".utf8
      if let height = asset.height {
        append("height", height)
        bytes += ",\n".utf8
      }
      for (name, text) in [
        ("mediaType", asset.mediaType), ("path", asset.path), ("sha256", asset.sha256),
        ("url", asset.url),
      ] {
        guard append(name, text) else { return nil }
        if name != "url" { bytes += ",\n".utf8 }
      }
      if let urls = asset.urls {
        guard append(urls) else { return nil }
      }
      if let width = asset.width {
        bytes += ",\n".utf8
        append("width", width)
      }
      bytes += "\n    }".utf8
    }
    bytes += "\n  ]".utf8
  }

  /// The list of a record without assets. No text in a record has a raw line feed, so that these
  /// bytes occur once.
  static let empty = "\n  \"assets\" : [\n\n  ]"

  private mutating func append(_ name: String, _ number: Int) {
    bytes += "      \"\(name)\" : \(number)".utf8
  }

  private mutating func append(_ urls: [String]) -> Bool {
    guard !urls.isEmpty, urls.allSatisfy(AssetList.isPlain) else { return false }
    let list = urls.map { "        \"\($0)\"" }.joined(separator: ",\n")
    bytes += ",\n      \"urls\" : [\n\(list)\n      ]".utf8
    return true
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
  }

  private mutating func append(_ name: String, _ text: String) -> Bool {
    guard AssetList.isPlain(text) else { return false }
    bytes += "      \"".utf8
    bytes += name.utf8
    bytes += "\" : \"".utf8
    bytes += text.utf8
    bytes.append(0x22)
    return true
  }
}
