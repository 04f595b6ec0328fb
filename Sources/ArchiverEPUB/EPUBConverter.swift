import ArchiverCore
import ArchiverMarkup

/// Converts an EPUB file (EPUB 2.0.1 to 3.3) to static pages that any browser shows offline.
///
/// Output in the sink:
///
///     text/0001.html …      one page for each file of the reading order
///     text/contents.html    the table of contents
///     style/page.css        our style; style/0001.css … the book's, filtered
///     assets/0001.png …     what pages use, SVG sanitised, fonts as they were meant
///
/// One entry is in memory at a time; files other than text are streamed.
package struct EPUBConverter: Sendable {
  package let limits: EPUBLimits
  package let words: BookWords
  /// SHA-1, which gives the key of obfuscated fonts; without it those fonts are left out.
  package let sha1: @Sendable ([UInt8]) -> [UInt8]

  package init(
    limits: EPUBLimits = EPUBLimits(), words: BookWords = BookWords(),
    sha1: @escaping @Sendable ([UInt8]) -> [UInt8] = { _ in [] }
  ) {
    self.limits = limits
    self.words = words
    self.sha1 = sha1
  }

  /// Reads the book at a path and writes its pages.
  ///
  /// A damaged page or image becomes a note and a page that says so. A truncated archive gives the
  /// pages that it has, and `damage`. One without its package document, a file other than an EPUB, or
  /// one beyond a limit throws, and the content of the sink is invalid.
  package func convert(path: String, to sink: any BookSink) throws(EPUBError) -> ConvertedBook {
    let archive = try ZipArchive(path: path, limits: limits)
    let package: PackageDocument
    do throws(EPUBError) {
      package = try EPUBConverter.package(archive, limits)
    } catch {
      // What is missing was in the part that was lost.
      guard let damage = archive.damage, error.code != .tooLarge else { throw error }
      throw EPUBError(.notAnArchive, "the file is truncated or damaged: \(damage)")
    }
    let encryption = try Encryption(archive)
    if let protection = encryption.protection {
      return ConvertedBook(
        metadata: package.metadata, pages: [], contentsPath: nil, coverPath: nil,
        protection: protection, notes: [])
    }
    let conversion = BookConversion(
      archive: archive, package: package, encryption: encryption, converter: self, sink: sink)
    return try conversion.run()
  }

  private static func package(
    _ archive: ZipArchive, _ limits: EPUBLimits
  ) throws(EPUBError) -> PackageDocument {
    var files: [XMLElement] = []
    var problem: EPUBError?
    do throws(EPUBError) {
      files = try rootfiles(archive)
    } catch  where error.code == .damaged || error.code == .malformed {
      problem = error
    }
    let file =
      files.first { $0.attribute("media-type") == "application/oebps-package+xml" } ?? files.first
    let named = file?.attribute("full-path")
      .flatMap { EntryPath.resolve($0.trimmed, from: "") }
      .flatMap { archive.name(matching: $0) }
    guard let path = named ?? likelyPackage(archive), let bytes = try archive.text(path) else {
      throw problem
        ?? EPUBError(
          .malformed,
          archive.name(matching: containerPath) == nil
            ? "the file is not an EPUB: it has no \(containerPath)"
            : "the book names no package document that exists")
    }
    var package = try PackageDocument(
      XMLDocument.ofBook(bytes, named: path), path: path, files: archive.names.sorted(),
      limits: limits, isFixedLayout: EPUBConverter.hasFixedDisplay(archive))
    package.isGuessed = named == nil
    // The container names each rendition (EPUB Multiple-Rendition Publications 1.1).
    let renditions = Set(files.compactMap { $0.attribute("full-path")?.trimmed })
    package.otherRenditions = max(0, renditions.count - 1)
    return package
  }

  private static let containerPath = "META-INF/container.xml"

  /// Returns the elements with which the container names package documents.
  private static func rootfiles(_ archive: ZipArchive) throws(EPUBError) -> [XMLElement] {
    guard let entry = archive.name(matching: containerPath), let bytes = try archive.text(entry)
    else { return [] }
    return try XMLDocument.ofBook(bytes, named: containerPath).root?.descendants("rootfile") ?? []
  }

  /// Returns the path of what is a package document by its name, of several the one with the shortest
  /// path.
  private static func likelyPackage(_ archive: ZipArchive) -> String? {
    archive.names.filter { $0.lowercased().hasSuffix(".opf") && !$0.hasPrefix("__MACOSX/") }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Whether Apple's display options, which precede `rendition:layout`, say that the layout is fixed.
  private static func hasFixedDisplay(_ archive: ZipArchive) -> Bool {
    // Unreadable options count as none.
    guard let bytes = try? archive.text("META-INF/com.apple.ibooks.display-options.xml"),
      let root = try? XMLDocument.ofBook(bytes, named: "display options").root
    else { return false }
    return root.descendants("option").contains {
      $0.attribute("name") == "fixed-layout" && $0.words == "true"
    }
  }
}

extension XMLDocument {
  /// Parses XML of a book: with its entities expanded and common mistakes repaired. `name` begins the message
  /// of the error.
  static func ofBook(_ bytes: [UInt8], named name: String) throws(EPUBError) -> XMLDocument {
    do throws(MarkupError) {
      guard let bytes = XMLEntities.expanded(bytes) else {
        throw MarkupError(.tooLarge, "its entities are too long")
      }
      return try XMLDocument(XMLRepair.mended(bytes), recovering: true)
    } catch {
      throw EPUBError(.malformed, "\(name) cannot be read: \(error.message)", underlying: error)
    }
  }
}
