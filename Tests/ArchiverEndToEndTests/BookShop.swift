import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

/// A book catalog on loopback, and a folder for an archive of it.
final class BookShop: Sendable {
  let catalog: FakeCatalog
  let server: LoopbackServer
  let home: String

  static func with(
    _ books: [FakeCatalog.Book], _ body: (BookShop) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with("books") { home in
      let shop = try BookShop(books, home: home)
      defer { shop.server.stop() }
      try await body(shop)
    }
  }

  private init(_ books: [FakeCatalog.Book], home: String) throws {
    self.home = home
    catalog = FakeCatalog(books, pageSize: 50)
    let catalog = catalog
    server = try LoopbackServer(handler: { catalog.respond($0) })
  }

  var archive: String { home + "/archive" }

  var environment: [String: String] {
    [
      "BOOKS_URL": "\(server.baseURL.absoluteString)opds", "ARCHIVER_ARCHIVE": archive,
      "HOME": home, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": home + "/config",
    ]
  }

  /// Runs `archiver`.
  func archiver(
    _ arguments: String...
  ) async throws -> (code: Int32, output: String, error: String) {
    try await Program.run(arguments, home: home, environment: environment)
  }

  /// The paths that were asked for since the last call.
  func newPaths(_ seen: inout Int) -> [String] {
    let requests = server.requests
    defer { seen = requests.count }
    return requests.dropFirst(seen).map { "\($0.method) \($0.path)" }
  }

  func bundles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: archive + "/books").sorted()
  }

  func page(_ bundle: String, _ file: String = "index.html") throws -> String {
    String(
      decoding: try Data(contentsOf: URL(filePath: "\(archive)/books/\(bundle)/\(file)")),
      as: UTF8.self)
  }

  /// An EPUB that Python's `zipfile` makes of what `script` adds to `book`; `nil` without Python.
  static func epub(_ script: String) async throws -> [UInt8]? {
    guard let python = ChildProcess.find("python3") else {
      print("skipped: python3 makes the book of this test")
      return nil
    }
    return try await TemporaryFolder.with("epub") { folder in
      let path = folder + "/book.epub"
      let maker = try ChildProcess(python, ["-c", frame + script + ending, path], environment: [:])
      #expect(try await maker.wait(limit: .seconds(120)) == 0, "\(maker.errorOutput)")
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
  }

  private static let frame = """
    import os, random, sys, zipfile
    random.seed(7)
    book = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED)
    book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
    book.writestr("META-INF/container.xml", '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
    items, spine, metadata = [], [], ""
    def page(name, body, root="", head=""):
      book.writestr(name, '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" %s><head><title>%s</title>%s</head><body>%s</body></html>' % (root, name, head, body))
      items.append('<item id="i%d" href="%s" media-type="application/xhtml+xml"/>' % (len(items), name))
      spine.append('<itemref idref="i%d"/>' % (len(items) - 1))
    def file(name, type, data):
      book.writestr(name, data)
      items.append('<item id="i%d" href="%s" media-type="%s"/>' % (len(items), name, type))

    """

  private static let ending = """

    book.writestr("p.opf", '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="u">u</dc:identifier><dc:title>T</dc:title><dc:language>en</dc:language>%s</metadata><manifest>%s</manifest><spine>%s</spine></package>' % (metadata, "".join(items), "".join(spine)))
    book.close()
    """
}
