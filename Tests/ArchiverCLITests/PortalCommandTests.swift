import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// `archiver portal`.
@Suite struct PortalCommandTests {
  private func archive(_ desk: Desk, _ name: String, success: String = "2026-11-20T03:30:00Z")
    throws
  {
    try desk.write(
      "archives/\(name)/library/status.js",
      "var archiverStatus = {\"sources\":[{\"source\":\"readeck\",\"items\":12,\"bytes\":3400000,"
        + "\"failing\":0,\"lastSuccess\":\"\(success)\",\"runs\":[{\"started\":\"\(success)\","
        + "\"outcome\":\"ok\"}]}]};\n")
    try desk.write("archives/\(name)/index.html", "<p>\(name)</p>")
  }

  private func page(_ desk: Desk) throws -> String {
    try String(contentsOf: URL(filePath: desk.home + "/archives/index.html"), encoding: .utf8)
  }

  @Test func `the page is written once and reported`() async throws {
    let desk = try Desk()
    try archive(desk, "anna")
    try archive(desk, "bob", success: "2026-10-01T03:30:00Z")
    try desk.write("archives/photos/sea.jpg", "")
    let first = await desk.type("portal", "~/archives")
    #expect(first.code == .success)
    let place = desk.home + "/archives/index.html"
    #expect(first.output == "\(place) lists 2 archives, 1 of which needs attention.\n")
    #expect(first.error == "archiver: left out: photos: not an archive\n")
    let html = try page(desk)
    #expect(html.contains("href=\"bob/index.html\"") && html.contains("lang=\"en\""))
    let again = await desk.type("portal", "~/archives", "--max-age", "100d")
    #expect(again.output == "\(place) lists 2 archives.\n")
    let third = await desk.type("portal", "~/archives", "--max-age", "100d")
    #expect(third.output == "\(place) lists 2 archives; nothing had changed.\n")
    let silent = await desk.type("portal", "~/archives", "--quiet")
    #expect(silent.code == .success && silent.output == "" && silent.error == "")
    #expect(try page(desk) == html)
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.home + "/archives")
    #expect(names.sorted() == ["anna", "bob", "index.html", "photos"])
  }

  @Test func `the language is that of the option, else of the file`() async throws {
    let desk = try Desk()
    try archive(desk, "anna")
    try desk.configure("{ language: 'es' }")
    _ = await desk.type("portal", "~/archives", variables: ["LANG": "de_DE.UTF-8"])
    #expect(try page(desk).contains("lang=\"es\""))
    _ = await desk.type("portal", "~/archives", "--language", "zh")
    #expect(try page(desk).contains("lang=\"zh-Hans\""))
  }

  @Test func `scripts read a line for each archive`() async throws {
    let desk = try Desk()
    try archive(desk, "anna")
    try archive(desk, "bob", success: "2026-10-01T03:30:00Z")
    try desk.write("archives/carl/.archiver/catalog.sqlite", "")
    let result = await desk.type("portal", "~/archives", "--json")
    #expect(result.code == .someFailed)
    #expect(
      result.output
        == "{\"event\":\"archive\",\"name\":\"anna\",\"items\":12,\"bytes\":3400000,"
        + "\"updated\":\"2026-11-20T03:30:00Z\",\"state\":\"good\"}\n"
        + "{\"event\":\"archive\",\"name\":\"bob\",\"items\":12,\"bytes\":3400000,"
        + "\"updated\":\"2026-10-01T03:30:00Z\",\"state\":\"warn\"}\n"
        + "{\"event\":\"portal\",\"archives\":2,\"leftOut\":[\"carl\"],\"isNew\":true,"
        + "\"page\":\"\(desk.home)/archives/index.html\"}\n")
  }

  @Test func `a damaged archive is left out, with the way to repair it`() async throws {
    let desk = try Desk()
    try archive(desk, "anna")
    try archive(desk, "bob")
    try desk.write("archives/bob/library/status.js", "var archiverStatus = {")
    let result = await desk.type("portal", "~/archives", "--quiet")
    #expect(result.code == .someFailed)
    #expect(
      result.error == "archiver: left out: bob: library/status.js is missing or damaged; "
        + "'archiver site --archive \(desk.home)/archives/bob' rebuilds it\n")
    #expect(try !page(desk).contains("bob"))
  }

  @Test func `a page that is not ours is never replaced`() async throws {
    let desk = try Desk()
    try archive(desk, "anna")
    try desk.write("archives/index.html", "<!doctype html>\n<html lang=\"en\">")
    let result = await desk.type("portal", "~/archives")
    #expect(result.code == .usage)
    #expect(result.error.contains("index.html is not a page of 'archiver portal'; move it away"))
    #expect(try page(desk) == "<!doctype html>\n<html lang=\"en\">")
    // Neither is a link to one of ours.
    try FileManager.default.removeItem(atPath: desk.home + "/archives/index.html")
    _ = await desk.type("portal", "~/archives")
    try FileManager.default.moveItem(
      atPath: desk.home + "/archives/index.html", toPath: desk.home + "/page.html")
    try FileManager.default.createSymbolicLink(
      atPath: desk.home + "/archives/index.html", withDestinationPath: desk.home + "/page.html")
    #expect(await desk.type("portal", "~/archives").code == .usage)
  }

  @Test func `a folder without archives is refused and its page kept`() async throws {
    let desk = try Desk()
    #expect(await desk.type("portal", "~/archives").code == .usage)
    try archive(desk, "anna")
    let inside = await desk.type("portal", "~/archives/anna")
    #expect(inside.code == .usage && inside.error.contains("anna is an archive; name the folder"))
    _ = await desk.type("portal", "~/archives")
    let html = try page(desk)
    try FileManager.default.removeItem(atPath: desk.home + "/archives/anna")
    let empty = await desk.type("portal", "~/archives")
    #expect(empty.code == .archive && empty.error.contains("there is no archive in the folders of"))
    #expect(try page(desk) == html)
  }

  @Test func `the sandbox lets it write to the folder only`() async throws {
    let desk = try Desk()
    try archive(desk, "anna")
    var services = desk.services()
    let folders = Mutex<[String]>([])
    services.confine = { places in folders.withLock { $0 = places.folders } }
    let result = await desk.type("portal", "~/archives", services: services)
    #expect(result.code == .success)
    guard Sandbox.version != nil else { return }
    let found = folders.withLock { $0 }
    #expect(found.contains(desk.home + "/archives"))
    #expect(!found.contains(desk.home + "/archived") && !found.contains(desk.home))
  }
}
