import ArchiverCore
import ArchiverPipeline
import Testing

@testable import ArchiverCLI

@Suite struct ProgressTests {
  static let start = Desk.now

  private static func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

  private static func plan(_ selected: Int) -> PlanSummary {
    var plan = PlanSummary()
    plan.new = selected
    plan.selected = selected
    return plan
  }

  /// A run in the middle: four of twenty items done in eight seconds.
  private static func middle() -> ProgressState {
    var state = ProgressState()
    state.add(.listed(source: "readeck", count: 20, total: 20), at: at(0))
    state.add(.planned(source: "readeck", plan: plan(20)), at: at(0))
    for id in 1...4 {
      state.add(.itemStarted(source: "readeck", id: "\(id)", title: ""), at: at(0))
    }
    for id in 1...4 {
      let outcome: ItemOutcome = id == 3 ? .failed(reason: "gone") : .archived(imagesMissing: 0)
      state.add(
        .itemFinished(source: "readeck", id: "\(id)", title: "", outcome: outcome), at: at(4))
    }
    for second in 0..<9 {
      state.add(
        .assetFinished(source: "readeck", url: "u", bytes: 500_000, failure: nil),
        at: at(Double(second)))
    }
    state.add(.assetFinished(source: "readeck", url: "u", bytes: 0, failure: "404"), at: at(8))
    state.add(
      .itemStarted(
        source: "readeck", id: "5", title: "Saving the web, one page at a time, and why"),
      at: at(8))
    state.add(
      .itemStarted(source: "readeck", id: "6", title: "\u{1B}[31m保存网页的方法与工具：长期保存的实践与经验总结报告，以及更多"),
      at: at(8))
    return state
  }

  @Test func `the display at 80 columns`() {
    let frame = ProgressFrame(state: Self.middle(), now: Self.at(8), columns: 79, styles: .plain)
    #expect(
      frame.text() == [
        "readeck  ━━━━━━────────────────────────  4/20 items  about 32 s left",
        "  1 failed · 9 images · 1 missing · 4.5 MB · 500.0 kB/s",
        "  → Saving the web, one page at a time, and why",
        "  → [31m保存网页的方法与工具：长期保存的实践与经验总结报告，以及更多",
      ])
  }

  @Test func `a file in progress shows how far it is`() {
    var state = ProgressState()
    state.add(.planned(source: "books", plan: Self.plan(2)), at: Self.at(0))
    state.add(
      .itemStarted(source: "books", id: "1", title: "A rather long title of a book"), at: Self.at(0)
    )
    state.add(
      .downloading(source: "books", id: "1", bytes: 0, total: 27_100_000), at: Self.at(0))
    state.add(
      .downloading(source: "books", id: "1", bytes: 12_300_000, total: 27_100_000), at: Self.at(2))
    func lines(_ columns: Int) -> [String] {
      Array(
        ProgressFrame(state: state, now: Self.at(2), columns: columns, styles: .plain).text()
          .dropFirst())
    }
    #expect(
      lines(60) == [
        "  0 images · 12.3 MB · 6.2 MB/s",
        "  → A rather long title of a book  45%  12.3 MB of 27.1 MB",
      ])
    #expect(lines(45)[1] == "  → A rather long t…  45%  12.3 MB of 27.1 MB")
    #expect(lines(30)[1] == "  → A rather long title of a…")
    state.add(.downloading(source: "books", id: "1", bytes: 500, total: nil), at: Self.at(3))
    #expect(lines(60)[1] == "  → A rather long title of a book  500 B")
    state.add(.downloading(source: "books", id: "1", bytes: nil, total: nil), at: Self.at(3))
    state.add(
      .assetFinished(source: "books", url: "u", bytes: 27_100_000, failure: nil), at: Self.at(3))
    #expect(
      lines(60) == ["  1 image · 27.1 MB · 13.6 MB/s", "  → A rather long title of a book"])
  }

  @Test func `the display at 40 columns`() {
    let frame = ProgressFrame(state: Self.middle(), now: Self.at(8), columns: 39, styles: .plain)
    #expect(
      frame.text() == [
        "readeck  4/20 items  about 32 s left",
        "  1 failed · 9 images · 1 missing",
        "  → Saving the web, one page at a time…",
        "  → [31m保存网页的方法与工具：长期保存…",
      ])
  }

  @Test func `the elapsed time of a slow item shortens its title`() {
    let frame = ProgressFrame(state: Self.middle(), now: Self.at(80), columns: 39, styles: .plain)
    #expect(
      Array(frame.text().suffix(2)) == [
        "  → Saving the web, one p… · 1 min 12 s",
        "  → [31m保存网页的方法与… · 1 min 12 s",
      ])
    #expect(frame.text().allSatisfy { TextWidth.of($0) <= 39 })
  }

  @Test func `the display without characters beyond ASCII`() {
    let styles = Styles(hasColour: false, isUnicode: false)
    let frame = ProgressFrame(state: Self.middle(), now: Self.at(8), columns: 60, styles: styles)
    #expect(
      Array(frame.text().prefix(3)) == [
        "readeck  ####------------------  4/20 items  about 32 s left",
        "  1 failed, 9 images, 1 missing, 4.5 MB, 500.0 kB/s",
        "  > Saving the web, one page at a time, and why",
      ])
  }

  @Test func `before there is a plan the listing is shown`() {
    var state = ProgressState()
    state.add(.listed(source: "readeck", count: 1200, total: nil), at: Self.start)
    #expect(frame(state) == ["readeck  listing: 1,200"])
    state.add(.listed(source: "readeck", count: 1300, total: 5000), at: Self.start)
    #expect(frame(state) == ["readeck  listing: 1,300 of 5,000"])
    state.add(.sourceFinished(source: "readeck", failure: nil), at: Self.start)
    #expect(frame(state) == [])
  }

  private func frame(_ state: ProgressState) -> [String] {
    ProgressFrame(state: state, now: Self.start, columns: 60, styles: .plain).text()
  }

  @Test func `many items in flight do not fill the screen`() {
    var state = ProgressState()
    for source in 0..<9 {
      state.add(.planned(source: "s\(source)", plan: Self.plan(50)), at: Self.start)
      for id in 0..<30 {
        state.add(.itemStarted(source: "s\(source)", id: "\(id)", title: "t"), at: Self.start)
      }
    }
    #expect(frame(state).count == 14)
    #expect(frame(state)[6] == "  and 26 more")
  }

  private func live(columns: Int) -> (LiveReporter, MemoryOutput) {
    let output = MemoryOutput(isTerminal: true, columns: columns)
    let detail = EventText.Detail(isQuiet: true, verbosity: 0, listsItems: false)
    return (LiveReporter(output: output, styles: .plain, detail: detail), output)
  }

  @Test func `a frame is one write over the last and never more than ten a second`() {
    var (reporter, output) = live(columns: 60)
    reporter.show(.planned(source: "readeck", plan: Self.plan(3)), at: Self.at(0))
    for step in 0..<100 {
      let now = Self.at(Double(step) / 100)
      reporter.show(.itemStarted(source: "readeck", id: "\(step)", title: "t"), at: now)
      reporter.tick(at: now)
    }
    #expect((8...11).contains(output.writes.count))
    #expect(output.writes[0].hasPrefix("\r"))
    #expect(output.writes[1].hasPrefix("\r\u{1B}[3A"))
    #expect(output.writes.allSatisfy { $0.hasSuffix("\u{1B}[J") })
  }

  @Test func `failures scroll away above the display`() {
    var (reporter, output) = live(columns: 60)
    reporter.show(.planned(source: "readeck", plan: Self.plan(3)), at: Self.at(0))
    reporter.tick(at: Self.at(0))
    reporter.show(
      .itemFinished(
        source: "readeck", id: "1", title: "A\u{1B}[2Jb", outcome: .failed(reason: "it is gone")),
      at: Self.at(1))
    #expect(
      output.writes.last == "\r\u{1B}[2Afailed: readeck: A[2Jb: it is gone\u{1B}[K\n"
        + "readeck  ━━━━━━━━━━────────────────────  1/3 items\u{1B}[K\n"
        + "  1 failed · 0 images · 0 B\u{1B}[K\n\u{1B}[J")
  }

  @Test func `nothing of the display is left at the end`() {
    var (reporter, output) = live(columns: 60)
    reporter.show(.planned(source: "readeck", plan: Self.plan(3)), at: Self.at(0))
    reporter.tick(at: Self.at(0))
    reporter.end(RunReport(), isDryRun: false, at: Self.at(1))
    #expect(output.writes.last == "\r\u{1B}[2ANothing new (0.0 s).\u{1B}[K\n\u{1B}[J")
  }

  static let lines: [(Event, String?, String?)] = [
    (.itemStarted(source: "s", id: "1", title: "T"), nil, nil),
    (
      .itemFinished(source: "s", id: "1", title: "T", outcome: .archived(imagesMissing: 2)),
      "archived: s: T (2 images missing)", nil
    ),
    (
      .itemFinished(source: "s", id: "1", title: "", outcome: .kept(reason: "r")),
      "kept the old copy: s: 1: r", nil
    ),
    (
      .itemFinished(source: "s", id: "1", title: "T\nfake", outcome: .failed(reason: "r\u{1B}")),
      "failed: s: T fake: r", "failed: s: T fake: r"
    ),
    (
      .itemFinished(source: "s", id: "1", title: "T", outcome: .deferred(reason: "loading")),
      "not ready: s: T: loading", nil
    ),
    (.log(.warning, source: "s", message: "m"), "warning: s: m", "warning: s: m"),
    (.log(.info, source: nil, message: "m"), nil, nil),
    (.planned(source: "s", plan: plan(2)), "s: 2 new, 0 changed, 0 unchanged; taking 2", nil),
    (.retrying(url: "u", attempt: 2, delay: .seconds(3), reason: "503"), nil, nil),
  ]

  @Test(arguments: lines)
  func `plain output has all events, quiet output only problems`(
    event: Event, line: String?, quiet: String?
  ) {
    let all = EventText.Detail(isQuiet: false, verbosity: 0, listsItems: true)
    let little = EventText.Detail(isQuiet: true, verbosity: 0, listsItems: false)
    #expect(EventText.line(event, all) == line)
    #expect(EventText.line(event, little) == quiet)
  }

  @Test func `more is said when asked`() {
    let detail = EventText.Detail(isQuiet: false, verbosity: 1, listsItems: true)
    let retry = Event.retrying(url: "u", attempt: 2, delay: .seconds(3), reason: "503")
    #expect(EventText.line(retry, detail) == "retrying in 3.0 s (attempt 2): u: 503")
    let debug = Event.log(.debug, source: nil, message: "m")
    #expect(EventText.line(debug, detail) == nil)
    let more = EventText.Detail(isQuiet: false, verbosity: 2, listsItems: true)
    #expect(EventText.line(debug, more) == "m")
  }
}
