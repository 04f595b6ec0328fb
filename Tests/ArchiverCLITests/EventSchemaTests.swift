import ArchiverCore
import Testing

@testable import ArchiverCLI

@Suite struct EventSchemaTests {
  @Test func `the schema names every event and the type of every key`() async throws {
    let result = await (try Desk()).type("schema")
    #expect(result.code == .success)
    let schema = try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
    let shapes = try #require(schema["oneOf"]?.array)
    #expect(shapes.compactMap { $0["title"]?.string } == EventRecord.schema.map(\.name))
    for shape in shapes {
      for (key, property) in try #require(shape["properties"]?.object) where key != "event" {
        let type = property["type"]
        #expect(type?.string != nil || type?.array?.isEmpty == false, "\(key) has no type")
      }
    }
    #expect(Set(EventSchema.types.keys) == Set(EventRecord.schema.flatMap(\.keys)))
  }

  /// Whether a value is of one of the types of JSON Schema.
  static func fits(_ value: JSONValue, _ types: [String]) -> Bool {
    switch value {
    case .null: types.contains("null")
    case .bool: types.contains("boolean")
    case .integer: types.contains("integer") || types.contains("number")
    case .number: types.contains("number")
    case .string: types.contains("string")
    case .array: types.contains("array")
    case .object: types.contains("object")
    }
  }
}
