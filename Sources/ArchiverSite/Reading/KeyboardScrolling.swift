/// Lets keys scroll the parts of a body that may be wider than the page: code, block formulas, and
/// tables that are not nested in other tables. Not every browser makes such parts focusable on its
/// own.
enum KeyboardScrolling {
  private static let mark = Array(" tabindex=\"0\"".utf8)
  private static let code = Array("<pre".utf8)
  private static let table = Array("<table".utf8)
  private static let formula = Array("<math".utf8)
  private static let block = Array(" display=\"block\"".utf8)
  private static let tableEnd = Array("</table".utf8)

  /// Returns a sanitised body with the attribute `tabindex`. Sanitised text contains no `<`, and tags no `tabindex`.
  static func added(to body: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(body.count + 256)
    var rest = body[...]
    var depth = 0
    while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
      result += rest[..<place]
      rest = rest[place...]
      var name: [UInt8]?
      if isTag(code, rest) {
        name = code
      } else if isTag(formula, rest) {
        // The sanitiser writes no `>` in attributes.
        let tag = rest.prefix { $0 != UInt8(ascii: ">") }
        if tag.firstRange(of: block) != nil { name = formula }
      } else if isTag(table, rest) {
        if depth == 0 { name = table }
        depth += 1
      } else if isTag(tableEnd, rest) {
        depth -= 1
      }
      result += name.map { $0 + mark } ?? [UInt8(ascii: "<")]
      rest = rest.dropFirst(name?.count ?? 1)
    }
    return result + rest
  }

  /// Returns a body without the attributes that `added` inserted.
  static func removed(from body: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(body.count)
    var rest = body[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
      result += rest[..<place]
      rest = rest[place...]
      let name = [code, formula, table].first { rest.starts(with: $0 + mark) }
      result += name ?? [UInt8(ascii: "<")]
      rest = rest.dropFirst(name.map { $0.count + mark.count } ?? 1)
    }
    return result + rest
  }

  private static func isTag(_ name: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: name), let next = text.dropFirst(name.count).first else { return false }
    return next == UInt8(ascii: ">") || next == UInt8(ascii: " ")
  }
}
