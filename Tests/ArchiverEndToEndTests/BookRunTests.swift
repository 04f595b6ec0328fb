import ArchiverCore
import ArchiverTestKit
import Testing

/// Book catalogs from beginning to end.
@Suite(.serialized) struct BookRunTests {
  @Test func `a second run over a shelf of 1,000 books asks for its feeds and nothing else`()
    async throws
  {
    guard let epub = try await BookShop.epub("page('a.xhtml', '<p>Once</p>')") else { return }
    let books = (1...1_000).map { FakeCatalog.Book($0, author: "Author \($0 % 7)", epub: epub) }
    try await BookShop.with(books) { shop in
      var seen = 0
      let first = try await shop.archiver("run", "--source", "books", "--quiet")
      #expect(first.code == 0, "\(first.error)")
      #expect(try shop.bundles().count == 1_000)
      let before = shop.newPaths(&seen)
      #expect(before.count { $0.hasPrefix("GET /files/") } == 1_000)
      let second = try await shop.archiver("run", "--source", "books")
      #expect(second.code == 0, "\(second.error)")
      #expect(second.output.contains("1,000 unchanged") || second.error.contains("1,000 unchanged"))
      let after = shop.newPaths(&seen)
      #expect(after.allSatisfy { $0.hasPrefix("GET /opds") }, "\(after.prefix(5))")
      #expect(Set(after).count <= 12 && after.count <= 31, "\(after.count) requests")
      print("1,000 books: \(before.count) requests first, \(after.count) when nothing changed")
    }
  }

  @Test func `the program makes pages of a FictionBook, with as little of Foundation as it has`()
    async throws
  {
    let text = """
      <?xml version="1.0" encoding="utf-8"?>
      <FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>
      <book-title>Tale</book-title><lang>en</lang></title-info></description>
      <body><section><title><p>One</p></title><p>lantern words</p></section></body></FictionBook>
      """
    try await BookShop.with([FakeCatalog.Book(1, epub: Array(text.utf8))]) { shop in
      let run = try await shop.archiver("run", "--source", "books")
      #expect(run.code == 0, "\(run.error)")
      let bundle = try #require(try shop.bundles().first)
      let folder = "\(shop.archive)/books/\(bundle)/book"
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      let pages = try names.filter { $0.hasSuffix(".html") }.map {
        try shop.page(bundle, "book/\($0)")
      }
      #expect(pages.contains { $0.contains("lantern words") }, "\(names)")
    }
  }

  #if canImport(Glibc)
    @Test func `a book of 30 MB becomes pages within 100 MB of memory`() async throws {
      let script = """
        words = ["w%d" % random.randrange(4000) for _ in range(30000)]
        for number in range(60):
          body = "".join("<p>%s</p>" % " ".join(random.choices(words, k=120)) for _ in range(150))
          page("c%02d.xhtml" % number, "<h1>Chapter %d</h1><p><img src='p%d.png' alt=''/></p>%s" % (number, number % 12, body))
        for number in range(12):
          file("p%d.png" % number, "image/png", b"\\x89PNG\\r\\n\\x1a\\n" + os.urandom(2400000))
        """
      guard let epub = try await BookShop.epub(script) else { return }
      #expect((28_000_000...40_000_000).contains(epub.count), "\(epub.count) bytes")
      try await BookShop.with([FakeCatalog.Book(1, epub: epub)]) { shop in
        let python = try #require(ChildProcess.find("python3"))
        let measure = """
          import resource, subprocess, sys
          code = subprocess.call(sys.argv[1:])
          print("PEAK", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, code)
          """
        let process = try ChildProcess(
          python, ["-c", measure, Program.path, "run", "--source", "books", "--quiet"],
          environment: shop.environment)
        #expect(try await process.wait(limit: .seconds(300)) == 0)
        let line = try #require(process.output.split(separator: "\n").last { $0.contains("PEAK") })
        let figures = line.split(separator: " ").compactMap { Int($0) }
        #expect(figures.last == 0, "\(process.errorOutput)")
        let peak = try #require(figures.first)
        #expect(peak < 100_000, "\(peak) kB")
        let bundle = try #require(try shop.bundles().first)
        #expect(try shop.page(bundle, "book/text/0060.html").contains("Chapter 59"))
        print("a book of \(epub.count) bytes: \(peak) kB of memory at the most")
      }
    }
  #endif

  @Test func `a full disk pauses a catalog, and the next run continues where it stopped`()
    async throws
  {
    guard getuid() == 0 else {
      print("skipped: only root can mount a small disk")
      return
    }
    let books = (1...8).map { number in
      FakeCatalog.Book(
        number, epub: Array("%PDF-1.7\n".utf8),
        pdf: Array("%PDF-1.7\n".utf8)
          + [UInt8](repeating: UInt8(number), count: 3_000_000) + Array("%%EOF".utf8))
    }
    try await BookShop.with(books) { shop in
      try FileManager.default.createDirectory(
        atPath: shop.archive, withIntermediateDirectories: true)
      let mount = try await Program.tool(
        "mount", ["-t", "tmpfs", "-o", "size=112m", "tmpfs", shop.archive])
      guard mount.code == 0 else {
        print("skipped: no disk can be mounted here: \(mount.output)")
        return
      }
      let result: Result<Void, any Error>
      do { result = .success(try await goesOn(shop)) } catch { result = .failure(error) }
      #expect(try await Program.tool("umount", ["-l", shop.archive]).code == 0)
      try result.get()
    }
  }

  private func goesOn(_ shop: BookShop) async throws {
    try FileManager.default.createDirectory(
      atPath: shop.home + "/config/archiver", withIntermediateDirectories: true)
    try Data("{sources: {books: {formats: [\"pdf\"]}}}".utf8).write(
      to: URL(filePath: shop.home + "/config/archiver/config.json5"))
    let full = try await shop.archiver("run", "--source", "books", "--quiet")
    #expect(full.code == 4, "\(full.output)\(full.error)")
    #expect(full.error.contains("reserve of 100 MB"), "\(full.error)")
    var status = statvfs()
    #expect(statvfs(shop.archive, &status) == 0)
    let free = Int(status.f_bavail) * Int(status.f_frsize)
    #expect(free >= 99_000_000, "\(free) bytes are left of the reserve")
    let held = try shop.bundles().count
    #expect((1...7).contains(held), "\(held)")
    let list = try await shop.archiver("list", "--status", "queued", "--json")
    #expect(
      list.output.split(separator: "\n").count == 8 - held, "the rest is queued: \(list.output)")
    #expect(try await shop.archiver("verify").code == 0)
    #expect(
      try await Program.tool("mount", ["-o", "remount,size=250m", shop.archive]).code == 0)
    var seen = 0
    _ = shop.newPaths(&seen)
    let next = try await shop.archiver("run", "--source", "books", "--quiet")
    #expect(next.code == 0, "\(next.output)\(next.error)")
    #expect(try shop.bundles().count == 8)
    let fetched = shop.newPaths(&seen).count { $0.hasPrefix("GET /files/") }
    #expect(fetched <= 8 - held, "what is there is not fetched again")
    #expect(try await shop.archiver("verify").code == 0)
  }

  @Test func `pages and title of a PDF stand on the book's page`() async throws {
    let objects = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 41 /Kids [] >>",
      "<< /Title (Its own title) >>",
    ]
    var pdf = "%PDF-1.7\n"
    var table = "xref\n0 4\n0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let offset = String(pdf.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      pdf += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = pdf.utf8.count
    pdf += table + "trailer\n<< /Size 4 /Root 1 0 R /Info 3 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    let book = FakeCatalog.Book(1, title: "In the catalog", pdf: Array(pdf.utf8))
    try await BookShop.with([book]) { shop in
      try FileManager.default.createDirectory(
        atPath: shop.home + "/config/archiver", withIntermediateDirectories: true)
      try Data("{sources: {books: {formats: [\"pdf\"]}}}".utf8).write(
        to: URL(filePath: shop.home + "/config/archiver/config.json5"))
      let doctor = try await shop.archiver("doctor")
      guard doctor.output.contains("libqpdf/") else {
        print("skipped: libqpdf is not installed: \(doctor.output)")
        return
      }
      #expect(try await shop.archiver("run", "--source", "books", "--quiet").code == 0)
      let bundle = try #require(try shop.bundles().first)
      let page = try shop.page(bundle)
      #expect(page.contains("Pages</dt><dd dir=\"auto\">41</dd>"), "\(page)")
      #expect(page.contains("Title in the file</dt><dd dir=\"auto\">Its own title</dd>"))
      #expect(try shop.page(bundle, "item.json").contains("Its own title"))
      #expect(try shop.page(bundle, "../../library/books.html").contains(".pdf\""))
    }
  }
}
