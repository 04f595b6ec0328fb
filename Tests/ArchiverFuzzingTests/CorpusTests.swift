import ArchiverCore
import ArchiverFuzzing
import ArchiverTestKit
import Testing

@testable import ArchiverMarkup

/// Real and synthetic pages, parsed by Chromium before and after sanitisation.
///
/// The long form is `Scripts/corpus`.
@Suite(.serialized) struct CorpusTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// The minimum share of a page's content that is kept, in thousandths.
  private static let bars = [
    "words": 999, "pictures": 990, "tables": 990, "formulas": 990, "drawings": 950, "anchors": 980,
  ]

  @Test func `made-up pages are the trees that Chromium reads`() async throws {
    try await BrowserPages.with { browser in
      let target = try #require(try await FuzzTarget.named("sanitizer"))
      let wanted = Self.environment["ARCHIVER_CORPUS_PAGES"].flatMap { Int($0) } ?? 400
      let seed = Self.environment["ARCHIVER_FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261_126
      var mutator = Mutator(seed: seed, dictionary: target.dictionary, limit: 4 << 10)
      var count = 0
      var pages: [[UInt8]] = target.seeds
      while count < wanted {
        while pages.count < 200 { pages.append(mutator.next(from: target.seeds)) }
        let found = try await differences(
          pages.map { Self.text($0) }, browser)
        for difference in found.prefix(3) { Issue.record("\(difference)") }
        count += pages.count
        pages = []
        if !found.isEmpty { break }
      }
      print("made-up pages whose tree is Chromium's: \(count)")
    }
  }

  @Test func `the pages of a folder keep what they show`() async throws {
    guard let folder = Self.environment["ARCHIVER_CORPUS"] else { return }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      [".html", ".htm", ".xhtml"].contains(where: name.lowercased().hasSuffix)
    }
    try await BrowserPages.with { browser in
      var totals: [String: (before: Int, kept: Int)] = [:]
      var trees = (same: 0, other: 0)
      for name in names.sorted() {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
        let page = String(decoding: InputPreparation.repaired(bytes), as: UTF8.self)
        guard
          let sanitized = try? HTMLSanitizer().sanitize(
            bytes, baseURL: WebURL("https://example.org/dir/page"))
        else {
          print("\(name): refused")
          continue
        }
        let difference = try await differences([page], browser)
        if difference.isEmpty { trees.same += 1 } else { trees.other += 1 }
        for text in difference { print("\(name): another tree: \(text)") }
        let counts = try await browser.counts(
          page, String(decoding: sanitized.bytes, as: UTF8.self))
        Self.tell(name, counts, &totals)
      }
      print("\(names.count) pages; \(trees.same) with Chromium's tree, \(trees.other) with another")
      #expect(trees.other == 0)
      for (kind, bar) in Self.bars.sorted(by: { $0.key < $1.key }) {
        guard let total = totals[kind], total.before > 0 else { continue }
        print("\(kind): \(total.kept) of \(total.before)")
        #expect(
          total.kept * 1_000 >= total.before * bar, "\(kind): \(total.kept) of \(total.before)")
      }
    }
  }

  /// Returns a synthetic page without U+0000: after a `<` Chromium shows U+FFFD where the standard
  /// and its conformance data have nothing.
  private static func text(_ page: [UInt8]) -> String {
    String(decoding: page.filter { $0 != 0 }, as: UTF8.self)
  }

  /// Prints what a page lost, and adds it to the sums.
  private static func tell(
    _ name: String, _ counts: (before: PageCount, after: PageCount),
    _ totals: inout [String: (before: Int, kept: Int)]
  ) {
    func add(_ kind: String, _ before: Int, _ kept: Int) {
      let sum = totals[kind] ?? (0, 0)
      totals[kind] = (sum.before + before, sum.kept + min(before, kept))
    }
    let lost = counts.before.lost(in: counts.after)
    add("words", counts.before.words.count, counts.before.words.count - lost.count)
    var losses =
      lost.isEmpty ? [] : ["\(lost.count) words (\(lost.prefix(12).joined(separator: " ")))"]
    for kind in PageCount.kinds {
      let before = counts.before.numbers[kind] ?? 0
      // A drawing becomes a picture.
      let after =
        kind == "drawings"
        ? max(0, counts.after.inlined - counts.before.inlined)
        : counts.after.numbers[kind] ?? 0
      add(kind, before, after)
      if after < before { losses.append("\(before - after) of \(before) \(kind)") }
      if after < before, kind == "anchors" {
        let kept = Set(counts.after.names)
        losses += counts.before.names.filter { !kept.contains("c-" + $0) }.prefix(5).map {
          "#" + $0
        }
      }
    }
    if !losses.isEmpty { print("\(name): lost \(losses.joined(separator: ", "))") }
  }

  /// Returns where Chromium's trees differ from the parser's, a piece of each around the first place.
  private func differences(_ pages: [String], _ browser: BrowserPages) async throws -> [String] {
    let theirs = try await browser.trees(pages)
    var found: [String] = []
    for (page, other) in zip(pages, theirs) {
      let tree = try HTMLParser.tree(of: Array(page.utf8))
      guard tree.lostElements == 0 else { continue }
      let own = HTMLTreeForm.text(tree)
      if own == other { continue }
      let common = zip(own.utf8, other.utf8).prefix { $0 == $1 }.count
      func piece(_ text: String) -> String {
        String(decoding: text.utf8.dropFirst(max(0, common - 60)).prefix(160), as: UTF8.self)
      }
      found.append(
        "\(piece(own))\n  and not \(piece(other))\n  for \(page.prefix(page.utf8.count > 4_096 ? 0 : 2_000))"
      )
    }
    return found
  }
}
