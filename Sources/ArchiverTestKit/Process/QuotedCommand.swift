import ArchiverCore

/// Finds the commands in a Markdown page.
package enum QuotedCommand {
  /// Returns the pages for users, with their paths relative to the project.
  ///
  /// - Parameter root: The project's folder.
  package static func pages(root: String) throws -> [(path: String, text: String)] {
    var paths = ["README.md", "Sources/ARCHITECTURE.md"]
    for catalog in ["ArchiverCLI/ArchiverCLI.docc", "ArchiverCore/ArchiverCore.docc"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources/\(catalog)")
      paths += files.filter { $0.hasSuffix(".md") }.sorted().map { "Sources/\(catalog)/\($0)" }
    }
    return try paths.map { path in
      let data = try Data(contentsOf: URL(filePath: "\(root)/\(path)"))
      return (path, String(decoding: data, as: UTF8.self))
    }
  }

  /// Returns the words after `archiver` of every command, in code spans and code blocks.
  ///
  /// Words in capitals are placeholders, `a|b` is a choice, and an ellipsis is ignored.
  ///
  /// - Parameter text: The page.
  package static func all(in text: String) -> [[String]] {
    var commands: [[String]] = []
    for (line, isCode) in lines(of: text) {
      // In the diagram of modules the program's name is followed by a description.
      if line.contains("archiver   "), isCode { continue }
      let candidates = isCode ? [line] : spans(of: line)
      for candidate in candidates {
        let words = shellWords(candidate)
        // The words before it may be a prompt, variables, or the five fields of a crontab.
        guard let start = words.firstIndex(of: "archiver"),
          words[..<start].allSatisfy({ word in
            word.contains("=") || "$*0123456789/&+,".contains(word.first ?? "x")
          })
        else { continue }
        let rest = words[(start + 1)...].prefix { !["|", ">", ">>", "&&", ";", "#"].contains($0) }
        if rest.isEmpty, isCode { continue }
        commands.append(rest.filter { $0 != "…" }.map(value))
      }
    }
    return commands
  }

  /// Returns the names of options in code spans of their own, such as `--max 20`.
  ///
  /// - Parameter text: The page.
  package static func options(in text: String) -> [String] {
    lines(of: text).filter { !$0.isCode }.flatMap { spans(of: $0.text) }
      .filter { $0.hasPrefix("--") }
      .map { String($0.dropFirst(2).prefix { $0.isLetter || $0 == "-" }) }
      .filter { !$0.isEmpty }
  }

  private static func lines(of text: String) -> [(text: String, isCode: Bool)] {
    var isCode = false
    var lines: [(text: String, isCode: Bool)] = []
    // A code span may continue in the next line of its paragraph.
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if paragraph.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
      } else if !isCode, let last = lines.last, !last.isCode, !last.text.isEmpty, !paragraph.isEmpty
      {
        lines[lines.count - 1].text += " " + paragraph
      } else {
        lines.append((String(paragraph), isCode))
      }
    }
    return lines
  }

  private static func spans(of line: String) -> [String] {
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }

  /// Splits a line at blanks like a shell.
  private static func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  private static func value(_ word: String) -> String {
    switch word {
    case "N": "5"
    case "TIME": "1h"
    default: word.hasPrefix("-") ? word : String(word.split(separator: "|").first ?? "")
    }
  }
}
