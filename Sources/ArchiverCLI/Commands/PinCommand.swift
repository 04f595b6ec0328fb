import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// `archiver pin` and `archiver unpin`.
enum PinCommand {
  static let pin = Command(
    "pin", summary: "protect items from eviction and cleanup",
    discussion: [
      "A pinned item is never evicted for lack of space, nor removed by 'archiver cleanup'. If it "
        + "was evicted or did not fit, the next run fetches it first. A book with the tag "
        + "\"pinned\", or a bookmark with the source's pinLabel, is protected in the same way "
        + "without this command. Without an item, the pinned items are printed."
    ],
    operands: [.items], options: [.source, .archive, .config],
    examples: [
      Command.Example("archiver pin 'Moby Dick'", "Protects the one item with that title.")
    ],
    exitCodes: [.success, .archive, .locked], confinement: .archive(),
    action: { try await perform($0, pins: true) })

  static let unpin = Command(
    "unpin", summary: "unpin items",
    discussion: ["An unpinned item may be evicted when its source's budget is used up."],
    operands: [.items], options: [.source, .archive, .config],
    examples: [Command.Example("archiver unpin 'Moby Dick'", "It may be evicted again.")],
    exitCodes: [.success, .archive, .locked], confinement: .archive(),
    action: { try await perform($0, pins: false) })

  private static func perform(_ invocation: Invocation, pins: Bool) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let names = invocation.arguments.operands
    let output = invocation.environment.output
    try ExistingArchive.require(settings.archive, invocation)
    if names.isEmpty {
      guard pins else {
        throw invocation.misuse("unpin needs an item, as 'archiver pin' prints them")
      }
      let archive = try Archive.open(path: settings.archive, mode: .readOnly)
      let pinned = try archive.catalog.pins(source: nil)
        .sorted { ($0.source, $0.id) < ($1.source, $1.id) }
      for key in pinned { output.write(try named(key, archive.catalog) + "\n") }
      if pinned.isEmpty { output.write("Nothing is pinned.\n") }
      return .success
    }
    let archive = try ExistingArchive.open(
      settings.archive, holder: pins ? "pin" : "unpin", invocation)
    let sources = Set(invocation.arguments.texts(.source))
    let finder = ItemFinder(catalog: archive.catalog, sources: sources, findsAbsent: true)
    for key in try names.map({ try finder.key($0, helpPath: invocation.path) }) {
      let wasPinned = try archive.catalog.pins(source: key.source).contains(key)
      try archive.setPinned(pins, key)
      let isKept = try archive.catalog.item(key)?.metadata.staysBySource ?? false
      let outcome = pins ? "Pinned" : letGo(wasPinned: wasPinned, isKept: isKept)
      output.write("\(outcome): \(try named(key, archive.catalog))\n")
    }
    return .success
  }

  /// The message for an unpinned item.
  private static func letGo(wasPinned: Bool, isKept: Bool) -> String {
    if isKept { return "Protected by its source" }
    return wasPinned ? "Unpinned" : "Not pinned before"
  }

  /// Returns source, id and, if it is archived, title.
  private static func named(_ key: ItemKey, _ catalog: SQLiteCatalog) throws -> String {
    let title = try catalog.item(key).map {
      "  " + DisplayText.title($0.metadata.title, id: key.id)
    }
    return "\(key.source)  \(DisplayText.line(key.id))\(title ?? "")"
  }
}
