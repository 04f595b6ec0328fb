import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

/// libxml2 prints nothing: the terminal belongs to the program.
@Suite(.serialized) struct SilentParserTests {
  /// Returns what is written to standard error meanwhile, by any thread.
  private static func printed(_ body: () -> Void) async throws -> String {
    var text = ""
    try await TemporaryFolder.with("stderr") { folder in
      let path = folder + "/error"
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      let earlier = dup(2)
      try #require(file >= 0 && earlier >= 0)
      dup2(file, 2)
      body()
      dup2(earlier, 2)
      close(earlier)
      close(file)
      text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }
    return text
  }

  /// UTF-16 with half of a surrogate pair.
  private static let halved: [UInt8] = [
    0xFF, 0xFE, 0x3C, 0, 0x61, 0, 0x3E, 0, 0x00, 0xD8, 0x78, 0, 0x3C, 0, 0x2F, 0, 0x61, 0, 0x3E, 0,
  ]

  @Test(arguments: [true, false])
  func `a document with an invalid character of its encoding prints nothing`(
    recovering: Bool
  ) async throws {
    let text = try await Self.printed {
      _ = try? XMLDocument(Self.halved, recovering: recovering)
    }
    #expect(!text.contains("encod"), "\(text)")
  }
}
