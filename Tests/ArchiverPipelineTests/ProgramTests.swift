import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Programs that read books: where they are looked for, and how their failures are told.
struct ProgramTests {
  /// Writes an executable script and returns its path.
  private static func script(_ text: String, at path: String) throws -> String {
    try ProgramFile.write("#!/bin/sh\n\(text)\n", to: path)
    return path
  }

  @Test func `a program is the first of its name in the search path`() async throws {
    try await TemporaryFolder.with("programs") { folder in
      let folders = ["empty", "first", "second"].map { "\(folder)/\($0)" }
      for path in folders {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: false)
      }
      let search = folders.joined(separator: ":")
      #expect(BookProgram(searchPath: search) == nil)
      #expect(DjVuPrograms(searchPath: search) == nil)
      let later = try Self.script("", at: folders[2] + "/ebook-convert")
      #expect(BookProgram(searchPath: search)?.path == later)
      let first = try Self.script("", at: folders[1] + "/ebook-convert")
      #expect(BookProgram(searchPath: search)?.path == first)
      // A relative folder would depend on where the program is started.
      #expect(BookProgram(searchPath: "first:.:" + folders[2])?.path == later)
      let pictures = try Self.script("", at: folders[1] + "/ddjvu")
      let one = try #require(DjVuPrograms(searchPath: search))
      #expect(one.pictures == pictures && one.words == nil)
      let words = try Self.script("", at: folders[2] + "/djvutxt")
      let both = try #require(DjVuPrograms(searchPath: search))
      #expect(both.pictures == pictures && both.words == words)
    }
  }

  @Test(arguments: [
    ("exit 3", "it exited with status 3"), (":", "it exited with status 0"),
    ("kill -9 $$", "it exited with status 137"), ("exit 255", "it exited with status 255"),
  ])
  func `a program that makes no book is told by its status`(
    script: String, reason: String
  ) async throws {
    try await TemporaryFolder.with("programs") { folder in
      let path = try Self.script(script, at: folder + "/ebook-convert")
      let program = BookProgram(path: path, searchPath: "/usr/bin:/bin", time: .seconds(20))
      try Data("words".utf8).write(to: URL(filePath: folder + "/book"))
      do throws(BookProgram.Failure) {
        _ = try program.convert(
          folder + "/book", mediaType: "application/rtf", in: folder + "/work")
        Issue.record("there is a book")
      } catch {
        #expect(error.reason == reason)
      }
    }
  }

  @Test func `a book is not converted without a folder, a file or a format that is read`()
    async throws
  {
    try await TemporaryFolder.with("programs") { folder in
      let path = try Self.script("echo book >\"$2\"", at: folder + "/ebook-convert")
      let program = BookProgram(path: path, searchPath: "/usr/bin:/bin", time: .seconds(20))
      let book = folder + "/book"
      try Data("words".utf8).write(to: URL(filePath: book))
      func reason(_ file: String, _ type: String, _ place: String) -> String? {
        do {
          _ = try program.convert(file, mediaType: type, in: place)
          return nil
        } catch {
          return error.reason
        }
      }
      let kind = reason(book, "text/plain", folder + "/1")
      #expect(kind == "it does not read files of this kind")
      let taken = reason(book, "application/rtf", folder)
      #expect(taken?.hasPrefix("no folder could be created for it") == true)
      let lost = reason(folder + "/lost", "application/rtf", folder + "/2")
      #expect(lost?.hasPrefix("no folder could be created for it") == true)
      #expect(reason(book, "application/rtf", folder + "/3") == nil)
      let gone = BookProgram(path: folder + "/gone", searchPath: "/usr/bin:/bin")
      #expect(throws: BookProgram.Failure.self) {
        try gone.convert(book, mediaType: "application/rtf", in: folder + "/4")
      }
    }
  }

  @Test(
    arguments: [
      (#"(page 0 0 9 9 "a\tb")"#, ["a\tb"]),
      (#"(page "\a\b\n\v\f\r")"#, ["\u{7}\u{8}\n\u{B}\u{C}\r"]),
      (#"(page "\x\(\"\\")"#, ["x(\"\\"]), (#"(page "\1\12\1015")"#, ["\u{1}\nA5"]),
      (#"(page "\08")"#, ["\0" + "8"]), (#"(page "\303\274")"#, ["ü"]),
      (#"(page (line (word "a") (word "b")) (word "c")) () (page "d")"#, ["abc", "", "d"]),
      (#"(page "(a) b")"#, ["(a) b"]), (#"(page "a") (page "b"#, ["a"]), ("", []), (")()", [""]),
      (#""before" (page "a") "between" (page "b")"#, ["a", "b"]),
    ] as [(String, [String])])
  func `the words of a page are read with their escapes`(text: String, pages: [String]) {
    #expect(DjVuText.pages(Array(text.utf8)) == pages)
  }
}

/// Secrets of a source's URLs in references that the catalog stores.
struct SealedReferenceTests {
  @Test func `a secret is not stored with a reference, and the source gets it back`() {
    let secrets = AddressSecrets([Secret("s3cret-key")])
    let reference = ItemReference(
      id: "a", revision: "1", title: "About s3cret-key", payload: "https://a.test/s3cret-key/1")
    let stored = reference.sealed(secrets)
    #expect(!stored.title.contains("s3cret") && stored.payload?.contains("s3cret") == false)
    #expect(stored.opened(secrets).payload == reference.payload)
    #expect(stored.opened(secrets).title == stored.title)
    #expect(reference.sealed(AddressSecrets()) == reference)
    #expect(stored.opened(AddressSecrets()) == stored)
    let plain = ItemReference(id: "b", revision: "1", title: "https://a:b@x.test/")
    #expect(plain.sealed(secrets).title == "https://x.test/")
    #expect(plain.opened(secrets).payload == nil)
  }
}
