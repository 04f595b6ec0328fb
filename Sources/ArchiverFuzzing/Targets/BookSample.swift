import ArchiverTestKit

/// A small book with one of each kind of part.
enum BookSample {
  static let entries: [StoredZip.Entry] = [
    StoredZip.Entry("META-INF/container.xml", container),
    StoredZip.Entry("OEBPS/content.opf", package),
    StoredZip.Entry("OEBPS/nav.xhtml", page(navigation)),
    StoredZip.Entry("OEBPS/toc.ncx", contents),
    StoredZip.Entry("OEBPS/a.xhtml", page(chapter)),
    StoredZip.Entry("OEBPS/style.css", style),
    StoredZip.Entry("OEBPS/drawing.svg", Words.drawings[0]),
    StoredZip.Entry("META-INF/encryption.xml", encryption),
    StoredZip.Entry("OEBPS/a.smil", overlay),
    StoredZip.Entry("OEBPS/a.mp3", "ID3"),
  ]

  private static let container =
    "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" version=\"1.0\"><rootfiles>"
    + "<rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/>"
    + "</rootfiles></container>"

  private static let package =
    "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" "
    + "unique-identifier=\"u\"><metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
    + "<dc:identifier id=\"u\">urn:uuid:00000000-0000-4000-8000-00000000000a</dc:identifier>"
    + "<dc:title>A Book</dc:title><dc:creator>A. Writer</dc:creator><dc:language>en</dc:language>"
    + "<meta property=\"dcterms:modified\">2026-01-01T00:00:00Z</meta></metadata><manifest>"
    + "<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>"
    + "<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>"
    + "<item id=\"p0\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\" media-overlay=\"o\"/>"
    + "<item id=\"o\" href=\"a.smil\" media-type=\"application/smil+xml\"/>"
    + "<item id=\"mp3\" href=\"a.mp3\" media-type=\"audio/mpeg\"/>"
    + "<item id=\"css\" href=\"style.css\" media-type=\"text/css\"/>"
    + "<item id=\"svg\" href=\"drawing.svg\" media-type=\"image/svg+xml\" properties=\"cover-image\"/>"
    + "</manifest><spine toc=\"ncx\"><itemref idref=\"p0\"/><itemref idref=\"svg\" linear=\"no\"/>"
    + "</spine></package>"

  private static let navigation =
    "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One</a><ol><li><a href=\"a.xhtml#x\">Part"
    + "</a></li></ol></li></ol></nav><nav epub:type=\"page-list\"><ol><li><a href=\"a.xhtml#n\">7</a>"
    + "</li></ol></nav>"

  private static let contents =
    "<ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\" version=\"2005-1\"><navMap><navPoint>"
    + "<navLabel><text>One</text></navLabel><content src=\"a.xhtml\"/></navPoint></navMap></ncx>"

  private static let chapter =
    "<h1 id=\"x\">One</h1><span epub:type=\"pagebreak\" title=\"6\"/><p class=\"b\" style=\"color:red\">Words <a href=\"#x\">here</a>.</p>"
    + "<img src=\"drawing.svg\" alt=\"d\"/><svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"1\"/>"
    + "</svg><math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi></math><table><tr><td>1</td>"
    + "</tr></table><aside epub:type=\"footnote\" id=\"n\"><p>note</p></aside>"

  private static let overlay =
    "<smil xmlns=\"http://www.w3.org/ns/SMIL\" version=\"3.0\"><body><seq><par><text src=\"a.xhtml#x\"/>"
    + "<audio src=\"a.mp3\" clipBegin=\"0s\" clipEnd=\"1s\"/></par></seq></body></smil>"

  private static let style =
    "@charset \"utf-8\"; @import url(\"other.css\"); @font-face{font-family:F;src:url(f.ttf)} "
    + "p.b > a:hover, h1 { color: red; background: url(drawing.svg) } @media print { p { margin: 0 } }"

  private static let encryption =
    "<encryption xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\" "
    + "xmlns:enc=\"http://www.w3.org/2001/04/xmlenc#\"><enc:EncryptedData><enc:EncryptionMethod "
    + "Algorithm=\"http://www.idpf.org/2008/embedding\"/><enc:CipherData><enc:CipherReference "
    + "URI=\"OEBPS/f.ttf\"/></enc:CipherData></enc:EncryptedData></encryption>"

  private static func page(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><html xmlns=\"http://www.w3.org/1999/xhtml\" "
      + "xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title>t</title>"
      + "<link rel=\"stylesheet\" href=\"style.css\"/></head><body>\(body)</body></html>"
  }

  /// A comic with a few pages in several formats.
  static let comic: [StoredZip.Entry] = [
    StoredZip.Entry("a/1.jpg", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]),
    StoredZip.Entry("a/2.jxl", bytes: [0xFF, 0x0A, 1, 2, 3]),
    StoredZip.Entry("a/3.svg", Words.drawings[0]), StoredZip.Entry("a/notes.txt", "notes"),
    StoredZip.Entry(
      "ComicInfo.xml",
      "<ComicInfo><Title>T</Title><Series>S</Series><Number>1</Number><Year>2020</Year>"
        + "<Manga>YesAndRightToLeft</Manga><Pages><Page Image=\"0\" Type=\"FrontCover\"/></Pages></ComicInfo>"
    ),
  ]

  static let fictionBook =
    "<?xml version=\"1.0\"?><FictionBook xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\" "
    + "xmlns:l=\"http://www.w3.org/1999/xlink\"><description><title-info><author><first-name>A"
    + "</first-name></author><book-title>B</book-title><lang>en</lang><coverpage>"
    + "<image l:href=\"#c.png\"/></coverpage></title-info></description><body><title><p>B</p></title>"
    + "<section id=\"s\"><title><p>One</p></title><p>t <a l:href=\"#n\" type=\"note\">1</a>"
    + "<a l:href=\"https://e.example/\">w</a></p><poem><stanza><v>v</v></stanza></poem>"
    + "<image l:href=\"#c.png\"/><table><tr><td colspan=\"2\">c</td></tr></table></section></body>"
    + "<body name=\"notes\"><section id=\"n\"><p>n</p></section></body>"
    + "<binary id=\"c.png\" content-type=\"image/png\">iVBORw0KGgoBAgM=</binary></FictionBook>"
}
