/// Paths, one after the other in memory, which takes a third of what strings of their own would.
///
/// They are kept in parts, as a whole that grows has to be in memory twice while it is moved.
package struct PathList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// Paths in a part.
  static let partSize = 1_024

  private struct Part: Hashable, Sendable {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []

    func path(_ place: Int) -> String {
      let start = place == 0 ? 0 : Int(ends[place - 1])
      return String(decoding: bytes[start..<Int(ends[place])], as: UTF8.self)
    }
  }

  private var parts: [Part] = []

  package init() {}

  package init(arrayLiteral paths: String...) {
    for path in paths { append(path) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int {
    parts.last.map { (parts.count - 1) * PathList.partSize + $0.ends.count } ?? 0
  }

  package subscript(place: Int) -> String {
    parts[place / PathList.partSize].path(place % PathList.partSize)
  }

  package mutating func append(_ path: String) {
    if count.isMultiple(of: PathList.partSize) { parts.append(Part()) }
    let last = parts.count - 1
    parts[last].bytes += path.utf8
    parts[last].ends.append(UInt32(parts[last].bytes.count))
  }
}
