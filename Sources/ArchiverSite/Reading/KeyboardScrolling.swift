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
  private static let bracket = Array("<".utf8)

  /// Returns a sanitised body with the attribute `tabindex`. Sanitised text contains no `<`, and tags no `tabindex`.
  static func added(to body: [UInt8]) -> [UInt8] {
    var depth = 0
    return replacing(in: body) { rest in
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
      return name.map { (start: $0, by: $0 + mark) }
    }
  }

  /// Returns a body without the attributes that `added` inserted.
  static func removed(from body: [UInt8]) -> [UInt8] {
    replacing(in: body) { rest in
      [code, formula, table].first { rest.starts(with: $0 + mark) }
        .map { (start: $0 + mark, by: $0) }
    }
  }

  /// Replaces beginnings of tags. `change` is given the rest of the body from each `<` on, and returns a beginning
  /// and its replacement; `nil` to keep the tag.
  private static func replacing(
    in body: [UInt8], _ change: (ArraySlice<UInt8>) -> (start: [UInt8], by: [UInt8])?
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(body.count + 256)
    var rest = body[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
      result += rest[..<place]
      rest = rest[place...]
      let (start, other) = change(rest) ?? (bracket, bracket)
      result += other
      rest = rest.dropFirst(start.count)
    }
    return result + rest
  }

  private static func isTag(_ name: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: name), let next = text.dropFirst(name.count).first else { return false }
    return next == UInt8(ascii: ">") || next == UInt8(ascii: " ")
  }
}
