import ArchiverCore
import ArchiverTestKit
import Testing

/// No command follows symbolic links planted inside an archive.
@Suite struct PlantedLinkTests {
  private static let words = "veryprivatewords"

  /// Archives three articles and hands out the archive with a folder of private files beside it.
  private func with(_ body: (Stage, _ outside: String) async throws -> Void) async throws {
    try await Stage.with(articles: 3) { stage in
      #expect(try await stage.run().code == 0)
      let outside = stage.home + "/outside"
      try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
      let page = try read(try #require(try stage.bundles().first) + "/index.html")
      let planted = page.replacing("word1 ", with: "\(Self.words) ")
      #expect(planted != page)
      try write(planted, outside + "/index.html")
      try write("\(Self.words) themselves", outside + "/private.txt")
      try await body(stage, outside)
      #expect(try read(outside + "/index.html") == planted)
      #expect(try read(outside + "/private.txt") == "\(Self.words) themselves")
      #expect(try FileManager.default.contentsOfDirectory(atPath: outside).count == 2)
      let grep = try await Program.tool(
        "grep", ["-rlsF", Self.words, stage.archive, stage.home + "/exported"])
      #expect(grep.output.isEmpty, "\(grep)")
    }
  }

  private func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func archiver(
    _ words: String..., stage: Stage
  ) async throws -> (code: Int32, text: String) {
    let result = try await Program.run(words, home: stage.home, environment: stage.environment)
    #expect(!(result.output + result.error).contains(Self.words), "\(words)")
    return (result.code, result.output + result.error)
  }

  @Test(arguments: ["library", "library/search", "readeck", ".archiver/staging", ".archiver"])
  func `nothing is written through a link in place of a folder`(folder: String) async throws {
    try await with { stage, outside in
      let path = "\(stage.archive)/\(folder)"
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
      stage.readeck.add(Stage.article(7))
      for words in [["run", "-s", "readeck"], ["site"], ["verify"], ["repair", "--catalog"]] {
        let result = try await Program.run(
          words, home: stage.home, environment: stage.environment)
        if words[0] == "run" {
          #expect(result.code != 0, "\(words)")
          #expect(result.error.contains("link"), "\(words): \(result.error)")
        }
      }
    }
  }

  @Test func `a page behind a symbolic link is never read`() async throws {
    try await with { stage, outside in
      let bundle = try #require(try stage.bundles().first)
      try FileManager.default.removeItem(atPath: bundle + "/index.html")
      try FileManager.default.createSymbolicLink(
        atPath: bundle + "/index.html", withDestinationPath: outside + "/index.html")
      #expect(try await archiver("site", stage: stage).code == 0)
      #expect(try await archiver("verify", stage: stage).code == 1)
      #expect(try await archiver("search", "Article", stage: stage).code == 0)
      let exported = stage.home + "/exported"
      try FileManager.default.createDirectory(
        atPath: exported, withIntermediateDirectories: true)
      for number in 0..<3 {
        _ = try await archiver(
          "export", "Article \(number)", "--single-file", "\(exported)/\(number).html", stage: stage
        )
        _ = try await archiver(
          "export", "Article \(number)", "--epub", "\(exported)/\(number).epub", stage: stage)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: exported).count == 4)
      // The fetched file replaces the link.
      #expect(try await archiver("verify", "--repair", stage: stage).code == 0)
      #expect(try await archiver("verify", stage: stage).code == 0)
    }
  }

  @Test func `files behind a link in place of a bundle's folder stay outside`() async throws {
    try await with { stage, outside in
      for bundle in try stage.bundles() {
        let assets = bundle + "/assets"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: assets).first)
        let copy = stage.home + "/copy-\(UUID())"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try write(Self.words, "\(copy)/\(name)")
        try FileManager.default.removeItem(atPath: assets)
        try FileManager.default.createSymbolicLink(
          atPath: assets, withDestinationPath: copy)
      }
      #expect(try await archiver("verify", stage: stage).code == 1)
      let exported = stage.home + "/exported"
      try FileManager.default.createDirectory(
        atPath: exported, withIntermediateDirectories: true)
      let page = "\(exported)/page.html"
      let result = try await archiver(
        "export", "Article 1", "--single-file", page, stage: stage)
      #expect(result.code == 0, "\(result.text)")
      let secret = Data(Self.words.utf8).base64EncodedString()
      #expect(try !read(page).contains(secret.prefix(16)))
      #expect(
        try await archiver("cleanup", "--keep", "0", "--all", stage: stage).code != 4)
      let copies = try FileManager.default.contentsOfDirectory(atPath: stage.home)
        .filter { $0.hasPrefix("copy-") }
      #expect(copies.count == 3)
      for copy in copies {
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: "\(stage.home)/\(copy)").count == 1)
      }
    }
  }
}
