import CPCRE2

/// A compiled regular expression over bytes (PCRE2, JIT).
///
/// Thread safety: according to PCRE2's documentation, compiled code is read-only after JIT
/// compilation and may be shared by threads; each search has its own match data and context. Every
/// search has a match limit, so that no input can make it run without end.
final class Pattern: @unchecked Sendable {
  private let code: OpaquePointer

  /// Compiles a pattern of the program; an invalid one is a programming error.
  init(_ pattern: StaticString) {
    var error: Int32 = 0
    var offset = 0
    let code = pcre2_compile_8(
      pattern.utf8Start, pattern.utf8CodeUnitCount, 0, &error, &offset, nil)
    guard let code else { preconditionFailure("pattern \(pattern): error \(error) at \(offset)") }
    // Without a JIT compiler, the interpreter gives the same matches.
    _ = pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    self.code = code
  }

  deinit { pcre2_code_free_8(code) }

  /// A match: byte ranges of the whole and of each group; `nil` for a group that did not
  /// participate.
  struct Match {
    let range: Range<Int>
    fileprivate let vector: UnsafeMutablePointer<Int>
    fileprivate let groups: Int

    subscript(group: Int) -> Range<Int>? {
      // PCRE2_UNSET, the greatest `size_t`, is -1 here.
      guard group < groups, vector[2 * group] >= 0 else { return nil }
      return vector[2 * group]..<vector[2 * group + 1]
    }
  }

  /// Whether there is a match.
  func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !bytes.isEmpty, let data = pcre2_match_data_create_from_pattern_8(code, nil) else {
      return false
    }
    defer { pcre2_match_data_free_8(data) }
    return pcre2_match_8(code, bytes.baseAddress, bytes.count, 0, 0, data, nil) > 0
  }

  /// Calls `body` with each match in `range`, in order; a match is valid only during the call.
  func matches(
    in bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>? = nil, _ body: (Match) -> Void
  ) {
    guard let data = pcre2_match_data_create_from_pattern_8(code, nil),
      let context = pcre2_match_context_create_8(nil)
    else { return }
    defer {
      pcre2_match_data_free_8(data)
      pcre2_match_context_free_8(context)
    }
    pcre2_set_match_limit_8(context, 100_000)
    let end = range?.upperBound ?? bytes.count
    var start = range?.lowerBound ?? 0
    while start <= end, end > 0 {
      let groups = pcre2_match_8(code, bytes.baseAddress, end, start, 0, data, context)
      guard groups > 0, let vector = pcre2_get_ovector_pointer_8(data) else { return }
      body(Match(range: vector[0]..<vector[1], vector: vector, groups: Int(groups)))
      start = max(vector[1], start + 1)
    }
  }
}
