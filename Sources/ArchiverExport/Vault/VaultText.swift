import ArchiverCore
import ArchiverStorage

/// The text of a file of the vault: front matter, the managed region, and what the user wrote
/// around it.
///
///     ---
///     title: "Paper maps"
///     ---
///
///     <!-- archiver:begin 0f3a… facts=91bc… -->
///
///     # Paper maps
///     …
///
///     <!-- archiver:end -->
///
/// The markers contain hashes of the written text. If they do not match, the user changed the text,
/// which then stays.
struct VaultText {
  /// The new text of a file.
  struct Change: Equatable {
    var text: String
    /// Whether the user changed the managed region, or the generated front matter, which then
    /// stays.
    var keepsRegion = false
    var keepsFacts = false
  }

  let facts: FrontMatter
  /// The managed region, without leading and trailing white space.
  let region: String

  private static let begin = "<!-- archiver:begin "
  private static let end = "<!-- archiver:end -->"

  /// The text of a new file.
  var whole: String {
    VaultText.file(
      facts: FrontMatter.lines(facts.entries), before: "", mark: mark(facts.entries),
      region: region,
      after: "\n")
  }

  private func mark(_ entries: [FrontMatter.Entry]) -> String {
    "\(VaultText.hash(region)) facts=\(FrontMatter.hash(entries))"
  }

  private static func file(
    facts: [String], before: String, mark: String, region: String, after: String,
    newline: String = "\n"
  ) -> String {
    let head = facts.isEmpty ? [] : ["---"] + facts + ["---", ""]
    let space = before.isEmpty && !head.isEmpty ? newline : before
    let lines = region.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let managed = ["\(begin)\(mark) -->", ""] + lines + ["", end]
    return head.joined(separator: newline) + space + managed.joined(separator: newline) + after
  }

  private static func hash(_ text: String) -> String {
    String(Digest.sha256Hex(text).prefix(16))
  }

  /// Returns a file with its managed parts updated; `nil` if it does not have exactly one managed
  /// region.
  func merged(into old: String) -> Change? {
    guard let file = Parts(old) else { return nil }
    let keepsRegion = !file.isUntouched
    let oldFacts = FrontMatter(lines: file.facts)
    let keepsFacts = FrontMatter.hash(oldFacts.ours) != file.factsHash
    let lines =
      keepsFacts
      ? file.facts : FrontMatter.lines(facts.entries) + FrontMatter.lines(oldFacts.theirs)
    let regionHash = keepsRegion ? file.regionHash : VaultText.hash(region)
    let factsHash = keepsFacts ? file.factsHash : FrontMatter.hash(facts.entries)
    let text = VaultText.file(
      facts: lines, before: file.before, mark: "\(regionHash) facts=\(factsHash)",
      region: keepsRegion ? file.region : region, after: file.after, newline: file.newline)
    return Change(text: text, keepsRegion: keepsRegion, keepsFacts: keepsFacts)
  }

  /// Whether a file has no edits and no additions by the user.
  static func isUntouched(_ text: String) -> Bool {
    guard let file = Parts(text), file.isUntouched else { return false }
    let facts = FrontMatter(lines: file.facts)
    return facts.theirs.isEmpty && FrontMatter.hash(facts.ours) == file.factsHash
      && (file.before + file.after).allSatisfy(\.isWhitespace)
  }

  /// The parts of a file.
  private struct Parts {
    var facts: [String] = []
    /// The end of the first line: programs on Windows write `\r\n`.
    let newline: String
    /// The user's text between the front matter and the managed region.
    var before: String
    var regionHash: String
    var factsHash: String
    var region: String
    var after: String

    var isUntouched: Bool { VaultText.hash(region) == regionHash }

    init?(_ text: String) {
      // Other characters that end a line, such as U+2028, may be part of a line of the managed region.
      let ranges = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.last == "\r" ? $0.dropLast() : $0 }
      let lines = ranges.map { String($0) }
      newline = ranges.first?.endIndex == text.unicodeScalars.firstIndex(of: "\r") ? "\r\n" : "\n"
      var start = 0
      if lines.first == "---", let close = lines.dropFirst().firstIndex(of: "---") {
        facts = Array(lines[1..<close])
        start = close + 1
      }
      let begins = lines.indices.filter { lines[$0].hasPrefix(VaultText.begin) }
      let ends = lines.indices.filter { lines[$0] == VaultText.end }
      guard let begin = begins.first, start <= begin else { return nil }
      let words = lines[begin].dropFirst(VaultText.begin.count).split(separator: " ")
      guard words.count == 3, words[1].hasPrefix("facts="), words[2] == "-->" else { return nil }
      regionHash = String(words[0])
      factsHash = String(words[1].dropFirst(6))
      before = String(
        text.unicodeScalars[ranges[start].startIndex..<ranges[begin].startIndex])
      let isPlain = begins.count == 1 && ends.count == 1
      // A text may quote the marks. Then only an unchanged region is found, by its hash.
      let hash = regionHash
      let found = ends.reversed().prefix(Parts.mostEnds).first { end in
        guard begin < end else { return false }
        return isPlain || VaultText.hash(Parts.trimmed(lines[(begin + 1)..<end])) == hash
      }
      guard let end = found else { return nil }
      after = String(text.unicodeScalars[ranges[end].endIndex...])
      region = Parts.trimmed(lines[(begin + 1)..<end])
    }

    /// The maximum number of marks that are tried as the end of the region.
    private static let mostEnds = 8

    /// Returns lines without blank ones at both ends.
    private static func trimmed(_ lines: ArraySlice<String>) -> String {
      var inside = lines
      while inside.first?.allSatisfy(\.isWhitespace) == true { inside.removeFirst() }
      while inside.last?.allSatisfy(\.isWhitespace) == true { inside.removeLast() }
      return inside.joined(separator: "\n")
    }
  }
}
