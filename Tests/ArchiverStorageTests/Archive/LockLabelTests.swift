import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The label of an archive's lock.
struct LockLabelTests {
  private let folder: ScratchFolder
  private let control: Folder
  /// 2026-01-31T02:30:00Z.
  private let now = Date(timeIntervalSince1970: 1_769_826_600)

  init() throws {
    folder = try ScratchFolder()
    control = try Folder.open(path: folder.path)
  }

  private func lock(_ holder: String) throws -> ArchiveLock {
    try ArchiveLock(in: control, of: "/archive", holder: holder, now: now)
  }

  private func hostName() throws -> String {
    var name = [CChar](repeating: 0, count: 256)
    let result = gethostname(&name, 255)
    try #require(result == 0)
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test func `a label names holder, process, host and time, one per line`() throws {
    let held = try lock("repair")
    let host = try hostName()
    #expect(folder.text(of: "lock") == "repair\n\(getpid())\n\(host)\n2026-01-31T02:30:00Z\n")
    withExtendedLifetime(held) {}
  }

  @Test func `a holder on the same host is named without the host`() throws {
    let held = try lock("repair")
    let error = #expect(throws: StorageError.self) { try lock("run") }
    #expect(error?.code == .locked)
    let holder = "another repair (pid \(getpid()), since 2026-01-31T02:30:00Z)"
    #expect(error?.message == "\(holder) holds /archive")
    withExtendedLifetime(held) {}
  }

  @Test func `a run holds the lock from its beginning to its end`() throws {
    #expect(!ArchiveLock.isHeldByRun(in: control), "there is no lock yet")
    do {
      let held = try lock("run")
      #expect(ArchiveLock.isHeldByRun(in: control))
      withExtendedLifetime(held) {}
    }
    #expect(!ArchiveLock.isHeldByRun(in: control))
  }

  @Test func `a process of another user may hold the lock`() throws {
    // The first process always exists; only root may signal it.
    let host = try hostName()
    try folder.write("run\n1\n\(host)\n2026-01-31T02:30:00Z\n", to: "lock")
    #expect(ArchiveLock.isHeld(besides: folder.at("catalog.sqlite")))
  }
}
