import ArchiverCore

/// A command and what it prints, as a page of the documentation shows it.
struct Transcript {
  /// The words after `archiver`.
  var words: [String]
  /// `…` is a placeholder for any text in a line, and for any lines if it is alone in one.
  var output: [String]

  /// Returns the transcripts of a Markdown page: what follows `$ archiver`, or another program, in its code
  /// blocks, up to the next prompt. Blocks that match `isSkipped` are left out.
  static func all(
    in page: String, of program: String = "archiver",
    skipping isSkipped: (String) -> Bool = { _ in false }
  ) -> [Transcript] {
    var found: [Transcript] = []
    let parts = page.components(separatedBy: "\n```")
    for index in parts.indices where index % 2 == 1 && !isSkipped(parts[index]) {
      var current: Transcript?
      for line in parts[index].split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      {
        guard line.hasPrefix("$ ") else {
          current?.output.append(String(line))
          continue
        }
        if let current { found.append(current) }
        let words = line.split(separator: " ").dropFirst().map(String.init)
        current =
          words.first == program ? Transcript(words: Array(words.dropFirst()), output: []) : nil
      }
      if let current { found.append(current) }
    }
    return found
  }

  /// Whether a program printed this, apart from times, sizes, hosts and the paths of programs.
  func matches(_ printed: String) -> Bool {
    let wanted = lines(output)
    var rest = lines(printed.split(separator: "\n").map(String.init))
    guard wanted.contains("…") else {
      // Downloads end in any order.
      return wanted.count == rest.count
        && zip(sorted(wanted), sorted(rest)).allSatisfy { Transcript.isLike($0, $1) }
    }
    for line in wanted where line != "…" {
      guard let index = rest.firstIndex(where: { Transcript.isLike(line, $0) }) else {
        return false
      }
      rest.remove(at: index)
    }
    return true
  }

  private func sorted(_ lines: [String]) -> [String] {
    let items = lines.filter { $0.hasPrefix("archived: ") }.sorted()
    return lines.filter { !$0.hasPrefix("archived: ") } + items
  }

  private func lines(_ texts: [String]) -> [String] {
    texts.map(Transcript.masked).filter { !$0.isEmpty }
  }

  /// Whether a line has the parts of another between placeholders, in order.
  private static func isLike(_ wanted: String, _ line: String) -> Bool {
    let parts = wanted.components(separatedBy: "…")
    guard parts.count > 1 else { return wanted == line }
    guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
    var rest = line[...]
    for part in parts where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  private static func masked(_ line: String) -> String {
    line.replacing(/https?:\/\/[^\/ ]+/, with: "URL")
      .replacing(#/PATH='[^']*'/#, with: "")
      .replacing(/[^ ]*\/archiver run/, with: "PROGRAM run")
      .replacing("just now", with: "1 s ago")
      .replacing(/[0-9][0-9.,]* (s|min|h|days?|months?)\b/, with: "TIME")
      .replacing(/[0-9][0-9.,]* (B|kB|MB|GB)\b/, with: "SIZE")
      .split(separator: " ").joined(separator: " ")
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
