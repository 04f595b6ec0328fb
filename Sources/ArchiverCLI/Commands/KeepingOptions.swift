import ArchiverCore
import ArchiverPipeline

// Policies for deleted, edited and unwanted items.
extension Option {
  static let onDeleted = Option(
    "on-deleted", .choice(DeletionPolicy.allCases.map(\.rawValue)), valueName: "WHAT",
    defaultText: "mark",
    help: "When the source no longer has an item: keep it, keep it and say so, or remove it")
  static let onConflict = Option(
    "on-conflict", .choice(ConflictPolicy.allCases.map(\.rawValue)), valueName: "WHO",
    defaultText: "server",
    help: "When an item changed at the source and its pages were edited here: whose copy stays")
}

// The storage budget of a source.
extension Option {
  static let maxSize = Option(
    "max-size", .size, valueName: "SIZE", environment: "ARCHIVER_MAX_SIZE",
    defaultText: "no limit",
    help:
      "Keep the bundles of each source within this, such as 20G: what was opened least recently "
      + "leaves, what is pinned stays")
  static let minFree = Option(
    "min-free", .size, valueName: "SIZE", environment: "ARCHIVER_MIN_FREE",
    defaultText: "no limit",
    help:
      "Leave this much of the disk free, such as 20G: of each source what was opened least recently "
      + "leaves, what is pinned stays")
}

extension RunOptions {
  /// Returns the options with the policies of the command line, or else of the configuration.
  func keeping(_ arguments: ParsedArguments, _ file: ConfigurationFile?) -> RunOptions {
    var options = self
    let deleted = arguments.text(.onDeleted) ?? file?.onDeleted
    let conflict = arguments.text(.onConflict) ?? file?.onConflict
    options.onDeleted = deleted.flatMap(DeletionPolicy.init) ?? .mark
    options.onConflict = conflict.flatMap(ConflictPolicy.init) ?? .server
    return options
  }
}
