import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver search`.
enum SearchCommand {
  private static let max = Option(
    "max", short: "n", .integer(1...100_000), valueName: "N", environment: "ARCHIVER_SEARCH_MAX",
    defaultText: "20",
    help: "Print at most this many, best first")

  static let command = Command(
    "search", summary: "search the text of everything archived",
    discussion: [
      "Finds what the library's search finds, in the same order: items that contain all the "
        + "words. Accents and case do not matter, the last word may be a prefix, and text in "
        + "\"quotes\" must occur as it is; quote those quotes for the shell.",
      "Other forms of a word are found too and rank lower: 'bridges' finds 'bridge', 'wifi' finds "
        + "'Wi-Fi', 'oreilly' finds \"O'Reilly\". Titles, authors, labels, highlights and notes "
        + "are searched as well as the text, and so is the text of books and, if pdftotext is "
        + "installed, of PDFs, up to limits.searchedText for each. 'place' names the chapter "
        + "or page.",
      "Filters among the words: label:NAME, source:NAME, site:PART, type:article, year:2024, "
        + "before:2024-05-17 and after:2024 (the date an item was saved), author:NAME, "
        + "lang:de, is:unread, is:begun, is:read, is:favourite, is:failed, is:unlabelled, "
        + "has:note, has:highlight and has:file. Two labels must both be present; label:a,b needs "
        + "one of them; label:none finds items without a label.",
      "OR between two words, phrases or filters matches either: 'tides label:sea OR label:coast'.",
      "A hyphen right before a word, a phrase or a filter excludes the items that have it; an "
        + "excluded word is never a prefix. Put it in quotes with the words before it, or after "
        + "'--'; otherwise it is taken for an option. Exclusions alone list all other items, "
        + "most recently saved first. Phrases match exactly; items whose title equals the "
        + "query come first.",
      "Finds what the library shows, whose index it reads. May be used during a run; it waits "
        + "while the files of the library are replaced. With --json, 'marks' holds the start and end of each hit in "
        + "'snippet', counted in code points.",
    ],
    operands: [
      Command.Operand("WORDS", .text, isRepeatable: true, help: "What to look for")
    ],
    options: [max, .archive, .config, .json],
    examples: [
      Command.Example("archiver search paper maps", "Items with both words."),
      Command.Example(
        "archiver search '\"paper maps\" label:history after:2024'",
        "A phrase, in items with a label that were saved since 2024."),
      Command.Example(
        "archiver search 'paper -\"paper maps\" -label:history'",
        "Paper, but not this phrase and not this label."),
      Command.Example(
        "archiver search --json --max 1 lighthouse | jq -r .page", "The page of the best match."),
    ],
    exitCodes: [.success, .archive, .locked], confinement: .archive(),
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let query = SearchQuery(invocation.arguments.operands.joined(separator: " "))
    guard !query.isEmpty else {
      throw invocation.misuse(
        query.unknownFilters.first.map { "unknown filter '\($0)'" }
          ?? "the query contains no search terms")
    }
    try ExistingArchive.require(settings.archive, invocation)
    let archive = try Archive.open(path: settings.archive, mode: .readOnly)
    let limit = invocation.arguments.integer(max) ?? 20
    let result = try LibrarySearch(root: archive.path, catalog: archive.catalog)
      .find(query, limit: limit)
    warn(result, invocation.environment)
    warn(query, invocation.environment)
    let printer = MatchPrinter(invocation.environment, archive: archive.path)
    for match in result.matches {
      if invocation.arguments.has(.json) { printer.printJSON(match) } else { printer.print(match) }
    }
    if !invocation.arguments.has(.json) { printer.finish(result) }
    return .success
  }

  /// Warns of unknown filters.
  static func warn(_ query: SearchQuery, _ environment: ProcessEnvironment) {
    for name in query.unknownFilters {
      let parts = name.split(separator: ":").map { $0.lowercased() }
      let values = (SearchQuery.values[parts.first ?? ""] ?? []).map { "\(parts[0]):\($0)" }
      let names = values.isEmpty ? SearchQuery.filterNames.map { "\($0):" } : values
      let meant = NearestName.of(name.contains(":") ? name : "\(name):", among: names)
      let advice =
        meant.map { "did you mean '\($0)'?" }
        ?? (values.isEmpty
          ? "put it in quotes to search for it as words"
          : "there are \(values.joined(separator: ", "))")
      environment.complain("unknown filter '\(name)' was ignored; \(advice)")
    }
  }

  static func warn(_ result: LibrarySearch.Result, _ environment: ProcessEnvironment) {
    guard result.isIncomplete else { return }
    environment.complain(
      "some items are not searchable yet; the next run or 'archiver site' adds them")
  }
}

/// Prints the matches of a search.
private struct MatchPrinter {
  private let output: any TextOutput
  private let styles: Styles
  private let archive: String
  private let width: Int?

  init(_ environment: ProcessEnvironment, archive: String) {
    output = environment.output
    width = environment.output.columns
    styles = environment.outputStyles
    self.archive = archive
  }

  func print(_ match: LibrarySearch.Match) {
    let item = match.item
    let site = item.metadata.siteName ?? item.metadata.site
    let facts = [
      site.map { DisplayText.line($0, limit: 60) },
      UTCTime.day(item.metadata.added ?? item.firstArchived),
      "\(item.folder)/\(match.place ?? "index.html")",
    ].compactMap { $0 }
    let title = DisplayText.title(item.metadata.title, id: item.key.id)
    let line = styles.apply(.dim, facts.joined(separator: styles.separator))
    var text = paragraph(styles.apply(.bold, title)) + paragraph(line, indent: 2)
    if let snippet = match.snippet { text += paragraph(marked(snippet), indent: 2) }
    output.write(text + "\n")
  }

  /// Wraps lines between words on a terminal.
  private func paragraph(_ text: String, indent: Int = 0) -> String {
    TextWidth.wrap(text, width: width, indent: indent)
  }

  /// Returns the snippet with its hits in bold, if the terminal supports it.
  private func marked(_ snippet: Snippet) -> String {
    let scalars = Array(snippet.text.unicodeScalars)
    var text = ""
    var at = 0
    for mark in snippet.marks {
      text += shown(scalars[at..<mark.lowerBound])
      text += styles.apply(.bold, shown(scalars[mark]))
      at = mark.upperBound
    }
    return text + shown(scalars[at...])
  }

  /// Makes a part of a line safe to print. Keeps the white space at its ends, as words are next to it.
  private func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    let text = String(String.UnicodeScalarView(scalars))
    let line = DisplayText.line(text, limit: 4_000)
    guard !line.isEmpty else { return text.isEmpty ? "" : " " }
    return (scalars.first == " " ? " " : "") + line + (scalars.last == " " ? " " : "")
  }

  func printJSON(_ match: LibrarySearch.Match) {
    let item = match.item
    let marks = match.snippet?.marks.map { mark in
      JSONValue.array([.integer(mark.lowerBound), .integer(mark.upperBound)])
    }
    let line: JSONLine = [
      "source": .string(item.key.source), "id": .string(item.key.id),
      "title": .string(item.metadata.title), "url": .text(item.metadata.url),
      "page": .string("\(archive)/\(item.folder)/index.html"), "folder": .string(item.folder),
      "place": .text(match.place), "site": .text(item.metadata.site),
      "labels": .array(item.metadata.labels.map { .string($0) }),
      "saved": .time(item.metadata.added ?? item.firstArchived),
      "score": match.score.map { .number(($0 * 1000).rounded() / 1000) } ?? .null,
      "snippet": .text(match.snippet?.text), "marks": marks.map { .array($0) } ?? .null,
    ]
    output.write(line.text)
  }

  func finish(_ result: LibrarySearch.Result) {
    let shown = result.matches.count
    if shown == 0 {
      let help =
        result.suggestion.map { " Did you mean: \(DisplayText.line($0, limit: 200))" } ?? ""
      return output.write("Nothing found.\(help)\n")
    }
    guard let total = result.total else {
      return output.write("\(Quantity.count(shown, "item")), and perhaps more with --max.\n")
    }
    output.write(
      total > shown
        ? "\(Quantity.grouped(shown)) of \(Quantity.count(total, "item")); --max shows more.\n"
        : "\(Quantity.count(total, "item")).\n")
  }
}
