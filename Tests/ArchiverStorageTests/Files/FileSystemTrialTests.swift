import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The checks of `doctor` on the archive's file system.
struct FileSystemTrialTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path)
  }

  @Test func `a local file system can do all, and keeps nothing of the trial`() throws {
    #expect(FileSystemTrial(in: scratch.path).failures() == [])
    #expect(try entries() == [])
  }

  @Test(arguments: [
    (FileOperation.write, FileSystemTrial.Step.write), (.rename, .rename), (.exchange, .exchange),
    (.link, .link),
  ])
  func `what fails is named with its reason, and the rest is tried`(
    operation: FileOperation, step: FileSystemTrial.Step
  ) throws {
    let faults = FailingStep { found, _ in found == operation ? ENOTSUP : nil }
    let failures = FileSystemTrial(in: scratch.path, faults: faults).failures()
    #expect(
      failures == [.init(step: step, reason: String(cString: strerror(ENOTSUP)))])
    #expect(try entries() == [])
  }

  @Test func `a lock that is unavailable is named`() {
    let faults = FailingStep { operation, path in
      operation == .create && path.hasSuffix("/lock") ? ENOLCK : nil
    }
    let failures = FileSystemTrial(in: scratch.path, faults: faults).failures()
    #expect(failures.map(\.step) == [.lock])
    #expect(failures.first?.step.isEssential == true)
  }

  @Test func `without shared memory the catalog's log is named`() throws {
    let failures = FileSystemTrial(in: scratch.path, faults: nil, vfs: "unix-dotfile").failures()
    #expect(failures.map(\.step) == [.map])
    #expect(failures.first?.step.isEssential == false)
    #expect(try entries() == [])
  }

  @Test func `an unwritable folder fails the first step only`() throws {
    let faults = FailingStep { operation, _ in operation == .makeFolder ? EROFS : nil }
    let failures = FileSystemTrial(in: scratch.path, faults: faults).failures()
    #expect(failures == [.init(step: .write, reason: String(cString: strerror(EROFS)))])
  }

  @Test func `the remains of an interrupted trial are replaced`() throws {
    let old = ".archiver-trial-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: scratch.at(old), withIntermediateDirectories: false)
    try scratch.write("x", to: "\(old)/file")
    #expect(FileSystemTrial(in: scratch.path).failures() == [])
    #expect(try entries() == [])
  }
}
