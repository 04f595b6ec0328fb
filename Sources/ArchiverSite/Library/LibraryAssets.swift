/// The library's style sheets and scripts, which are the same in every archive.
enum LibraryAssets {
  static let files: [(name: String, bytes: [UInt8])] = [
    ("library.css", StyleSheet.library),
    ("icon.svg", PackageResources.icon_svg),
    ("languages.js", ScriptWords.script()),
    ("theme.js", PackageResources.theme_js),
    ("words.js", PackageResources.words_js),
    ("health.js", PackageResources.health_js),
    ("settings.js", PackageResources.settings_js),
    ("keys.js", PackageResources.keys_js),
    ("data.js", PackageResources.data_js),
    ("names.js", PackageResources.names_js),
    ("fold.js", PackageResources.fold_js),
    ("forms.js", PackageResources.forms_js),
    ("tokens.js", PackageResources.tokens_js),
    ("query.js", PackageResources.query_js),
    ("shards.js", PackageResources.shards_js),
    ("search.js", PackageResources.search_js),
    ("snippet.js", PackageResources.snippet_js),
    ("view.js", PackageResources.view_js),
    ("list.js", PackageResources.list_js),
    ("choose.js", PackageResources.choose_js),
    ("app.js", PackageResources.app_js),
    ("look.js", PackageResources.look_js),
    ("read.js", PackageResources.read_js),
    ("highlights.js", PackageResources.highlights_js),
    ("problems.js", PackageResources.problems_js),
    ("runs.js", PackageResources.runs_js),
    ("graph.js", PackageResources.graph_js),
    ("shelf.js", PackageResources.shelf_js),
  ]

  /// The scripts that determine the items of a view.
  private static let finding = [
    "data.js", "names.js", "fold.js", "forms.js", "tokens.js", "query.js", "shards.js", "search.js",
    "snippet.js", "list.js",
  ]

  /// The scripts of the start page, in addition to those of every page.
  static let app = finding + ["view.js", "choose.js", "app.js"]

  /// The scripts of the reader, in addition to those of every page.
  static let reader = finding + ["look.js", "read.js"]
}
