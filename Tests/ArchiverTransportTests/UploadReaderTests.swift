import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverTransport

/// The bytes of a body to send, as curl asks for them.
struct UploadReaderTests {
  private func reader(body: [UInt8]? = nil, upload: FileSlice? = nil) throws -> UploadReader {
    var request = TransferRequest(
      url: try #require(WebURL("https://a.example/")), method: .put, headers: [:],
      destination: .memory(), timeouts: .brief, permit: AddressGuard.Permit())
    request.body = body
    request.upload = upload
    return try UploadReader(request)
  }

  private func rest(of reader: UploadReader, by size: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  @Test(arguments: [1, 2, 3, 4, 64])
  func `a body is read in pieces of any size, and again from any of its bytes`(
    size: Int
  ) async throws {
    try await TemporaryFolder.with("reader") { folder in
      try Data("0123456789".utf8).write(to: URL(filePath: folder + "/file"))
      let slice = FileSlice(
        path: folder + "/file", offset: 2, byteCount: 4, head: [1, 2, 3], tail: [7, 8])
      let whole: [UInt8] = [1, 2, 3] + Array("2345".utf8) + [7, 8]
      let readers = [try reader(body: whole), try reader(upload: slice)]
      for reader in readers {
        for place in whole.indices {
          reader.position = place
          #expect(try rest(of: reader, by: size) == Array(whole[place...]), "from \(place)")
        }
      }
    }
  }

  @Test func `a request without a body has no bytes`() throws {
    #expect(try rest(of: reader(), by: 8) == [])
  }

  @Test func `a file that ends early, is missing or is a link is named`() async throws {
    try await TemporaryFolder.with("reader") { folder in
      try Data("0123".utf8).write(to: URL(filePath: folder + "/file"))
      try #require(symlink("file", folder + "/link") == 0)
      for (name, count) in [("file", 5), ("none", 1), ("link", 1)] {
        let slice = FileSlice(path: "\(folder)/\(name)", byteCount: count)
        let error = #expect(throws: HTTPError.self) {
          try rest(of: reader(upload: slice), by: 8)
        }
        #expect(error?.code == .sink)
        #expect(error?.message.contains("\(folder)/\(name)") == true)
      }
    }
  }
}
