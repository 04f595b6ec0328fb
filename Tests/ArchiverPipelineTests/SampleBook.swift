import ArchiverCore
import ArchiverTestKit

/// A small EPUB: one page that shows the files given, those named `.xhtml` being pages themselves.
struct SampleBook {
  static let page = Array(page("<p>words</p>").utf8)

  let bytes: [UInt8]

  init(_ files: [(name: String, content: [UInt8])], metadata: String = "") {
    let pages = ["index.xhtml"] + files.map(\.name).filter { $0.hasSuffix(".xhtml") }
    let pictures = files.map(\.name).filter { !$0.hasSuffix(".xhtml") }
    let items = pages.map {
      "<item id=\"\($0)\" href=\"\($0)\" media-type=\"application/xhtml+xml\"/>"
    }
    let order = pages.map { "<itemref idref=\"\($0)\"/>" }
    let shown = pictures.map { "<img src=\"\($0)\" alt=\"p\"/>" }
    bytes = StoredZip.archive(
      [
        StoredZip.Entry("mimetype", "application/epub+zip"),
        StoredZip.Entry(
          "META-INF/container.xml",
          "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" version=\"1.0\"><rootfiles>"
            + "<rootfile full-path=\"content.opf\" media-type=\"application/oebps-package+xml\"/>"
            + "</rootfiles></container>"),
        StoredZip.Entry(
          "content.opf",
          "<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\"><metadata "
            + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>A Book</dc:title>\(metadata)</metadata>"
            + "<manifest>\(items.joined())</manifest><spine>\(order.joined())</spine></package>"),
        StoredZip.Entry("index.xhtml", SampleBook.page("<p>words</p>" + shown.joined())),
      ] + files.map { StoredZip.Entry($0.name, bytes: $0.content) })
  }

  private static func page(_ body: String) -> String {
    "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>t</title></head><body>\(body)</body></html>"
  }
}
