import ArchiverCore

/// The value of a property as plain text, for CSV, grouping and search.
struct PropertyText: Sendable {
  let context: RenderContext

  /// Returns the text; empty without a value.
  ///
  /// - Parameter format: The format of a number, from its column.
  func text(_ property: JSONValue, format: String? = nil) -> String {
    let type = property["type"]?.string ?? ""
    guard let value = property.payload(type), !value.isNull else { return "" }
    switch type {
    case "title", "rich_text": return RichText.plain(value.array ?? [])
    case "number": return value.number.map { NumberText.text($0, format: format) } ?? ""
    case "select", "status": return value["name"]?.string ?? ""
    case "multi_select": return list(value) { $0["name"]?.string }
    case "date": return PropertyText.date(value)
    case "people": return list(value, person)
    case "created_by", "last_edited_by": return person(value) ?? ""
    case "files": return list(value, PropertyText.file)
    case "checkbox": return value.bool == true ? "Yes" : "No"
    case "url", "email", "phone_number": return value.string ?? ""
    case "created_time", "last_edited_time": return NotionTime.readable(value.string ?? "")
    case "formula": return formula(value, format)
    case "relation": return list(value) { title(of: NotionID($0["id"])) }
    case "rollup": return rollup(value, format)
    case "unique_id": return PropertyText.uniqueID(value)
    case "verification": return verification(value)
    case "place": return PropertyText.place(value)
    case "button": return ""
    default: return UnknownContent(value).plain(context)
    }
  }

  /// The name of a file, even of one without a URL.
  static func file(_ value: JSONValue) -> String {
    NotionFile(value)?.displayName ?? value["name"]?.string ?? "A file"
  }

  private func list(_ value: JSONValue, _ text: (JSONValue) -> String?) -> String {
    (value.array ?? []).compactMap(text).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns the name of a user or group.
  func person(_ value: JSONValue) -> String? {
    value["name"]?.string ?? NotionID(value["id"]).flatMap { context.users[$0] }
      ?? (value["id"] == nil ? nil : "Someone")
  }

  func title(of id: NotionID?) -> String? {
    guard let id else { return nil }
    guard let known = context.known[id] else { return "Untitled" }
    if !known.isShared { return "A page (not shared)" }
    return known.title.isEmpty ? "Untitled" : known.title
  }

  private func formula(_ value: JSONValue, _ format: String?) -> String {
    if PropertyText.isUncomputed(value) { return PropertyText.uncomputed }
    let type = value["type"]?.string ?? ""
    guard let result = value[type], !result.isNull else { return "" }
    switch type {
    case "string": return result.string ?? ""
    case "number": return result.number.map { NumberText.text($0, format: format) } ?? ""
    case "boolean": return result.bool == true ? "Yes" : "No"
    case "date": return PropertyText.date(result)
    default: return UnknownContent(result).plain(context)
    }
  }

  private func rollup(_ value: JSONValue, _ format: String?) -> String {
    if PropertyText.isUncomputed(value) { return PropertyText.uncomputed }
    let type = value["type"]?.string ?? ""
    guard let result = value[type], !result.isNull else { return "" }
    switch type {
    // A percentage of the rows is a fraction of 1.
    case "number" where value["function"]?.string?.hasPrefix("percent_") == true:
      let share = ((result.number ?? 0) * 10_000).rounded() / 10_000
      return NumberText.text(share, format: "percent")
    case "number": return result.number.map { NumberText.text($0, format: format) } ?? ""
    case "date": return PropertyText.date(result)
    case "array":
      return (result.array ?? []).map { text($0) }.filter { !$0.isEmpty }.joined(separator: ", ")
    default: return UnknownContent(result).plain(context)
    }
  }

  private static let uncomputed = "not computed by Notion"

  /// Whether Notion did not compute a formula or rollup, for instance because it depends on too many
  /// others.
  static func isUncomputed(_ value: JSONValue) -> Bool {
    ["unsupported", "incomplete"].contains(value["type"]?.string)
  }

  static func date(_ value: JSONValue) -> String {
    guard let start = value["start"]?.string else { return "" }
    let end = value["end"]?.string.map { " → \(NotionTime.readable($0))" } ?? ""
    let zone = value["time_zone"]?.string.map { " (\($0))" } ?? ""
    return NotionTime.readable(start) + end + zone
  }

  static func uniqueID(_ value: JSONValue) -> String {
    guard let number = value["number"]?.integer else { return "" }
    return (value["prefix"]?.string.map { "\($0)-" } ?? "") + String(number)
  }

  private func verification(_ value: JSONValue) -> String {
    let state = value["state"]?.string ?? ""
    guard state != "unverified" else { return "Unverified" }
    let by = value["verified_by"].flatMap(person).map { " by \($0)" } ?? ""
    let date = value["date"].map(PropertyText.date) ?? ""
    return state.prefix(1).uppercased() + state.dropFirst() + by + (date.isEmpty ? "" : ", \(date)")
  }

  static func place(_ value: JSONValue) -> String {
    let words = [value["name"]?.string, value["address"]?.string].compactMap(\.self)
      .filter { !$0.isEmpty }
    if !words.isEmpty { return words.joined(separator: ", ") }
    guard let latitude = value["lat"]?.number, let longitude = value["lon"]?.number else {
      return ""
    }
    return "\(latitude), \(longitude)"
  }
}

extension JSONValue {
  /// Returns the member named by a property's type; the whole value if there is none.
  func payload(_ type: String) -> JSONValue? {
    if let value = self[type] { return value }
    guard type.isEmpty, let members = object else { return nil }
    return .object(members.filter { !["id", "type", "name", "has_more"].contains($0.key) })
  }
}
