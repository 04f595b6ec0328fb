import ArchiverCore
import ArchiverMarkup

/// The rows of a view under one heading.
struct RowGroup: Sendable {
  let title: String
  /// The class of the label's colour; `nil` for a plain heading.
  let tagClass: String?
  var rows: [JSONValue]
}

/// Divides the rows of a view into groups according to its configuration.
struct RowGrouping: Sendable {
  let column: PropertySchema
  let words: PropertyText
  private let granularity: String
  private let hidesEmpty: Bool
  private let direction: String
  private let range: Double
  private let startsOnSunday: Bool

  /// `nil` if the configuration names no known column.
  init?(_ configuration: JSONValue, _ schema: DataSourceSchema, _ words: PropertyText) {
    guard let id = configuration["property_id"]?.string, let column = schema.column(id) else {
      return nil
    }
    self.column = column
    self.words = words
    let inner = configuration["group_by"]
    startsOnSunday =
      (inner?["start_day_of_week"] ?? configuration["start_day_of_week"])?.integer == 0
    granularity = inner?.string ?? inner?["group_by"]?.string ?? "exact"
    hidesEmpty = configuration["hide_empty_groups"]?.bool ?? false
    direction = (inner?["sort"] ?? configuration["sort"])?["type"]?.string ?? "manual"
    range = max(configuration["range_size"]?.number ?? inner?["range_size"]?.number ?? 0, 0)
  }

  /// Returns the groups: options in their own order, others by name; rows without a value come last.
  func groups(_ rows: [JSONValue]) -> [RowGroup] {
    var titles = groupsOptions ? statusGroups.compactMap { $0["name"]?.string } : column.options
    var members: [String: [JSONValue]] = [:]
    for row in rows {
      let property = row.property(column)
      let keys = property.map(keys) ?? []
      for key in keys.isEmpty ? [""] : keys {
        if members[key] == nil, !key.isEmpty, !titles.contains(key) { titles.append(key) }
        members[key, default: []].append(row)
      }
    }
    if let today = words.context.today, granularity == "relative" {
      titles.sort { RelativeDay.order($0, today) < RelativeDay.order($1, today) }
    } else if column.type == "number" {
      titles.sort { Double($0.prefix { $0 != " " }) ?? 0 < Double($1.prefix { $0 != " " }) ?? 0 }
    } else if column.options.isEmpty || direction != "manual" {
      titles.sort()
    }
    if direction == "descending" { titles.reverse() }
    var groups = titles.map { title in
      RowGroup(title: title, tagClass: tagClass(title), rows: members[title] ?? [])
    }
    if hidesEmpty { groups.removeAll { $0.rows.isEmpty } }
    if let rest = members[""] {
      groups.append(RowGroup(title: "No \(column.name)", tagClass: nil, rows: rest))
    }
    return groups
  }

  /// The groups of a status, each of several options.
  private var statusGroups: [JSONValue] { column.details["groups"]?.array ?? [] }

  /// Whether a status is grouped by its groups rather than its options.
  private var groupsOptions: Bool {
    column.type == "status" && granularity == "group" && !statusGroups.isEmpty
  }

  /// Returns the group of a status, or else the status itself.
  private func group(of status: JSONValue?) -> String? {
    let options = column.details["options"]?.array ?? []
    let option = options.first { $0["name"]?.string == status?["name"]?.string }
    let id = status?["id"]?.string ?? option?["id"]?.string
    let group = statusGroups.first { group in
      group["option_ids"]?.array?.contains { $0.string == id } == true
    }
    return group?["name"]?.string ?? status?["name"]?.string
  }

  private func tagClass(_ title: String) -> String? {
    let options = groupsOptions ? statusGroups : column.details["options"]?.array ?? []
    let option = options.first { $0["name"]?.string == title }
    return option.map { NotionColor($0["color"]?.string).tagClass }
  }

  private func keys(_ property: JSONValue) -> [String] {
    switch column.type {
    case "status" where groupsOptions: return group(of: property["status"]).map { [$0] } ?? []
    case "multi_select":
      return (property["multi_select"]?.array ?? []).compactMap { $0["name"]?.string }
    case "people": return (property["people"]?.array ?? []).compactMap(words.person)
    case "relation":
      return (property["relation"]?.array ?? []).compactMap { words.title(of: NotionID($0["id"])) }
    case "number": return number(property["number"]?.number).map { [$0] } ?? []
    case "date", "created_time", "last_edited_time": return date(property).map { [$0] } ?? []
    case "formula" where property["formula"]?["type"]?.string == "date":
      return date(property).map { [$0] } ?? []
    case "formula" where property["formula"]?["type"]?.string == "number":
      return number(property["formula"]?["number"]?.number).map { [$0] } ?? []
    default:
      let text = words.text(property)
      guard granularity == "alphabet_prefix" else { return text.isEmpty ? [] : [text] }
      return text.first.map { [$0.uppercased()] } ?? []
    }
  }

  private func number(_ value: Double?) -> String? {
    guard let value else { return nil }
    guard range > 0 else { return NumberText.plain(value) }
    let start = (value / range).rounded(.down) * range
    return "\(NumberText.plain(start)) to \(NumberText.plain(start + range))"
  }

  private func date(_ property: JSONValue) -> String? {
    let value = property[column.type]
    let text = (value?["date"] ?? value)?["start"]?.string ?? value?.string
    guard let text, text.count >= 10 else { return nil }
    switch granularity {
    case "year": return String(text.prefix(4))
    case "day": return String(text.prefix(10))
    case "week":
      return CalendarDay(text).map { day in
        let first = startsOnSunday ? day.startOfSundayWeek : day.startOfWeek
        return "Week of \(first.text)"
      }
    case "relative":
      guard let today = words.context.today, let day = CalendarDay(text) else {
        return String(text.prefix(7))
      }
      return RelativeDay.name(of: day, today)
    default: return String(text.prefix(7))
    }
  }
}

extension JSONValue {
  /// Returns a row's property by the column's name, or else by its id.
  func property(_ column: PropertySchema) -> JSONValue? {
    let properties = self["properties"]
    if let property = properties?[column.name] { return property }
    return properties?.object?.values.first {
      $0["id"]?.string.map(PercentEncoding.decoded) == column.id
    }
  }

  /// The title property of a row.
  var titleProperty: JSONValue? {
    self["properties"]?.object?.values.first { $0["type"]?.string == "title" }
  }
}
