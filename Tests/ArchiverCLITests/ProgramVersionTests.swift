import ArchiverCore
import Testing

@testable import ArchiverCLI

/// The version number, and the places where it occurs.
@Suite struct ProgramVersionTests {
  private static let build = ProgramVersion(
    number: "1.2.3", commit: "3f2a1bc4d5e6", date: "2026-11-27")

  @Test func `commit and day stand behind the number where they are known`() {
    #expect(Self.build.text == "1.2.3 (3f2a1bc4d5e6, 2026-11-27)")
    #expect(ProgramVersion(number: "1.2.3").text == "1.2.3")
  }

  @Test func `the program says which build it is`() async throws {
    let desk = try Desk()
    var services = desk.services()
    services.build = Self.build
    let shown = await desk.type("--version", services: services)
    #expect(shown.output == "archiver 1.2.3 (3f2a1bc4d5e6, 2026-11-27)\n")
    let metrics = MetricsText.text(
      RunAnnouncer.Ending(code: .success, text: "", report: nil), statuses: [],
      version: Self.build, started: Desk.now, now: Desk.now)
    #expect(
      metrics.contains(
        "archiver_build_info{version=\"1.2.3\",commit=\"3f2a1bc4d5e6\",date=\"2026-11-27\"} 1\n"))
  }

  @Test func `the version is a semantic one`() {
    let parts = ProgramVersion.number.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts.allSatisfy { Int($0) != nil })
  }
}
