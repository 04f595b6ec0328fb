import ArchiverCore
import ArchiverPipeline

// Policies for deleted, edited and unwanted items.
extension Option {
  static let onDeleted = Option(
    "on-deleted", .choice(DeletionPolicy.allCases.map(\.rawValue)), valueName: "WHAT",
    defaultText: "mark",
    help: "When an item is deleted at the source: keep it, keep it and mark it, or remove it")
  static let onConflict = Option(
    "on-conflict", .choice(ConflictPolicy.allCases.map(\.rawValue)), valueName: "WHO",
    defaultText: "server",
    help: "When an item changed at the source and its pages were edited here: which copy is kept")
}

extension Option {
  /// A key of the file only: a command without the option would change the pages back.
  static let language = Option(
    "language", .choice(["de", "en", "es", "zh"]), valueName: "LANGUAGE", defaultText: "en",
    help:
      "The language of the archive's pages. The content of items, reasons of failures and what "
      + "adapters add stay as they are; readers may choose another language for the library")
}

// The storage budget of a source.
extension Option {
  static let maxSize = Option(
    "max-size", .size, valueName: "SIZE", environment: "ARCHIVER_MAX_SIZE",
    defaultText: "no limit",
    help:
      "Limit the bundles of each source to this size, such as 20G; evicts what was opened least "
      + "recently, never pinned items")
  static let minFree = Option(
    "min-free", .size, valueName: "SIZE", environment: "ARCHIVER_MIN_FREE",
    defaultText: "no limit",
    help:
      "Keep this much of the disk free, such as 20G; evicts what each source opened least "
      + "recently, never pinned items")
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
