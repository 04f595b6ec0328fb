/// Paths, one after the other in memory, which takes a third of what strings of their own would.
package struct PathList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  package init() {}

  package init(arrayLiteral paths: String...) {
    for path in paths { append(path) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(place: Int) -> String { String(decoding: bytes(place), as: UTF8.self) }

  package mutating func append(_ path: String) {
    bytes += path.utf8
    ends.append(bytes.count)
  }

  /// Puts them in the order of their bytes.
  mutating func sort() {
    var order = Array(Int32(0)..<Int32(count))
    order.sort { bytes(Int($0)).lexicographicallyPrecedes(bytes(Int($1))) }
    var sorted = PathList()
    sorted.bytes.reserveCapacity(bytes.count)
    sorted.ends.reserveCapacity(ends.count)
    for place in order {
      sorted.bytes += bytes(Int(place))
      sorted.ends.append(sorted.bytes.count)
    }
    self = sorted
  }

  private func bytes(_ place: Int) -> ArraySlice<UInt8> {
    bytes[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
  }
}
