/// The library's style and scripts, which are the same in every archive.
enum LibraryAssets {
  static let files: [(name: String, bytes: [UInt8])] = [
    ("library.css", PackageResources.tokens_css + PackageResources.library_css),
    ("theme.js", PackageResources.theme_js),
    ("languages.js", ScriptWords.script()),
    ("words.js", PackageResources.words_js),
    ("health.js", PackageResources.health_js),
  ]
}
