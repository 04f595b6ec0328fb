import ArchiverCore
import ArchiverMarkup
import Testing

/// The address that test documents are relative to.
let page = WebURL("https://example.org/dir/page")

/// A source's own element for highlights.
let ownHighlights = HighlightElement(
  name: "rd-annotation", key: "data-annotation-id-value", idPrefix: "annotation-",
  color: "data-annotation-color", note: "data-annotation-note")

extension SanitizerOptions {
  /// The default options, with a source's own element for highlights.
  static let usual = SanitizerOptions(highlightElement: ownHighlights)
}

/// Sanitises text with the usual options and returns everything.
func sanitized(
  _ html: String, _ options: SanitizerOptions = .usual, base: WebURL? = page
) throws -> SanitizedHTML {
  try HTMLSanitizer(options).sanitize(Array(html.utf8), baseURL: base)
}

/// Sanitises text and returns the canonical HTML without the line feeds between blocks.
func canonical(_ html: String, _ options: SanitizerOptions = .usual) throws -> String {
  String(decoding: try sanitized(html, options).bytes.filter { $0 != 0x0A }, as: UTF8.self)
}

func text(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: Array(bytes), as: UTF8.self)
}

/// The folder of shared fixtures; `nil` where there is none.
let fixtures: URL? = {
  if let path = ProcessInfo.processInfo.environment["ARCHIVER_FIXTURES"] {
    return URL(fileURLWithPath: path)
  }
  var folder = URL(fileURLWithPath: #filePath)
  while folder.path.count > 1 {
    folder.deleteLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      let found = folder.path + "/../shared/fixtures"
      return FileManager.default.fileExists(atPath: found) ? URL(fileURLWithPath: found) : nil
    }
  }
  return nil
}()

func fixture(_ path: String) throws -> [UInt8] {
  let folder = try #require(fixtures)
  return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path)))
}

/// A generator with a fixed seed (SplitMix64), so that failures are reproducible.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
