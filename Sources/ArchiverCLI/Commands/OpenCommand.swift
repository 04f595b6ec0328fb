import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver open`.
enum OpenCommand {
  private static let print = Option(
    "print", help: "Print the path of the page; open nothing")

  static let command = Command(
    "open", summary: "open the library or an item in the browser",
    discussion: [
      "Without words it opens the library, otherwise the page of the best match; see 'archiver "
        + "search' for the syntax. $BROWSER takes precedence over the desktop's browser.",
      "If standard output is not a terminal, it prints the path of the page and opens nothing. If "
        + "no browser can be started, it prints the path and exits with 1; it also exits with 1 "
        + "if nothing matches.",
    ],
    operands: [
      Command.Operand(
        "QUERY", .text, isOptional: true, isRepeatable: true, help: "What to look for")
    ],
    options: [print, .archive, .config],
    examples: [
      Command.Example("archiver open", "The library."),
      Command.Example("archiver open lighthouse letters", "The best match."),
      Command.Example("w3m \"$(archiver open --print lighthouse)\"", "In another browser."),
    ],
    exitCodes: [.success, .someFailed, .archive, .locked],
    meaningOfOne: "Nothing matches, or no browser could be started.",
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let environment = invocation.environment
    try ExistingArchive.require(settings.archive, invocation)
    guard let page = try page(settings.archive, invocation) else {
      let words = DisplayText.line(invocation.arguments.operands.joined(separator: " "), limit: 80)
      environment.complain("nothing in the archive matches '\(words)'")
      return .someFailed
    }
    guard FileManager.default.fileExists(atPath: page) else {
      throw StorageError(
        .notFound,
        "\(environment.abbreviated(page)) is missing; 'archiver site' rebuilds the library, "
          + "'archiver verify' looks for other missing files")
    }
    if invocation.arguments.has(print) || !environment.output.isTerminal {
      environment.output.write(page + "\n")
      return .success
    }
    guard let failure = Browser(environment).open(URL(filePath: page).absoluteString) else {
      return .success
    }
    environment.complain("\(failure); the page is")
    environment.output.write(page + "\n")
    return .someFailed
  }

  /// Returns the page to open; `nil` if nothing matches.
  private static func page(_ root: String, _ invocation: Invocation) throws -> String? {
    let words = invocation.arguments.operands
    guard !words.isEmpty else { return root + "/index.html" }
    let query = SearchQuery(words.joined(separator: " "))
    guard !query.isEmpty else {
      throw invocation.misuse("the query contains no search terms")
    }
    let archive = try Archive.open(path: root, mode: .readOnly)
    let result = try LibrarySearch(root: root, catalog: archive.catalog).find(query, limit: 1)
    SearchCommand.warn(result, invocation.environment)
    SearchCommand.warn(query, invocation.environment)
    return result.matches.first.map { "\(root)/\($0.item.folder)/index.html" }
  }
}
