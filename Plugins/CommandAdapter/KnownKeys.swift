import ArchiverCore
import Synchronization

/// The known keys of an object in a reply. They serve to find unknown ones, which are ignored.
struct KnownKeys: Sendable {
  /// The keys and those of the objects below them; `nil` if every key is allowed.
  private let members: [String: KnownKeys]?

  /// A value that is not an object of the protocol.
  private static let value = KnownKeys(members: nil)

  private init(members: [String: KnownKeys]?) { self.members = members }

  /// - Parameter nested: The keys whose value is an object, or an array of objects.
  private init(_ keys: [String], _ nested: [String: KnownKeys] = [:]) {
    members = nested.merging(keys.map { ($0, KnownKeys.value) }) { nested, _ in nested }
  }

  /// The maximum number of elements of an array that are searched; a program's elements have the same keys.
  private static let mostElements = 1_000

  /// Returns the unknown keys of an object, sorted, without those of nested objects.
  func unknown(in decoder: any Decoder) -> [String] {
    // A value other than an object has no keys; its decoding fails elsewhere.
    guard let members, let object = try? decoder.container(keyedBy: AnyKey.self) else { return [] }
    return object.allKeys.map(\.stringValue).filter { members[$0] == nil }.sorted()
  }

  /// Returns a sentence about each unknown key of an object and of nested objects, each place once.
  func remarks(on decoder: any Decoder) -> [String] {
    guard let object = try? decoder.container(keyedBy: AnyKey.self) else { return [] }
    var found: [String] = []
    search(object, "", &found)
    return found
  }

  private func search(
    _ object: KeyedDecodingContainer<AnyKey>, _ place: String, _ found: inout [String]
  ) {
    guard let members else { return }
    for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      let name = key.stringValue
      guard let known = members[name] else {
        let remark = "the key '\(place)\(name.prefix(40))' is unknown and ignored\(hint(name))"
        if !found.contains(remark) { found.append(remark) }
        continue
      }
      guard known.members != nil else { continue }
      // A value of another type is reported by its decoding.
      if let inner = try? object.nestedContainer(keyedBy: AnyKey.self, forKey: key) {
        known.search(inner, place + name + ".", &found)
      } else if var elements = try? object.nestedUnkeyedContainer(forKey: key) {
        known.search(&elements, place + name + ".", &found)
      }
    }
  }

  private func search(
    _ elements: inout any UnkeyedDecodingContainer, _ place: String, _ found: inout [String]
  ) {
    while !elements.isAtEnd, elements.currentIndex < KnownKeys.mostElements {
      guard let element = try? elements.superDecoder() else { return }
      guard let inner = try? element.container(keyedBy: AnyKey.self) else { continue }
      search(inner, place, &found)
    }
  }

  /// Returns a clause with the known key most similar to `name`, or with all known keys.
  func hint(_ name: String) -> String {
    let known = (members ?? [:]).keys.sorted()
    let word = name.lowercased()
    let nearest = known.first { key in
      let key = key.lowercased()
      return key.count > 3 && (word.contains(key) || key.hasPrefix(word) && word.count > 3)
        || isNear(Array(word.utf8), Array(key.utf8))
    }
    return nearest.map { "; did you mean '\($0)'?" }
      ?? " (known are \(known.joined(separator: ", ")))"
  }

  /// Whether two texts differ by one letter that is added, removed, replaced or swapped with the next.
  private func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    abs(one.count - other.count) <= 1 && EditDistance.of(one, other) <= 1
  }
}

/// A coding key of any name, to list the keys of an object.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KnownKeys {
  /// The keys of a setting, as a message lists them.
  static let settingKeys = [
    "key", "type", "help", "required", "default", "example", "minimum", "maximum", "choices",
  ]
  static let setting = KnownKeys(settingKeys)

  static let page = KnownKeys(
    ["type", "deleted", "checkpoint", "total", "complete"],
    [
      "references": KnownKeys(["id", "revision", "title", "date", "payload"]),
      "gaps": KnownKeys(["message", "essential"]),
    ])

  private static let metadata = KnownKeys(
    [
      "kind", "title", "url", "site", "siteName", "authors", "summary", "language", "direction",
      "published", "added", "modified", "labels", "favourite", "pinned", "archived",
      "readProgress", "readingTime",
    ],
    [
      "series": KnownKeys(["name", "position"]), "properties": KnownKeys(["name", "value"]),
    ])

  private static let item = KnownKeys(
    ["type", "revision", "html", "htmlFile", "reason", "baseURL", "addresses", "record", "notes"],
    [
      "metadata": metadata,
      "attachments": KnownKeys([
        "role", "url", "file", "name", "mediaType", "caption", "width", "height",
      ]),
      "annotations": KnownKeys(
        ["id", "text", "note", "color", "created"],
        [
          "start": KnownKeys(["selector", "offset"]), "end": KnownKeys(["selector", "offset"]),
        ]),
      "links": KnownKeys(["kind", "target"]),
      "missing": KnownKeys(["kind", "name", "reason", "permanent", "essential"]),
    ])

  /// The keys of each type of reply. An unknown key of a setting is an error of its own.
  static let replies = [
    "description": KnownKeys([
      "type", "protocol", "kind", "title", "summary", "settings", "processes", "contentClasses",
      "contentStyle",
    ]),
    "ready": KnownKeys(["type"]), "page": page, "done": KnownKeys(["type"]), "item": item,
    "log": KnownKeys(["type", "level", "message"]),
    "progress": KnownKeys(["type", "count", "total"]),
    "error": KnownKeys(["type", "code", "message", "retryAfter"]),
  ]
}

/// Sentences that a run reports once each.
final class Remarks: Sendable {
  private let sentences = Mutex<[String]>([])

  var all: [String] { sentences.withLock { $0 } }

  /// Returns the first of these sentences that are new; at most a hundred are remembered.
  func new(among other: [String]) -> [String] {
    sentences.withLock { known in
      var new: [String] = []
      for sentence in other where known.count < 100 && !known.contains(sentence) {
        known.append(sentence)
        new.append(sentence)
      }
      return new
    }
  }
}
