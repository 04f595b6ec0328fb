import ArchiverCore
import ArchiverMarkup

/// Copies the images of a comic from the archive to the sink, and records other files.
struct ComicGathering {
  struct Picture {
    let name: String
    let kind: ImageFormat
    /// The file in the sink; `nil` if no part of the image could be read.
    let output: String?
    /// Why it could not be read, or not completely, as a sentence.
    let problem: String?
    /// `nil` if it is unknown.
    let size: PixelSize?

    /// Whether it is wider than high, as double pages are.
    var isDouble: Bool { size.map { $0.width > $0.height } ?? false }
    /// Whether it is a strip to scroll through, not a page: more than 2.5 times as high as wide.
    var isStrip: Bool { size.map { $0.height > $0.width * 5 / 2 } ?? false }
  }

  private let archive: ComicArchive
  private let sink: any BookSink
  private let limits: EPUBLimits
  /// In the order of the archive.
  private(set) var pictures: [Picture] = []
  private(set) var info: ComicInfo?
  private(set) var manifest: ComicManifest?
  /// Files that are neither images nor other parts of a comic.
  private(set) var others: [String] = []
  private(set) var notes: [String] = []
  private(set) var lockedCount = 0
  /// Why the first file that is compressed in an unsupported way could not be unpacked; `nil` without any.
  private(set) var unsupported: EPUBError?
  private var names: Set<String> = []
  private var doubles = 0
  /// The depth of the document from which `info` was read.
  private var infoDepth = Int.max
  /// The depth of the document from which `manifest` was read.
  private var manifestDepth = Int.max

  init(_ archive: ComicArchive, limits: EPUBLimits, sink: any BookSink) {
    self.archive = archive
    self.limits = limits
    self.sink = sink
  }

  /// Reads the archive to its end, or as far as possible.
  mutating func run() throws(EPUBError) {
    while let file = try archive.next() {
      if ComicGathering.isShadow(file.name) { continue }
      guard names.insert(file.name).inserted else {
        doubles += 1
        continue
      }
      let last = file.name.split(separator: "/").last?.lowercased() ?? ""
      if last == "comicinfo.xml" {
        try readInfo(file)
      } else if ComicManifest.files.contains(last) {
        try readManifest(file)
      } else {
        try take(file)
      }
    }
    if doubles > 0 {
      notes.append("\(doubles) files of the comic have duplicate names; the first is used.")
    }
    if archive.linkCount > 0 {
      notes.append(
        "\(archive.linkCount) entries of the comic are symbolic links; they were left out.")
    }
    tellOthers()
  }

  /// Whether a file is an operating system's metadata, such as `Thumbs.db`.
  private static func isShadow(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last?.lowercased() else { return true }
    return parts.contains { folders.contains($0) } || last.hasPrefix("._")
      || ["thumbs.db", "desktop.ini", ".ds_store"].contains(last)
  }

  /// Folders of metadata: of macOS, and of Synology, which has smaller copies of the images.
  private static let folders: Set<Substring> = ["__MACOSX", "@eaDir"]

  private mutating func take(_ file: ComicArchive.File) throws(EPUBError) {
    if file.isLocked {
      lockedCount += 1
      if let kind = ImageFormat.comic(name: file.name, prefix: []) {
        try add(file, kind, nil, "The image \(file.name) is locked with a password.")
      }
      return
    }
    let name = "assets/" + BookReferences.number(pictures.count + 1)
    var copy = PictureCopy(sink: sink, path: name, name: file.name, limits: limits)
    do throws(EPUBError) {
      try archive.read(file) { piece throws(EPUBError) in try copy.receive(piece) }
      guard let kind = try copy.finish() else {
        others.append(file.name)
        return
      }
      guard let output = copy.output else {
        return try add(file, kind, nil, "The image \(file.name) is empty or cannot be sanitised.")
      }
      let problem =
        copy.isRecognized ? nil : "The image \(file.name) does not begin as an image does."
      try add(file, kind, output, problem, size: copy.size)
    } catch  where error.isOfOneEntry {
      if error.code == .unsupported { unsupported = unsupported ?? error }
      guard
        let kind = try copy.finish(isWhole: false) ?? ImageFormat.comic(name: file.name, prefix: [])
      else {
        notes.append(error.message + ".")
        return
      }
      try add(file, kind, copy.output, error.message + ".")
    }
  }

  private mutating func add(
    _ file: ComicArchive.File, _ kind: ImageFormat, _ output: String?, _ problem: String?,
    size: PixelSize? = nil
  ) throws(EPUBError) {
    guard pictures.count < limits.pages else {
      throw .limit("the comic has too many pages", .bookPages, limits.pages)
    }
    if let problem { notes.append(problem) }
    pictures.append(
      Picture(name: file.name, kind: kind, output: output, problem: problem, size: size))
  }

  /// Of several such documents the one nearest to the root is used.
  private mutating func readInfo(_ file: ComicArchive.File) throws(EPUBError) {
    let depth = file.name.split(separator: "/").count
    guard depth < infoDepth else { return }
    do throws(EPUBError) {
      let bytes = try text(of: file)
      do throws(MarkupError) {
        info = try ComicInfo(bytes)
        infoDepth = depth
      } catch {
        throw EPUBError(.damaged, error.message)
      }
    } catch  where error.isOfOneEntry {
      notes.append("\(file.name) could not be read: \(error.message).")
    }
  }

  /// Of several manifests the one nearest to the root is used.
  private mutating func readManifest(_ file: ComicArchive.File) throws(EPUBError) {
    let depth = file.name.split(separator: "/").count
    do throws(EPUBError) {
      let bytes = try text(of: file)
      guard depth < manifestDepth, let found = ComicManifest(bytes, file: file.name) else {
        others.append(file.name)
        return
      }
      manifest = found
      manifestDepth = depth
    } catch  where error.isOfOneEntry {
      notes.append("\(file.name) could not be read: \(error.message).")
    }
  }

  /// Reads a file as a whole. Throws `damaged` for one that is too large.
  private func text(of file: ComicArchive.File) throws(EPUBError) -> [UInt8] {
    var bytes = [UInt8]()
    let most = limits.textBytes
    try archive.read(file) { piece throws(EPUBError) in
      if bytes.count <= most { bytes += piece }
    }
    guard bytes.count <= most else {
      throw EPUBError(.damaged, "it is too large \(Limit.bookTextSize.note(most))")
    }
    return bytes
  }

  private static let mostNamed = 5

  private mutating func tellOthers() {
    guard !others.isEmpty else { return }
    let named = NaturalOrder.order(others).prefix(ComicGathering.mostNamed).map { others[$0] }
    let rest = others.count > named.count ? " …" : ""
    notes.append(
      "\(others.count) files of the comic are not images; they are only in its file: "
        + named.joined(separator: ", ") + rest + ".")
  }
}

/// Copies a file into the sink once its first bytes identify it as an image.
private struct PictureCopy {
  private static let prefixSize = 128
  /// The size of a JPEG may be behind long metadata.
  private static let sizedBytes = 256 << 10

  private let sink: any BookSink
  private let path: String
  private let name: String
  private let limits: EPUBLimits
  private var head: [UInt8] = []
  private var isDecided = false
  /// Whether the sink has an unfinished file.
  private var isBegun = false
  private(set) var kind: ImageFormat?
  /// Whether `kind` is that of the content, not only of the name.
  private(set) var isRecognized = false
  /// The file that was written; `nil` if there was none.
  private(set) var output: String?
  var size: PixelSize? { kind.flatMap { PixelSize(format: $0, prefix: head) } }

  init(sink: any BookSink, path: String, name: String, limits: EPUBLimits) {
    self.sink = sink
    self.path = path
    self.name = name
    self.limits = limits
  }

  mutating func receive(_ piece: UnsafeRawBufferPointer) throws(EPUBError) {
    // SVG images are sanitised as a whole; of other files only the beginning is kept.
    let isPart = isDecided && kind != .svg
    head += piece.prefix(isPart ? max(0, PictureCopy.sizedBytes - head.count) : piece.count)
    if isBegun {
      do { return try sink.receive(piece) } catch { throw EPUBError.sink(path, error) }
    }
    if isPart { return }
    guard head.count <= limits.textBytes || !isDecided else {
      throw .limit("the SVG image \(name) is too large", .bookTextSize, limits.textBytes)
    }
    if !isDecided, head.count >= PictureCopy.prefixSize { try decide() }
  }

  /// Ends the file. Returns the kind of image, or `nil` if it is not an image. A damaged file is
  /// kept as far as it was read, except an SVG image.
  mutating func finish(isWhole: Bool = true) throws(EPUBError) -> ImageFormat? {
    if !isDecided { try decide() }
    guard let kind else { return nil }
    if kind == .svg {
      guard isWhole, let clean = SVGSanitizer.sanitize(head) else { return kind }
      try sink.write(path + ".svg", clean)
      output = path + ".svg"
    } else if isBegun {
      do { try sink.end() } catch { throw EPUBError.sink(path, error) }
      output = path + "." + kind.fileExtension
    }
    return kind
  }

  private mutating func decide() throws(EPUBError) {
    isDecided = true
    kind = ImageFormat.comic(name: name, prefix: head)
    // The sanitiser decides what an SVG image is.
    isRecognized = kind == .svg || ImageFormat.comic(name: "", prefix: head) != nil
    guard let kind, kind != .svg, !head.isEmpty else { return }
    do {
      try sink.begin(path + "." + kind.fileExtension)
      try head.withUnsafeBytes { try sink.receive($0) }
    } catch {
      throw EPUBError.sink(path, error)
    }
    isBegun = true
  }
}
