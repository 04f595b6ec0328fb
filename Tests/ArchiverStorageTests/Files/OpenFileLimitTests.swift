#if canImport(Glibc)
  import ArchiverCore
  import Testing

  @testable import ArchiverStorage

  /// The number of files that the process may open.
  struct OpenFileLimitTests {
    private let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private func limits() throws -> rlimit {
      var limits = rlimit()
      let result = getrlimit(resource, &limits)
      try #require(result == 0)
      return limits
    }

    @Test func `the soft limit bounds the files to open, and rises to the hard limit`() throws {
      let before = try limits()
      let available = OpenFileLimit.available
      let soft = Int(min(before.rlim_cur, rlim_t(Int32.max)))
      #expect(available > 0)
      #expect(available <= soft)
      // The tests themselves have fewer files open.
      if soft >= 1024 { #expect(available > soft / 2) }

      var low = before
      low.rlim_cur = min(before.rlim_cur, 4096)
      var restored = before
      let result = setrlimit(resource, &low)
      try #require(result == 0)
      OpenFileLimit.raise()
      let raised = try limits()
      _ = setrlimit(resource, &restored)
      #expect(raised.rlim_cur == max(low.rlim_cur, min(before.rlim_max, 65_536)))
      #expect(raised.rlim_max == before.rlim_max)
    }
  }
#endif
