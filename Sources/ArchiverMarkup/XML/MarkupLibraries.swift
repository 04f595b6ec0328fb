import CPCRE2
import CXML2

/// The libraries that read markup.
package enum MarkupLibraries {
  /// Initialises libxml2 exactly once, on any thread.
  static let xml: Void = xmlInitParser()

  /// "libxml2/2.9.14", "PCRE2/10.42": libxml2 at build time, PCRE2 as loaded.
  package static var versions: [String] { ["libxml2/" + LIBXML_DOTTED_VERSION, "PCRE2/" + pcre2] }

  private static var pcre2: String {
    // The longest result has 24 bytes.
    var bytes = [UInt8](repeating: 0, count: 64)
    guard pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &bytes) > 0 else { return "unknown" }
    // "10.42 2022-12-11": the date is dropped.
    return String(decoding: bytes.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
  }
}
