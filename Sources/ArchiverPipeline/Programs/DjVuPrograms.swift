import ArchiverCore
import ArchiverEPUB

/// DjVuLibre's `djvutxt` and `ddjvu`, which extract the text of a DjVu document and a PDF of its
/// images.
///
/// Both run in a `BookChild`. If one of them fails, the result of the other is used alone.
package struct DjVuPrograms: Sendable {
  static let mediaType = "image/vnd.djvu"
  /// The JPEG quality of the images in the PDF, of 100.
  private static let quality = "85"

  /// The paths of the programs; `nil` for one that is not installed.
  package let words: String?
  package let pictures: String?
  private let searchPath: String
  private let time: Duration

  /// Finds the programs; `nil` if neither is installed.
  package init?(searchPath: String) {
    let words = BookProgram.find("djvutxt", in: searchPath)
    let pictures = BookProgram.find("ddjvu", in: searchPath)
    guard words != nil || pictures != nil else { return nil }
    self.init(words: words, pictures: pictures, searchPath: searchPath)
  }

  init(
    words: String?, pictures: String?, searchPath: String, time: Duration = BookProgram.longest
  ) {
    self.words = words
    self.pictures = pictures
    self.searchPath = searchPath
    self.time = time
  }

  /// The result for a document.
  struct Document {
    /// The text of each page.
    var pages: [String]
    /// The path of the PDF.
    var pictures: String?
    /// Sentences about what could not be read.
    var notes: [String] = []
  }

  /// Reads a document, in a directory that it creates and the caller removes.
  func read(
    _ file: String, in folder: String, _ limits: EPUBLimits
  ) throws(BookProgram.Failure) -> Document {
    guard mkdir(folder, 0o700) == 0, let folder = BookChild.absolute(folder),
      let file = BookChild.absolute(file)
    else {
      throw BookProgram.Failure(
        reason: "no folder could be created for it: \(String(cString: strerror(errno)))")
    }
    let child = BookChild(searchPath: searchPath, folder: folder, time: time)
    var document = Document(pages: [])
    do throws(BookProgram.Failure) {
      document.pages = try pages(file, child, limits)
    } catch {
      document.notes.append("The text of the document could not be read: \(error.reason).")
    }
    do throws(BookProgram.Failure) {
      document.pictures = try pdf(file, child)
    } catch {
      guard !document.pages.isEmpty else { throw error }
      document.notes.append(
        "The images of the document could not be converted: \(error.reason). The file contains "
          + "them."
      )
    }
    if document.pages.isEmpty { document.pages = [""] }
    return document
  }

  /// Returns the text by page. Without `--detail`, pages without text could not be located.
  private func pages(
    _ file: String, _ child: BookChild, _ limits: EPUBLimits
  ) throws(BookProgram.Failure) -> [String] {
    guard let words else { throw BookProgram.Failure(reason: "djvutxt is not installed") }
    let output = "\(child.folder)/words.txt"
    let status = try child.run(words, ["--detail=page", file, output])
    guard status == 0 else {
      throw BookProgram.Failure(reason: "djvutxt exited with status \(status)")
    }
    guard let data = FileManager.default.contents(atPath: output), data.count <= limits.textBytes
    else { throw BookProgram.Failure(reason: "there are too many or none") }
    return DjVuText.pages([UInt8](data))
  }

  private func pdf(
    _ file: String, _ child: BookChild
  ) throws(BookProgram.Failure) -> String {
    guard let pictures else { throw BookProgram.Failure(reason: "ddjvu is not installed") }
    let output = "\(child.folder)/pictures.pdf"
    let status = try child.run(
      pictures, ["-format=pdf", "-quality=\(DjVuPrograms.quality)", file, output])
    guard status == 0, access(output, R_OK) == 0 else {
      throw BookProgram.Failure(reason: "ddjvu exited with status \(status)")
    }
    return output
  }
}
