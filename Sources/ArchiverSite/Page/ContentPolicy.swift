/// The `Content-Security-Policy` that a page carries as the first element of its head.
///
/// Both were tried in Chromium and Firefox from `file://` and over `http://`: `'self'` alone lets
/// the folder's own images through in all four and is tighter than `file:`.
enum ContentPolicy {
  /// For bundles: pictures, sound and film of the same origin and the page's own style; nothing else.
  static let reading =
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; "
    + "base-uri 'none'; form-action 'none'"

  /// For a page that has its pictures and sounds in itself.
  static let single = reading.replacing("'self'", with: "data:")

  /// For the library: its own script and style files as well, nothing inline.
  static let library =
    "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; "
    + "base-uri 'none'; form-action 'none'"

  /// For the page of the library that shows bundles, each in a frame whose sandbox lets no script run.
  static let reader = library + "; frame-src 'self'"

  /// For bundles with tables that can be sorted: the same, and the one script that does it, known
  /// by its SHA-256. What a source sent runs nothing there either.
  static let tables = reading + "; script-src '" + TableScript.hash + "'"
}
