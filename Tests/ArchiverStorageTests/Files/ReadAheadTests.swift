#if os(Linux)
  import ArchiverCore
  import Testing

  @testable import ArchiverStorage

  /// Queries the kernel for cached pages. Where a file cannot be evicted, as in tmpfs, the test
  /// expects nothing.
  @Suite struct ReadAheadTests {
    private let folder: ScratchFolder

    init() throws {
      folder = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: folder.at("items"), withIntermediateDirectories: false)
    }

    @Test("the files of a list are in memory soon, and a list with what is not there does no harm")
    func reads() async throws {
      let names = try (0..<40).map { number in
        try write("items/\(number)", String(repeating: "text", count: number == 7 ? 500_000 : 1))
      }
      guard try names.allSatisfy({ try forget($0) }) else { return }
      let ahead = ReadAhead(root: folder.path)
      var missing = names
      // The kernel may drop a prefetch request while the disk is busy.
      for _ in 0..<50 where !missing.isEmpty {
        ahead.read(missing + ["items/none", "none/none", "../items/1", "items"])
        try await Task.sleep(for: .milliseconds(100))
        missing = try missing.filter { try pages($0).contains(false) }
        for name in missing { _ = try forget(name) }
      }
      #expect(missing == [])
    }

    @Test("files that are in memory are not requested again")
    func spares() throws {
      let name = try write("items/here", "text")
      // The kernel may drop a clean page at any time.
      var requested = ArchiveFile(name, in: folder.path).readAhead()
      for _ in 0..<50 where requested { requested = ArchiveFile(name, in: folder.path).readAhead() }
      #expect(!requested)
      // A request in flight may bring the page back.
      for _ in 0..<50 where !requested {
        usleep(20_000)
        guard try forget(name) else { return }
        requested = ArchiveFile(name, in: folder.path).readAhead()
      }
      #expect(requested)
    }

    @Test("no symbolic link is followed")
    func links() throws {
      let name = try write("items/here", "text")
      try #require(symlink("\(folder.path)/items/here", "\(folder.path)/items/link") == 0)
      guard try forget(name) else { return }
      #expect(!ArchiveFile("items/link", in: folder.path).readAhead())
    }

    private func write(_ path: String, _ text: String) throws -> String {
      try folder.write(text, to: path)
      return path
    }

    /// Returns for each page of a file whether it is cached. Uses mincore(2), as a non-blocking
    /// read may start a readahead.
    private func pages(_ path: String) throws -> [Bool] {
      let file = open("\(folder.path)/\(path)", O_RDONLY)
      defer { close(file) }
      let size = Int(lseek(file, 0, SEEK_END))
      let start = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, file, 0))
      try #require(start != MAP_FAILED)
      defer { munmap(start, size) }
      var pages = [UInt8](repeating: 0, count: (size - 1) / Int(getpagesize()) + 1)
      try #require(mincore(start, size, &pages) == 0)
      return pages.map { $0 & 1 == 1 }
    }

    /// Evicts a file from the page cache; returns whether that succeeded. It fails while pages are
    /// in the per-CPU list of the processor that wrote them.
    private func forget(_ path: String) throws -> Bool {
      let file = open("\(folder.path)/\(path)", O_RDONLY)
      defer { close(file) }
      try #require(fsync(file) == 0)
      for _ in 0..<200 {
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        if try !pages(path).contains(true) { return true }
        usleep(1_000)
      }
      return false
    }
  }
#endif
