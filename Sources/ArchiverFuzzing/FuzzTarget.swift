import ArchiverCore

/// A parser of untrusted input, and the properties that must hold for any input.
package struct FuzzTarget: Sendable {
  package let name: String
  /// Words that matter to the reader.
  package let dictionary: [String]
  /// Inputs to begin with: whole and valid, so that changes to them reach deep.
  package let seeds: [[UInt8]]
  /// Whether the first byte of an input says what the rest of it is.
  package let hasSelector: Bool
  /// Reads an input and returns what went wrong, one sentence each; a refused input is no wrong.
  package let check: @Sendable ([UInt8]) async -> [String]

  package init(
    name: String, dictionary: [String], seeds: [[UInt8]], hasSelector: Bool = false,
    check: @escaping @Sendable ([UInt8]) async -> [String]
  ) {
    self.name = name
    self.dictionary = dictionary
    self.seeds = seeds
    self.hasSelector = hasSelector
    self.check = check
  }

  /// Every target, in the order in which they are worth running.
  package static func all() async throws -> [FuzzTarget] {
    [
      .sanitizer, .imageReferences, .drawing, try await .readeck(), try await .notion(),
      try await .catalog(), try await .publications(), .program, .graph, .library, try .bookParts(),
      .bookArchive(), .fictionBook, .comic,
      .pdf,
    ]
  }

  /// Returns the target of that name; `nil` when there is none.
  package static func named(_ name: String) async throws -> FuzzTarget? {
    try await all().first { $0.name == name }
  }
}
