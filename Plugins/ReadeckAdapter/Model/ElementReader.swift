import ArchiverCore

/// Decodes the elements of a JSON array while its text arrives, in pieces, because decoding needs
/// several times the memory of its result.
///
/// Elements, faults and errors are the same as if the whole text were decoded at once.
struct ElementReader<Element: Decodable & Sendable> {
  /// One sentence for each invalid element that was skipped.
  private(set) var faults: [String] = []
  private var pieces: JSONPieces
  private var count = 0

  /// Decodes about `pieceSize` bytes at a time.
  init(pieceSize: Int = 64 << 10) {
    pieces = JSONPieces(size: pieceSize)
  }

  /// Adds bytes of the text and returns the elements completed by them.
  ///
  /// Throws an error of the decoder, after which no more bytes may be added.
  mutating func take(_ bytes: UnsafeRawBufferPointer) throws -> [Element] {
    try pieces.take(bytes).flatMap { try read($0) }
  }

  /// Returns the last elements after all bytes were added.
  mutating func finish() throws -> [Element] { try read(pieces.finish()) }

  private mutating func read(_ piece: Data) throws -> [Element] {
    let list = try ForeignJSON.decode(LenientArray<Element>.self, from: piece)
    faults += list.faults(from: count)
    count += list.count
    return list.elements
  }
}
