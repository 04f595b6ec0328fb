/// Derives inputs from others: changes bytes, inserts words, and removes, duplicates and swaps
/// pieces.
package struct Mutator {
  private var random: SeededGenerator
  private let dictionary: [[UInt8]]
  private let limit: Int

  /// `limit` is the maximum size of an input in bytes.
  package init(seed: UInt64, dictionary: [String], limit: Int = 64 << 10) {
    random = SeededGenerator(seed: seed)
    self.dictionary = dictionary.map { Array($0.utf8) }
    self.limit = limit
  }

  /// Returns a mutated copy of an input.
  package mutating func next(from corpus: [[UInt8]]) -> [UInt8] {
    var input = corpus.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...8, using: &random) { change(&input, corpus) }
    return Array(input.prefix(limit))
  }

  private mutating func change(_ input: inout [UInt8], _ corpus: [[UInt8]]) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: alterByte(&input)
    case 1, 2, 3: insertWord(&input)
    case 4: input.removeSubrange(piece(of: input))
    case 5: input.insert(contentsOf: input[piece(of: input)], at: place(in: input))
    case 6:
      let other = corpus.randomElement(using: &random) ?? []
      input.insert(contentsOf: other[piece(of: other)], at: place(in: input))
    case 7: repeatPiece(&input)
    default: input.replaceSubrange(piece(of: input, 16), with: word())
    }
  }

  private mutating func alterByte(_ input: inout [UInt8]) {
    guard !input.isEmpty else { return input.append(UInt8.random(in: 0...255, using: &random)) }
    let index = Int.random(in: input.indices, using: &random)
    input[index] =
      Bool.random(using: &random)
      ? UInt8.random(in: 0...255, using: &random)
      : input[index] ^ (1 << UInt8.random(in: 0..<8, using: &random))
  }

  private mutating func insertWord(_ input: inout [UInt8]) {
    input.insert(contentsOf: word(), at: place(in: input))
  }

  /// Repeats a short piece many times, for deep nesting, long lists and runs.
  private mutating func repeatPiece(_ input: inout [UInt8]) {
    let piece = Bool.random(using: &random) ? word() : Array(input[piece(of: input, 64)])
    let times = Int.random(in: 2...(1 << Int.random(in: 1...11, using: &random)), using: &random)
    guard piece.count * times < limit else { return }
    let run = Array(repeatElement(piece, count: times).joined())
    input.insert(contentsOf: run, at: place(in: input))
  }

  private mutating func word() -> [UInt8] {
    dictionary.randomElement(using: &random) ?? [UInt8.random(in: 0...255, using: &random)]
  }

  private mutating func place(in input: [UInt8]) -> Int {
    Int.random(in: 0...input.count, using: &random)
  }

  private mutating func piece(of input: [UInt8], _ longest: Int = 2_048) -> Range<Int> {
    let start = place(in: input)
    let length = Int.random(in: 0...min(longest, input.count - start), using: &random)
    return start..<(start + length)
  }
}
