import ArchiverCore

/// The aggregation of a group of rows in a chart: a count, or a function of a property.
struct ChartAggregation: Sendable {
  /// A result: the number that is drawn and the text that is shown.
  struct Value: Sendable, Equatable {
    let number: Double
    let text: String

    /// No value; nothing is drawn.
    static let none = Value(number: 0, text: "–")
  }

  /// Notion's name, such as `sum`.
  let name: String
  /// `nil` counts rows.
  let column: PropertySchema?
  /// Whether the property does not exist in the table.
  let isMissing: Bool

  init(_ configuration: JSONValue?, _ schema: DataSourceSchema) {
    name = configuration?["aggregator"]?.string ?? "count"
    column = configuration?["property_id"]?.string.flatMap { schema.column($0) }
    isMissing = column == nil && name != "count" && ChartAggregation.known.contains(name)
  }

  /// The supported functions.
  static let known: Set<String> = [
    "count", "count_values", "sum", "average", "median", "min", "max", "range", "unique", "empty",
    "not_empty", "percent_empty", "percent_not_empty", "checked", "unchecked", "percent_checked",
    "percent_unchecked", "earliest_date", "latest_date", "date_range",
  ]

  /// `Sum of Cost`.
  var title: String {
    let words = name.replacing("_", with: " ")
    let first = words.prefix(1).uppercased() + words.dropFirst()
    return column.map { "\(first) of \($0.name)" } ?? first
  }

  func value(_ rows: [JSONValue], _ words: PropertyText) -> Value {
    if isMissing { return .none }
    let values = rows.map { row in column.flatMap { row.property($0) } }
    switch name {
    case "count": return count(rows.count)
    case "count_values": return count(values.map { texts($0, words).count }.reduce(0, +))
    case "unique": return count(Set(values.flatMap { texts($0, words) }).count)
    case "empty", "not_empty", "percent_empty", "percent_not_empty":
      let filled = values.count { !texts($0, words).isEmpty }
      return share(name.hasSuffix("not_empty") ? filled : rows.count - filled, of: rows.count)
    case "checked", "unchecked", "percent_checked", "percent_unchecked":
      let checked = values.count(where: isChecked)
      return share(name.hasSuffix("unchecked") ? rows.count - checked : checked, of: rows.count)
    case "earliest_date", "latest_date", "date_range": return date(values)
    default: return number(values.compactMap(number))
    }
  }

  private func count(_ count: Int) -> Value { Value(number: Double(count), text: String(count)) }

  private func share(_ part: Int, of all: Int) -> Value {
    guard name.hasPrefix("percent_") else { return count(part) }
    guard all > 0 else { return .none }
    let percent = (Double(part) / Double(all) * 1_000).rounded() / 10
    return Value(number: percent, text: "\(NumberText.plain(percent))%")
  }

  /// Returns the values of a property as text, several values separately.
  private func texts(_ property: JSONValue?, _ words: PropertyText) -> [String] {
    guard let property else { return [] }
    let type = property["type"]?.string ?? ""
    if ["multi_select", "people", "relation", "files"].contains(type),
      let elements = property[type]?.array
    {
      return elements.map { words.text(["type": .string(type), type: [$0]]) }
    }
    let text = words.text(property)
    return text.isEmpty ? [] : [text]
  }

  private func isChecked(_ property: JSONValue?) -> Bool {
    (property?["checkbox"] ?? property?["formula"]?["boolean"])?.bool == true
  }

  private func number(_ property: JSONValue?) -> Double? {
    let type = property?["type"]?.string ?? ""
    let value = property?[type]
    let number = value?.number ?? value?["number"]?.number
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  private func number(_ numbers: [Double]) -> Value {
    guard !numbers.isEmpty else { return name == "sum" ? formatted(0) : .none }
    let sorted = numbers.sorted()
    let sum = numbers.reduce(0, +)
    switch name {
    case "sum": return formatted(sum)
    case "average": return formatted(sum / Double(numbers.count))
    case "median":
      let middle = sorted.count / 2
      return formatted(
        sorted.count % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2)
    case "min": return formatted(sorted[0])
    case "max": return formatted(sorted[sorted.count - 1])
    case "range": return formatted(sorted[sorted.count - 1] - sorted[0])
    // `UnknownTypes` counts unsupported functions.
    default: return .none
    }
  }

  private func formatted(_ number: Double) -> Value {
    guard number.isFinite else { return .none }
    let rounded = abs(number) < 1e9 ? (number * 1e6).rounded() / 1e6 : number
    return Value(
      number: number,
      text: NumberText.text(rounded, format: column?.details["format"]?.string))
  }

  private func date(_ values: [JSONValue?]) -> Value {
    let days = values.compactMap { property -> CalendarDay? in
      let value = property?[property?["type"]?.string ?? ""]
      let text = (value?["date"] ?? value)?["start"]?.string ?? value?.string
      return text.flatMap { CalendarDay($0) }
    }.sorted()
    guard let first = days.first, let last = days.last else { return .none }
    switch name {
    case "earliest_date": return Value(number: Double(first.number), text: first.text)
    case "latest_date": return Value(number: Double(last.number), text: last.text)
    default:
      let count = last.number - first.number
      return Value(number: Double(count), text: count == 1 ? "1 day" : "\(count) days")
    }
  }
}
