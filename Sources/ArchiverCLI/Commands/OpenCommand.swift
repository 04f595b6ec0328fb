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
      "Without words it opens the library, otherwise the page of the best match; 'archiver search' "
        + "tells how words are read. $BROWSER goes before the browser of the desktop.",
      "When standard output is no terminal it prints the path of the page and opens nothing. Where "
        + "there is no browser to open, it prints the path and ends with 1, as it does when nothing "
        + "matches.",
    ],
    operands: [
      Command.Operand(
        "QUERY", .text, isOptional: true, isRepeatable: true, help: "What to look for")
    ],
    options: [print, .archive, .config],
    examples: [
      Command.Example("archiver open", "The library."),
      Command.Example("archiver open lighthouse letters", "The item that fits best."),
      Command.Example("w3m \"$(archiver open --print lighthouse)\"", "In a browser of your own."),
    ],
    exitCodes: [.success, .someFailed, .archive], action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let environment = invocation.environment
    try ExistingArchive.require(settings.archive, invocation)
    guard let page = try page(settings.archive, invocation) else {
      let words = DisplayText.line(invocation.arguments.operands.joined(separator: " "), limit: 80)
      environment.error.write("archiver: nothing in the archive matches '\(words)'\n")
      return .someFailed
    }
    guard FileManager.default.fileExists(atPath: page) else {
      throw StorageError(
        .notFound,
        "\(environment.abbreviated(page)) is not there; 'archiver site' makes the "
          + "library anew, 'archiver verify' looks for what else is missing")
    }
    if invocation.arguments.has(print) || !environment.output.isTerminal {
      environment.output.write(page + "\n")
      return .success
    }
    do throws(BrowserFailure) {
      try Browser(environment).open(URL(filePath: page).absoluteString)
      return .success
    } catch {
      environment.error.write("archiver: \(error.reason); the page is\n")
      environment.output.write(page + "\n")
      return .someFailed
    }
  }

  /// Returns the page to open; `nil` if nothing matches.
  private static func page(_ root: String, _ invocation: Invocation) throws -> String? {
    let words = invocation.arguments.operands
    guard !words.isEmpty else { return root + "/index.html" }
    let query = SearchQuery(words.joined(separator: " "))
    guard !query.isEmpty else {
      throw UsageError("there is no word in that to search for", helpPath: invocation.path)
    }
    let archive = try Archive.open(path: root, mode: .readOnly)
    let result = try LibrarySearch(root: root, catalog: archive.catalog).find(query, limit: 1)
    SearchCommand.warn(result, invocation.environment)
    SearchCommand.warn(query, invocation.environment)
    return result.matches.first.map { "\(root)/\($0.item.folder)/index.html" }
  }
}
