import ArchiverCore

/// Decodes the elements of a JSON array while its text comes, some at a time, as decoding takes several
/// times the memory of what is decoded.
///
/// The elements are those of the whole text, and so are the faults and the error for what is no array.
struct ElementReader<Element: Decodable & Sendable> {
  /// What was wrong with the elements left out, a sentence each.
  private(set) var faults: [String] = []
  private var pieces: JSONPieces
  private var count = 0

  /// Decodes about `pieceSize` bytes at a time.
  init(pieceSize: Int = 64 << 10) {
    pieces = JSONPieces(size: pieceSize)
  }

  /// Receives the next bytes of the text and returns the elements completed by them.
  ///
  /// Throws what the decoder finds wrong with the text, after which there is nothing more to take.
  mutating func take(_ bytes: UnsafeRawBufferPointer) throws -> [Element] {
    try pieces.take(bytes).flatMap { try read($0) }
  }

  /// Returns the last elements, after all bytes were taken.
  mutating func finish() throws -> [Element] { try read(pieces.finish()) }

  private mutating func read(_ piece: Data) throws -> [Element] {
    let slots = try JSONDecoder().decode(LenientSlots<Element>.self, from: piece)
    defer { count += slots.outcomes.count }
    faults += slots.faults(from: count)
    return slots.elements
  }
}

/// What came of each element of an array.
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

  /// Returns what was wrong with the other elements, the first of which has the index `start`.
  func faults(from start: Int) -> [String] {
    outcomes.enumerated().compactMap { index, outcome in
      guard case .failure(let error) = outcome else { return nil }
      return "element \(start + index): \(error.sentence(movedBy: start))"
    }
  }

  /// Decodes without throwing, so that the array's decoder moves on.
  private struct Slot: Decodable {
    let outcome: Result<Element, any Error>

    init(from decoder: any Decoder) throws {
      outcome = Result { try Element(from: decoder) }
    }
  }
}
