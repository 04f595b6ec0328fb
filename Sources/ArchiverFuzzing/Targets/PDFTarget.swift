import ArchiverCore
import ArchiverPDF
import ArchiverTestKit

extension FuzzTarget {
  /// The metadata of a PDF; does nothing if the library is not installed.
  static let pdf = FuzzTarget(
    name: "pdf", dictionary: Words.pdf, seeds: PDFSample.files.map { Array($0.utf8) }
  ) { input in
    do {
      return try await TemporaryFolder.with("fuzz") { folder in
        let path = folder + "/a.pdf"
        try Data(input).write(to: URL(fileURLWithPath: path))
        do throws(PDFError) {
          return problems(of: try PDFReader().facts(path: path))
        } catch {
          return []
        }
      }
    } catch {
      return ["the file could not be written: \(error)"]
    }
  }

  private static func problems(of facts: PDFFacts) -> [String] {
    var problems: [String] = []
    if let count = facts.pageCount, count < 1 { problems.append("\(count) pages") }
    guard let title = facts.title else { return problems }
    if title.isEmpty || title.count > 501 { problems.append("a title of \(title.count) letters") }
    if title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      problems.append("a control character in the title")
    }
    return problems
  }
}

private enum PDFSample {
  /// The second has no cross-reference table, which readers reconstruct.
  static let files = [
    "%PDF-1.4\n" + objects
      + "xref\n0 5\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n"
      + "0000000115 00000 n \n0000000186 00000 n \ntrailer\n<< /Size 5 /Root 1 0 R /Info 4 0 R >>\n"
      + "startxref\n233\n%%EOF\n",
    "%PDF-1.4\n" + objects + "trailer\n<< /Size 5 /Root 1 0 R /Info 4 0 R >>\n%%EOF\n",
  ]

  private static let objects =
    "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    + "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
    + "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n"
    + "4 0 obj\n<< /Title (A title) >>\nendobj\n"
}
