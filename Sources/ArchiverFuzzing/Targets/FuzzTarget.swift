import ArchiverCore

/// A parser of untrusted input, and the properties that must hold for any input.
package struct FuzzTarget: Sendable {
  package let name: String
  /// Words that are significant to the parser.
  package let dictionary: [String]
  /// Initial inputs: complete and valid, so that mutations of them reach deep code.
  package let seeds: [[UInt8]]
  /// Whether the first byte of an input selects how the rest is used.
  package let hasSelector: Bool
  /// Processes an input and returns violations, one sentence each; a rejected input is not a
  /// violation.
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

  /// All targets, in order of usefulness.
  package static func all() async throws -> [FuzzTarget] {
    [
      .sanitizer, .imageReferences, .drawing, try await .readeck(), try await .notion(),
      try await .catalog(), try await .publications(), .program, .graph, .library, try .bookParts(),
      .bookArchive(), .fictionBook, .comic,
      .pdf,
    ]
  }

  /// Returns the target with this name; `nil` if there is none.
  package static func named(_ name: String) async throws -> FuzzTarget? {
    try await all().first { $0.name == name }
  }
}
