import Testing

@testable import ArchiverStorage

@Suite struct ChecksumListTests {
  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  @Test func `what is written is read again`() throws {
    var list = ChecksumList()
    list["b/two"] = ChecksumListTests.digest
    list["a one"] = String(ChecksumListTests.digest.reversed())
    #expect(try ChecksumList(list.bytes, path: "SHA256SUMS") == list)
  }

  private static let start = String(digest.dropLast())

  @Test(arguments: [
    "\(digest.uppercased())  a", "\(start)g  a", "\(start)/  a", "\(start):  a", "\(start)`  a",
    "\(start)  a", "\(digest)0  a", "\(digest)  ", "\(digest) a",
  ])
  func `a line of another form is refused`(_ line: String) {
    let lines = "\(ChecksumListTests.digest)  a\n\(line)\n"
    #expect(throws: StorageError.self) {
      try ChecksumList(Array(lines.utf8), path: "SHA256SUMS")
    }
  }
}
