import ArchiverCore
import ArchiverMarkup

/// Fetches what a page's own answer leaves out: at most 25 references per property are in it.
struct PropertyCompletion: Sendable {
  let client: NotionClient
  private static let referenceLimit = 25

  /// Returns the page with its cut properties completed.
  ///
  /// - Parameter onlyRelations: whether other properties are left as they are, as suits the rows of
  ///   a large database.
  func completed(
    _ page: JSONValue, onlyRelations: Bool = false
  ) async throws(AdapterError) -> JSONValue {
    guard let id = NotionID(page["id"]), case .object(var members) = page,
      case .object(var properties)? = members["properties"]
    else { return page }
    let hasCutRelation = properties.values.contains { $0["has_more"]?.bool == true }
    for (name, property) in properties {
      guard PropertyCompletion.isCut(property, hasCutRelation, onlyRelations) else { continue }
      do throws(AdapterError) {
        properties[name] = try await whole(property, of: id)
      } catch {
        guard error.concernsOneObject else { throw error }
        client.context.log(.warning, "The property \(name) of page \(id) is cut: \(error.message)")
      }
    }
    members["properties"] = .object(properties)
    return .object(members)
  }

  private static func isCut(
    _ property: JSONValue, _ hasCutRelation: Bool, _ onlyRelations: Bool
  ) -> Bool {
    switch property["type"]?.string {
    case "relation": return property["has_more"]?.bool == true
    case _ where onlyRelations: return false
    case "people": return (property["people"]?.array?.count ?? 0) >= referenceLimit
    case "title", "rich_text":
      let pieces = (property["title"] ?? property["rich_text"])?.array ?? []
      return pieces.count { $0["type"]?.string == "mention" } >= referenceLimit
    case "rollup", "formula": return hasCutRelation
    default: return false
    }
  }

  private func whole(
    _ property: JSONValue, of page: NotionID
  ) async throws(AdapterError) -> JSONValue {
    guard let type = property["type"]?.string, let id = property["id"]?.string,
      case .object(var members) = property
    else { return property }
    let path = ["pages", page.dashed, "properties", PercentEncoding.decoded(id)]
    let subject = "a property of page \(page)"
    if type == "formula" {
      let answer = try await client.get(path, about: subject)
      members[type] = answer[type] ?? property[type]
      return .object(members)
    }
    var items: [JSONValue] = []
    var trail = PageTrail()
    var last: JSONValue = .null
    var goesOn = true
    while goesOn {
      let list = try await client.page(path, cursor: trail.cursor, about: subject)
      items += list.results
      last = list.body["property_item"]?[type] ?? .null
      goesOn = trail.goesOn(after: list)
    }
    if let fault = trail.fault {
      client.context.log(.warning, "A property of page \(page) is cut: \(fault)")
    }
    members[type] = type == "rollup" ? rollup(last, items) : .array(items.compactMap { $0[type] })
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
