import ArchiverStorage
import Testing

/// What is said of the libraries in use.
struct LibraryVersionTests {
  @Test(arguments: [CryptoVersion.text, SQLiteVersion.text])
  func `a library is told with its version`(text: String) {
    #expect(text.wholeMatch(of: /(libcrypto|SQLite)\/[0-9]+\.[0-9]+\.[0-9]+.*/) != nil)
  }
}
