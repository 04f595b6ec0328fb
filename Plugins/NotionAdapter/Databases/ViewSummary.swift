import ArchiverCore

/// Describes the filter and order of a view in words.
struct ViewSummary {
  let schema: DataSourceSchema
  let words: PropertyText

  /// The maximum numbers of characters of one value and of the whole text.
  private static let valueLength = 120
  private static let length = 1_500
  private static let depthLimit = 20

  /// Returns one sentence each for the filter, further conditions and the order, if there are any.
  func sentences(_ view: DatabaseView) -> [String] {
    var sentences: [String] = []
    if let filter = view.filter {
      let text = condition(filter, 0)
      if !text.isEmpty { sentences.append("Filter: \(text)") }
    }
    let quick = view.quickFilters.sorted { $0.key < $1.key }.map { id, value in
      "\(name(id)) \(operation(value, 0))"
    }
    if !quick.isEmpty { sentences.append("Quick filters: \(quick.joined(separator: "; "))") }
    if !view.sorts.isEmpty {
      let sorts = view.sorts.map { sort in
        let property = sort["property"]?.string.map(name) ?? plain(sort["timestamp"]?.string ?? "")
        return sort["direction"]?.string == "descending" ? "\(property), descending" : property
      }
      sentences.append("Sorted by \(sorts.joined(separator: "; then "))")
    }
    return sentences.map {
      $0.count > ViewSummary.length ? $0.prefix(ViewSummary.length) + "…" : $0
    }
  }

  private func name(_ id: String) -> String { schema.column(id)?.name ?? id }

  private func plain(_ word: String) -> String { word.replacing("_", with: " ") }

  private func condition(_ value: JSONValue, _ depth: Int) -> String {
    guard depth < ViewSummary.depthLimit else { return "…" }
    for (key, word) in [("and", " and "), ("or", " or ")] {
      guard let parts = value[key]?.array else { continue }
      let texts = parts.map { condition($0, depth + 1) }.filter { !$0.isEmpty }
      let text = texts.joined(separator: word)
      return depth > 0 && texts.count > 1 ? "(\(text))" : text
    }
    let subject = value["property"]?.string.map(name) ?? plain(value["timestamp"]?.string ?? "")
    let rest = (value.object ?? [:]).filter { !["property", "timestamp", "type"].contains($0.key) }
    return [subject, operation(.object(rest), depth)].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// Returns the condition for a property, without the name of its type.
  private func operation(_ value: JSONValue, _ depth: Int) -> String {
    guard depth < ViewSummary.depthLimit else { return "…" }
    guard let members = value.object else { return text(value) }
    return members.sorted { $0.key < $1.key }.map { key, member in
      let isType =
        KnownTypes.properties.contains(key) || ["text", "string", "phone"].contains(key)
      if isType, member.object != nil { return operation(member, depth + 1) }
      let words = plain(key)
      if member == true || member.object?.isEmpty == true || member.isNull { return words }
      if member.object != nil { return "\(words) \(operation(member, depth + 1))" }
      return "\(words) \(text(member))"
    }.joined(separator: " and ")
  }

  private func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text):
      if let id = NotionID(text) {
        return words.context.users[id] ?? words.title(of: id) ?? text
      }
      let short = text.prefix(ViewSummary.valueLength)
      return "\u{201C}\(short)\(short.count < text.count ? "…" : "")\u{201D}"
    case .array(let elements): return elements.map(text).joined(separator: ", ")
    case .bool(let isTrue): return isTrue ? "yes" : "no"
    case .integer(let number): return String(number)
    case .number(let number): return NumberText.plain(number)
    case .null, .object: return ""
    }
  }
}
