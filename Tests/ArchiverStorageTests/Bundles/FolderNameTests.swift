import ArchiverCore
import Testing

@testable import ArchiverStorage

struct FolderNameTests {
  private static let key = ItemKey(source: "readeck", id: "abc")

  private func name(_ title: String, _ key: ItemKey = key) -> String {
    FolderName.folder(for: key, sourceFolder: key.source, title: title)
  }

  @Test(arguments: [
    ("Saving the Web", "saving-the-web"),
    ("  Über Größe & Maß — 2nd ed.  ", "über-größe-maß-2nd-ed"),
    ("日本語のタイトル", "日本語のタイトル"),
    ("हिन्दी", "हिन्दी"),
    ("../..", "untitled"),
    (".", "untitled"),
    ("", "untitled"),
    ("🎉🎉", "untitled"),
    ("a🎉b", "a-b"),
    ("\u{202E}gnp.exe\u{200F}", "gnp-exe"),
    ("CON", "con"),
    ("a/b\\c:d*e?f\"g<h>i|j\u{0}k", "a-b-c-d-e-f-g-h-i-j-k"),
    ("line\nbreak\ttab", "line-break-tab"),
    ("zero\u{200B}width", "zero-width"),
    ("\u{FF9E}a", "a"),
    ("\u{301}a", "a"),
  ])
  func `a title becomes a slug`(_ title: String, _ slug: String) {
    #expect(name(title) == "readeck/\(slug)-\(FolderName.shortID(Self.key))")
  }

  @Test func `a long title is cut at a character`() {
    let slugs = [String(repeating: "a", count: 300), String(repeating: "ö", count: 300)]
      .compactMap(FolderName.slug)
    #expect(slugs.map(\.utf8.count) == [60, 60])
    let family = String(repeating: "x", count: 59) + "é"
    #expect(FolderName.slug(family)?.utf8.count == 59)
    let words = String(repeating: "w", count: 59) + " more"
    #expect(FolderName.slug(words)?.hasSuffix("w") == true)
  }

  @Test func `the short id is the digest of source, NUL and id`() {
    #expect(FolderName.shortID(Self.key) == String(Digest.sha256Hex("readeck\0abc").prefix(10)))
    #expect(name("x") != name("x", ItemKey(source: "readeck", id: "abd")))
    #expect(name("x") == name("x"))
  }

  @Test(arguments: [
    ("library", "library-source"), ("CON", "con-source"), ("../x", "x"), ("", "source"),
    ("com1", "com1-source"), ("My Notes", "my-notes"),
  ])
  func `a source's folder is never a reserved name`(_ source: String, _ folder: String) {
    #expect(FolderName.source(source) == folder)
  }

  @Test(.enabled(if: sharedFixtures != nil, "needs the shared fixtures"))
  func `no naughty string makes an unsafe name`() throws {
    let fixtures = try #require(sharedFixtures)
    let data = try Data(contentsOf: URL(filePath: "\(fixtures)/security/blns.json"))
    let titles = try JSONDecoder().decode([String].self, from: data)
    #expect(titles.count > 400)
    for title in titles {
      let parts = name(title, ItemKey(source: "readeck", id: title)).split(separator: "/")
      #expect(parts.count == 2)
      let last = parts.last.map(String.init) ?? ""
      #expect(last.utf8.count <= 71)
      #expect(!last.hasPrefix(".") && !last.hasPrefix("-") && !last.contains("--"), "\(last)")
      for scalar in last.unicodeScalars {
        let properties = scalar.properties
        #expect(
          scalar == "-" || properties.isAlphabetic || properties.numericType != nil
            || properties.generalCategory == .nonspacingMark
            || properties.generalCategory == .spacingMark, "\(last): \(scalar.value)")
        #expect(!properties.isDefaultIgnorableCodePoint, "\(last)")
      }
    }
  }
}
