/// The `Content-Security-Policy`, in the first element of a page's head.
///
/// Chromium and Firefox apply `'self'` to files in the page's own folder, both with `file:` and
/// with `http:`; it is stricter than the source `file:`.
enum ContentPolicy {
  /// The policy of bundles: images, audio and video of the same origin, and the page's own style.
  static let reading =
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; "
    + "base-uri 'none'; form-action 'none'"

  /// The policy of a page with embedded images and audio.
  static let single = reading.replacing("'self'", with: "data:")

  /// The policy of the library: its own script and style files too, but nothing inline.
  static let library =
    "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; "
    + "base-uri 'none'; form-action 'none'"

  /// The policy of the start page of several archives: an embedded icon and style.
  static let portal =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    + "base-uri 'none'; form-action 'none'"

  /// The policy of the library's page that shows bundles in frames, whose sandbox forbids scripts.
  static let reader = library + "; frame-src 'self'"

  /// The policy of bundles with sortable tables: permits only the script that sorts them,
  /// identified by its SHA-256. Scripts from a source are still blocked.
  static let tables = reading + "; script-src '" + TableScript.hash + "'"
}
