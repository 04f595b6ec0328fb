import ArchiverCore
import ArchiverMarkup

/// Requests the rest of properties of which a page's response has at most 25 references.
struct PropertyCompletion: Sendable {
  let client: NotionClient
  private static let referenceLimit = 25

  /// Returns the page with its truncated properties completed.
  ///
  /// - Parameters:
  ///   - isInTable: Whether texts, rollups and formulas stay as they are, as suits the rows of a large
  ///     database.
  ///   - missing: Receives a part for each property that stays truncated.
  func completed(
    _ page: JSONValue, isInTable: Bool = false, missing: inout [MissingPart]
  ) async throws(AdapterError) -> JSONValue {
    guard let id = NotionID(page["id"]), case .object(var members) = page,
      case .object(var properties)? = members["properties"]
    else { return page }
    let hasCutRelation = properties.values.contains { $0["has_more"]?.bool == true }
    for (name, property) in properties {
      guard PropertyCompletion.isCut(property, hasCutRelation, isInTable) else { continue }
      do throws(AdapterError) {
        var fault: Fault?
        properties[name] = try await whole(property, of: id, &fault)
        if let fault {
          missing.append(PropertyCompletion.part(name, id, fault.reason, fault.isPermanent))
        }
      } catch {
        guard error.concernsOneObject else { throw error }
        missing.append(PropertyCompletion.part(name, id, error.message, error.isRefusal))
      }
    }
    members["properties"] = .object(properties)
    return .object(members)
  }

  /// Why a part of a property is missing.
  private struct Fault {
    let reason: String
    let isPermanent: Bool
  }

  private static let noValue = Fault(reason: "Notion returns no value", isPermanent: false)

  private static func part(
    _ name: String, _ page: NotionID, _ reason: String, _ isPermanent: Bool
  ) -> MissingPart {
    MissingPart(
      .record, name: "a part of the property \u{201C}\(name)\u{201D} of page \(page)",
      reason: reason, isPermanent: isPermanent)
  }

  /// The number of values of a row that depend on a truncated relation and that a table shows as they are.
  static func partialCount(_ row: JSONValue) -> Int {
    let properties = row["properties"]?.object ?? [:]
    guard properties.values.contains(where: { $0["has_more"]?.bool == true }) else { return 0 }
    return properties.values.count { ["rollup", "formula"].contains($0["type"]?.string) }
  }

  /// Returns the missing part for such values of a table's rows.
  static func partial(_ count: Int) -> [MissingPart] {
    guard count > 0 else { return [] }
    return [
      MissingPart(
        .record,
        name: count == 1 ? "a part of a computed value" : "parts of \(count) computed values",
        reason:
          "Notion computes it from the first \(referenceLimit) targets of a relation in a table",
        isPermanent: true, isEssential: false)
    ]
  }

  private static func isCut(
    _ property: JSONValue, _ hasCutRelation: Bool, _ isInTable: Bool
  ) -> Bool {
    switch property["type"]?.string {
    case "relation": return property["has_more"]?.bool == true
    case "people": return (property["people"]?.array?.count ?? 0) >= referenceLimit
    case _ where isInTable: return false
    case "title", "rich_text":
      let pieces = (property["title"] ?? property["rich_text"])?.array ?? []
      return pieces.count { $0["type"]?.string == "mention" } >= referenceLimit
    case "rollup", "formula": return hasCutRelation
    default: return false
    }
  }

  private func whole(
    _ property: JSONValue, of page: NotionID, _ fault: inout Fault?
  ) async throws(AdapterError) -> JSONValue {
    guard let type = property["type"]?.string, let id = property["id"]?.string,
      case .object(var members) = property
    else {
      fault = Fault(reason: "it has no id", isPermanent: true)
      return property
    }
    let path = ["pages", page.dashed, "properties", PercentEncoding.decoded(id)]
    let subject = "a property of page \(page)"
    if type == "formula" {
      let answer = try await client.get(path, about: subject)
      if answer[type] == nil { fault = PropertyCompletion.noValue }
      members[type] = answer[type] ?? property[type]
      return .object(members)
    }
    var items: [JSONValue] = []
    var trail = PageTrail()
    var last: JSONValue = .null
    var goesOn = true
    while goesOn {
      let list: NotionList
      do throws(AdapterError) {
        list = try await client.page(path, cursor: trail.cursor, about: subject)
      } catch {
        guard trail.restarts(after: error) else { throw error }
        items = []
        continue
      }
      items += list.results
      last = list.body["property_item"]?[type] ?? .null
      goesOn = trail.goesOn(after: list)
    }
    if type == "rollup" {
      if last.isNull { fault = PropertyCompletion.noValue }
      members[type] = last.isNull ? property[type] : rollup(last, items)
    } else {
      let values = items.compactMap { $0[type] }
      members[type] = .array(values)
      if values.count < items.count {
        fault = Fault(
          reason: "\(items.count - values.count) of its entries have no value", isPermanent: true)
      }
    }
    fault = trail.fault.map { Fault(reason: $0, isPermanent: false) } ?? fault
    if trail.fault == nil { members["has_more"] = type == "relation" ? false : nil }
    return .object(members)
  }

  /// The aggregate comes with the last page; an array's elements are the items themselves.
  private func rollup(_ last: JSONValue, _ items: [JSONValue]) -> JSONValue {
    guard last["type"]?.string == "array", case .object(var members) = last else { return last }
    members["array"] = .array(items)
    return .object(members)
  }
}
