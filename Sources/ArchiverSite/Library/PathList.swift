/// A list of paths, compressed to a fifth of the memory of separate strings.
///
/// Paths are stored in parts: a single growing buffer would be in memory twice while it is
/// reallocated. Within a part, each path is the length of the prefix that it shares with the
/// previous path, the length of the rest (two bytes each, little-endian), and the rest. Reading one
/// path decodes its part up to it; iterating decodes each path once.
package struct PathList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The number of paths in a part.
  static let partSize = 256

  private var parts: [[UInt8]] = []
  package private(set) var endIndex = 0
  /// The bytes of the last path.
  private var last: [UInt8] = []

  package init() {}

  package init(arrayLiteral paths: String...) {
    for path in paths { append(path) }
  }

  package var startIndex: Int { 0 }

  package subscript(place: Int) -> String {
    var iterator = Iterator(list: self, place: place - place % PathList.partSize)
    for _ in 0..<place % PathList.partSize { iterator.skip() }
    return iterator.next() ?? ""
  }

  /// Adds a path of at most 65,535 bytes; file systems allow 4,096.
  package mutating func append(_ path: String) {
    if endIndex.isMultiple(of: PathList.partSize) {
      if let part = parts.popLast() { parts.append(PathList.fitted(part)) }
      parts.append([])
      last.removeAll(keepingCapacity: true)
    }
    let bytes = Array(path.utf8)
    let shared = zip(last, bytes).prefix { $0 == $1 }.count
    let part = parts.count - 1
    for length in [shared, bytes.count - shared] {
      parts[part].append(UInt8(truncatingIfNeeded: length))
      parts[part].append(UInt8(length >> 8))
    }
    parts[part] += bytes[shared...]
    last = bytes
    endIndex += 1
  }

  /// Returns the same bytes without spare capacity.
  private static func fitted(_ bytes: [UInt8]) -> [UInt8] {
    Array(unsafeUninitializedCapacity: bytes.count) { buffer, count in
      count = buffer.initialize(fromContentsOf: bytes)
    }
  }

  package func makeIterator() -> Iterator { Iterator(list: self, place: 0) }

  package struct Iterator: IteratorProtocol {
    private let list: PathList
    private var place: Int
    /// The offset of the next path in its part.
    private var offset = 0
    /// The bytes of the previous path.
    private var path: [UInt8] = []

    /// Starts at the first path of a part.
    fileprivate init(list: PathList, place: Int) {
      self.list = list
      self.place = place
    }

    package mutating func next() -> String? {
      guard place < list.endIndex else { return nil }
      skip()
      return String(decoding: path, as: UTF8.self)
    }

    fileprivate mutating func skip() {
      if place.isMultiple(of: PathList.partSize) { offset = 0 }
      let part = list.parts[place / PathList.partSize]
      let shared = Int(part[offset]) | Int(part[offset + 1]) << 8
      let length = Int(part[offset + 2]) | Int(part[offset + 3]) << 8
      path.replaceSubrange(shared..., with: part[(offset + 4)..<(offset + 4 + length)])
      offset += 4 + length
      place += 1
    }
  }
}
