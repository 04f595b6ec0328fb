import ArchiverCore

/// The data of a chart: a value for each group of rows, subdivided for stacked bars.
struct ChartContent: Sendable {
  struct Category: Sendable {
    let title: String
    /// The colour in the drawing; `nil` if the group has none of its own.
    let color: String?
    /// One for each series.
    var values: [ChartAggregation.Value]

    var total: Double { values.map(\.number).reduce(0, +) }
  }

  static let kinds: Set<String> = ["column", "bar", "line", "donut", "number"]
  static let orders: Set<String> = [
    "x_ascending", "x_descending", "y_ascending", "y_descending", "manual",
  ]

  let kind: String
  let aggregation: ChartAggregation
  /// The name of the property that makes the groups; `nil` for a single number.
  let axis: String?
  /// The series, at least one.
  private(set) var series: [(title: String, color: String?)]
  private(set) var categories: [Category]
  /// One sentence for each property that the chart uses and the table does not have.
  private(set) var notes: [String] = []

  init(
    _ view: DatabaseView, _ schema: DataSourceSchema, _ words: PropertyText, _ rows: [JSONValue]
  ) {
    let configuration = view.configuration
    kind = configuration["chart_type"]?.string ?? "column"
    aggregation = ChartAggregation(configuration["y_axis"] ?? configuration["value"], schema)
    let calculation = aggregation
    let grouping = configuration["x_axis"].flatMap { RowGrouping($0, schema, words) }
    axis = kind == "number" ? nil : grouping?.column.name
    series = [(calculation.title, nil)]
    if calculation.isMissing {
      notes.append(
        "Notion's calculation for this chart cannot be read; it is shown without numbers.")
    }
    guard kind != "number", let grouping else {
      if kind != "number" {
        notes.append("Notion's grouping of this chart cannot be read; all rows are one group.")
      }
      categories = [
        Category(title: "All rows", color: nil, values: [calculation.value(rows, words)])
      ]
      return
    }
    let groups = grouping.groups(rows)
    if let stack = configuration["stack_by"].flatMap({ RowGrouping($0, schema, words) }) {
      let parts = stack.groups(rows)
      series = parts.map { ($0.title, ChartContent.color($0)) }
      categories = groups.map { group in
        var byTitle: [String: [JSONValue]] = [:]
        for part in stack.groups(group.rows) { byTitle[part.title] = part.rows }
        return Category(
          title: group.title, color: ChartContent.color(group),
          values: parts.map { calculation.value(byTitle[$0.title] ?? [], words) })
      }
    } else {
      if configuration["stack_by"]?.object != nil {
        notes.append("Notion's stacking of this chart cannot be read; its bars are not divided.")
      }
      categories = groups.map { group in
        Category(
          title: group.title, color: ChartContent.color(group),
          values: [calculation.value(group.rows, words)])
      }
    }
    arrange(configuration)
  }

  private static func color(_ group: RowGroup) -> String? {
    group.tagClass.map { String($0.dropFirst(5)) }
  }

  private mutating func arrange(_ configuration: JSONValue) {
    if configuration["hide_empty_groups"]?.bool == true {
      categories.removeAll { category in category.values.allSatisfy { $0.number == 0 } }
    }
    switch configuration["sort"]?.string {
    case "x_descending": categories.reverse()
    case "y_ascending": categories.sort { $0.total < $1.total }
    case "y_descending": categories.sort { $0.total > $1.total }
    case "x_ascending", "manual", nil: break
    // An unknown order keeps that of the groups; `UnknownTypes` counts it.
    default: break
    }
    guard configuration["cumulative"]?.bool == true else { return }
    for index in categories.indices.dropFirst() {
      for part in categories[index].values.indices {
        let sum = categories[index - 1].values[part].number + categories[index].values[part].number
        categories[index].values[part] = .init(number: sum, text: NumberText.plain(sum))
      }
    }
  }
}
