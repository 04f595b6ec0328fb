/// Paths, one after the other in memory, which takes a third of what strings of their own would.
package struct PathList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []

  package init() {}

  package init(arrayLiteral paths: String...) {
    for path in paths { append(path) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(place: Int) -> String { String(decoding: bytes(place), as: UTF8.self) }

  package mutating func append(_ path: String) {
    bytes += path.utf8
    ends.append(UInt32(bytes.count))
  }

  private func bytes(_ place: Int) -> ArraySlice<UInt8> {
    bytes[(place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])]
  }
}
