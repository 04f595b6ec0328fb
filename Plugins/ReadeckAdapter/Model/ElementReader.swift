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
    let slots = try ForeignJSON.decode(LenientSlots<Element>.self, from: piece)
    defer { count += slots.outcomes.count }
    faults += slots.faults(from: count)
    return slots.elements
  }
}

/// The results of decoding each element of an array.
struct LenientSlots<Element: Decodable & Sendable>: Decodable {
  private(set) var outcomes: [Result<Element, any Error>] = []

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { outcomes.append(try container.decode(Slot.self).outcome) }
  }

  var elements: [Element] {
    outcomes.compactMap { outcome in
      if case .success(let element) = outcome { element } else { nil }
    }
  }

  /// Returns the faults of invalid elements, where the first element has the index `start`.
  func faults(from start: Int) -> [String] {
    outcomes.enumerated().compactMap { index, outcome in
      guard case .failure(let error) = outcome else { return nil }
      return "element \(start + index): \(error.sentence(movedBy: start))"
    }
  }

  /// Decodes without throwing, so that the array's decoder continues with the next element.
  private struct Slot: Decodable {
    let outcome: Result<Element, any Error>

    init(from decoder: any Decoder) throws {
      outcome = Result { try Element(from: decoder) }
    }
  }
}
