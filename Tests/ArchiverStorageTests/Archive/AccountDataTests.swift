import ArchiverCore
import Testing

@testable import ArchiverStorage

struct AccountDataTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test func `what a source's account has is stored for each source, and written when it changed`()
    throws
  {
    let creations = StepCounter()
    let faults = FailingStep { operation, path in
      if operation == .create, path.contains("/staging/") { _ = creations.next() }
      return nil
    }
    let archive = try Archive.open(
      path: folder.at("archive"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: faults))
    let before = creations.next()
    #expect(try archive.account(of: "a") == nil)
    let data = (1...2).map {
      Archive.AccountData(kind: "readeck", account: .object(["name": .string("User \($0)")]))
    }
    for _ in 0..<2 { try archive.store(data[0], of: "a") }
    #expect(try archive.account(of: "a") == data[0])
    #expect(try archive.account(of: "b") == nil)
    try archive.store(data[1], of: "b")
    try archive.store(data[1], of: "a")
    #expect(try archive.account(of: "a") == data[1])
    #expect(creations.next() - before == 4, "three writes")
    try folder.write("rubbish", to: "archive/.archiver/accounts/a.json")
    #expect(try archive.account(of: "a") == nil)
    try archive.store(data[0], of: "a")
    #expect(try archive.account(of: "a") == data[0])
  }
}
