import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Free space as errors report it.
struct FreeSpaceMessageTests {
  private let scratch: ScratchFolder
  private let folder: Folder

  init() throws {
    scratch = try ScratchFolder()
    folder = try Folder.open(path: scratch.path)
  }

  @Test func `a full disk is explained with what was needed and what is free`() {
    let space = FreeSpace(of: "/archive", reserve: 0)
    let full = StorageError.file(ENOSPC, "write", "/archive/file")
    let error = space.explain(full, needed: 1_500_000, in: folder)
    #expect(error.code == .full)
    #expect(error.message.hasPrefix("archive is full: /archive needs 1.5 MB, "))
    #expect(error.message.hasSuffix(" are free"))
    #expect(!error.message.hasSuffix(", 0 bytes are free"))
    #expect((error.underlying as? StorageError)?.errorNumber == ENOSPC)
  }

  @Test func `an error that is explained already, or of another kind, stays as it is`() {
    let space = FreeSpace(of: "/archive", reserve: 0)
    let known = space.explain(StorageError(.full, "no space"), needed: 1, in: folder)
    #expect(known.message == "no space")
    let failed = StorageError.file(EIO, "write", "/archive/file")
    #expect(space.explain(failed, needed: 1, in: folder).message == failed.message)
  }

  @Test func `a size that does not fit is reported with the reserve`() throws {
    let space = FreeSpace(of: "/archive", reserve: .max / 2)
    let error = #expect(throws: StorageError.self) { try space.claim(5_000_000, in: folder) }
    #expect(error?.code == .full)
    let start = "archive is full: /archive needs 5 MB and a reserve of "
    #expect(error?.message.hasPrefix(start) == true)
    #expect(space.claimedByteCount == 0)
  }

  #if os(Linux)
    @Test func `a file system that does not report its size has space`() throws {
      let processes = try Folder.open(path: "/proc")
      #expect(FreeSpace.free(in: processes) == nil)
      try FreeSpace(of: "/proc", reserve: .max / 2).require(1 << 40, in: processes)
    }
  #endif
}
