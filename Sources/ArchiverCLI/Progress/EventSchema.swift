import ArchiverCore

/// The lines of `run --json` as a JSON Schema (draft 2020-12), from the same table as the manual.
enum EventSchema {
  /// The types of each key's value; a key has the same meaning in every event.
  static let types: [String: [String]] = [
    "event": ["string"], "time": ["string"], "version": ["string"], "archive": ["string"],
    "sources": ["array"], "source": ["string", "null"], "count": ["integer"],
    "total": ["integer", "null"], "new": ["integer"], "changed": ["integer"],
    "unchanged": ["integer"], "deleted": ["integer"], "withheld": ["integer"],
    "retries": ["integer"],
    "selected": ["integer"], "id": ["string"], "title": ["string"], "outcome": ["string"],
    "imagesMissing": ["integer"], "reason": ["string", "null"], "url": ["string"],
    "bytes": ["integer"], "failure": ["string", "null"], "attempt": ["integer"],
    "delay": ["number"], "level": ["string"], "message": ["string"], "exitCode": ["integer"],
    "archived": ["integer"], "failed": ["integer"], "images": ["integer"], "seconds": ["number"],
    "kept": ["integer"], "heldBack": ["integer"], "stillFailing": ["integer"],
    "deferred": ["integer"], "removed": ["integer"], "waiting": ["integer"],
  ]

  static var json: JSONLine {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A line of archiver run --json",
      "oneOf": .array(EventRecord.schema.map(shape)),
    ]
  }

  private static func shape(_ shape: EventRecord.Shape) -> JSONValue {
    var properties: [String: JSONValue] = [:]
    for key in shape.keys {
      properties[key] = property(key)
    }
    properties["event"] = .object(["const": .string(shape.name)])
    return .object([
      "title": .string(shape.name), "description": .string(shape.help), "type": "object",
      "properties": .object(properties), "required": .array(shape.keys.map { .string($0) }),
      "additionalProperties": false,
    ])
  }

  private static func property(_ key: String) -> JSONValue {
    let types = types[key] ?? []
    let type: JSONValue =
      types.count == 1 ? .string(types[0]) : .array(types.map { .string($0) })
    switch key {
    case "sources": return .object(["type": type, "items": .object(["type": "string"])])
    case "time": return .object(["type": type, "format": "date-time"])
    default: return .object(["type": type])
    }
  }
}
