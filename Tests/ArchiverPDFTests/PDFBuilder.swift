/// Small PDFs, written by hand.
enum PDFBuilder {
  /// Returns a file of these numbered objects, the first of them its catalog, with a correct table of
  /// where they are.
  static func file(_ objects: [[UInt8]], trailer: String = "") -> [UInt8] {
    var bytes = Array("%PDF-1.7\n%\u{E2}\u{E3}\n".utf8)
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(bytes.count)
      bytes += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    let table = bytes.count
    bytes += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8)
    for offset in offsets {
      let digits = String(offset)
      let padded = String(repeating: "0", count: 10 - digits.count) + digits
      bytes += Array("\(padded) 00000 n \n".utf8)
    }
    bytes += Array(
      "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\nstartxref\n\(table)\n%%EOF\n"
        .utf8)
    return bytes
  }

  static func book(
    pages: String = "3", title: [UInt8]? = nil, catalog: String = "/Pages 2 0 R",
    trailer: String = ""
  ) -> [UInt8] {
    var objects = [
      Array("<< /Type /Catalog \(catalog) >>".utf8),
      Array("<< /Type /Pages /Count \(pages) /Kids [] >>".utf8),
    ]
    var trailer = trailer
    if let title {
      objects.append(Array("<< /Title ".utf8) + title + Array(" >>".utf8))
      trailer += " /Info 3 0 R"
    }
    return file(objects, trailer: trailer)
  }
}
