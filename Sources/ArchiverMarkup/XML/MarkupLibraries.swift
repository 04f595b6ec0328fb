import CPCRE2
import CXML2

/// The libraries that read markup.
package enum MarkupLibraries {
  /// Initialises libxml2 exactly once, whichever thread comes first.
  static let xml: Void = xmlInitParser()

  /// "libxml2/2.9.14", "PCRE2/10.42": libxml2 as it was when this was built, PCRE2 as it is loaded.
  package static var versions: [String] { ["libxml2/" + LIBXML_DOTTED_VERSION, "PCRE2/" + pcre2] }

  private static var pcre2: String {
    // The longest text it gives has 24 bytes.
    var bytes = [UInt8](repeating: 0, count: 64)
    guard pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &bytes) > 0 else { return "unknown" }
    // "10.42 2022-12-11": the date after the number says nothing more.
    return String(decoding: bytes.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
  }
}
