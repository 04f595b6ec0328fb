import ArchiverCore
import CZip

@testable import ArchiverEPUB

/// Makes EPUB files for tests.
struct BookBuilder {
  struct Entry {
    var name: String
    var bytes: [UInt8]
    var isLink = false
    /// The number of zero bytes in place of `bytes`.
    var sparseSize: Int?
  }

  var entries: [Entry] = []

  init() {}

  /// A book with these pages under `OEBPS/`, a package that names them in order, and more files.
  init(
    pages: [(name: String, html: String)],
    files: [(name: String, type: String, bytes: [UInt8])] = [],
    metadata: String = "", spine: String = "", itemProperties: [String: String] = [:]
  ) {
    add(
      "META-INF/container.xml",
      "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" version=\"1.0\"><rootfiles>"
        + "<rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/>"
        + "</rootfiles></container>")
    var manifest = ""
    var order = ""
    for (index, page) in pages.enumerated() {
      let type = page.name.hasSuffix(".svg") ? "image/svg+xml" : "application/xhtml+xml"
      manifest += "<item id=\"p\(index)\" href=\"\(page.name)\" media-type=\"\(type)\"/>"
      order += "<itemref idref=\"p\(index)\" properties=\"\(itemProperties[page.name] ?? "")\"/>"
      add("OEBPS/" + page.name, page.html)
    }
    for (index, file) in files.enumerated() {
      let properties = itemProperties[file.name].map { " properties=\"\($0)\"" } ?? ""
      manifest +=
        "<item id=\"f\(index)\" href=\"\(file.name)\" media-type=\"\(file.type)\"\(properties)/>"
      entries.append(Entry(name: "OEBPS/" + file.name, bytes: file.bytes))
    }
    add(
      "OEBPS/content.opf",
      "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"u\">"
        + "<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
        + "<dc:identifier id=\"u\">urn:uuid:00000000-0000-4000-8000-00000000000a</dc:identifier>"
        + "<dc:title>A Book</dc:title><dc:language>en</dc:language>\(metadata)</metadata>"
        + "<manifest>\(manifest)</manifest><spine \(spine)>\(order)</spine></package>")
  }

  /// Makes the bytes of a file unreadable.
  mutating func encrypt(_ name: String) {
    for index in entries.indices where entries[index].name == name {
      entries[index].bytes = entries[index].bytes.enumerated().map { place, byte in
        byte ^ UInt8(truncatingIfNeeded: 0xA5 &+ place &* 7)
      }
    }
  }

  /// Changes the package document.
  mutating func rewritePackage(_ change: (String) -> String) {
    for index in entries.indices where entries[index].name.hasSuffix(".opf") {
      entries[index].bytes = Array(
        change(String(decoding: entries[index].bytes, as: UTF8.self)).utf8)
    }
  }

  mutating func add(_ name: String, _ text: String) {
    entries.append(Entry(name: name, bytes: Array(text.utf8)))
  }

  /// A page around a body.
  static func page(_ body: String, head: String = "") -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><html xmlns=\"http://www.w3.org/1999/xhtml\" "
      + "xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title>t</title>\(head)</head>"
      + "<body>\(body)</body></html>"
  }

  /// Writes the archive to a temporary file, calls `body` with its path and removes it.
  func withFile<T>(_ body: (String) throws -> T) throws -> T {
    let path = FileManager.default.temporaryDirectory.path + "/book-\(UUID().uuidString).epub"
    defer { unlink(path) }
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
      let system = errno
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      let reason = String(cString: zip_error_strerror(&error))
      throw EPUBError(.notAnArchive, "cannot create \(path): \(reason) (errno \(system))")
    }
    var buffers = [UnsafeMutableRawPointer]()
    defer { for buffer in buffers { free(buffer) } }
    var sparse: String?
    defer { if let sparse { unlink(sparse) } }
    for entry in entries {
      if let size = entry.sparseSize {
        let file = path + ".sparse"
        sparse = file
        guard let handle = fopen(file, "w"), ftruncate(fileno(handle), off_t(size)) == 0,
          fclose(handle) == 0, let source = zip_source_file(archive, file, 0, -1)
        else { throw EPUBError(.notAnArchive, "cannot make \(file)") }
        zip_file_add(archive, entry.name, source, 2_048)
        continue
      }
      let buffer = UnsafeMutableRawPointer.allocate(
        byteCount: max(1, entry.bytes.count), alignment: 1)
      buffers.append(buffer)
      entry.bytes.withUnsafeBytes {
        buffer.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(buffer), byteCount: $0.count)
      }
      guard let source = zip_source_buffer(archive, buffer, UInt64(entry.bytes.count), 0) else {
        throw EPUBError(.notAnArchive, String(cString: zip_strerror(archive)))
      }
      let index = zip_file_add(archive, entry.name, source, 2_048)
      if entry.isLink, index >= 0 {
        zip_file_set_external_attributes(
          archive, UInt64(index), 0, UInt8(ZIP_OPSYS_UNIX), 0o120777 << 16)
      }
    }
    guard zip_close(archive) == 0 else {
      throw EPUBError(.notAnArchive, String(cString: zip_strerror(archive)))
    }
    return try body(path)
  }
}

/// Keeps a converted book in memory.
final class MemorySink: BookSink {
  private(set) var files: [String: [UInt8]] = [:]
  private var path = ""
  private var bytes: [UInt8] = []

  func begin(_ path: String) {
    self.path = path
    bytes = []
  }

  func receive(_ piece: UnsafeRawBufferPointer) { bytes += piece }

  func end() { files[path] = bytes }

  func text(_ path: String) -> String { String(decoding: files[path] ?? [], as: UTF8.self) }
}
