import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// The content of a file to publish, or of a part of it.
struct FileContent {
  let slice: FileSlice
  private let isWhole: Bool

  init(_ root: String, _ file: PublishedFile) {
    slice = FileSlice(path: "\(root)/\(file.key)", byteCount: file.byteCount)
    isWhole = true
  }

  init(_ slice: FileSlice) {
    self.slice = slice
    isWhole = false
  }

  /// Returns all bytes; throws if the file has another size.
  func bytes() throws(PublishError) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(slice.byteCount)
    try forEachPiece { all.append(contentsOf: $0) }
    return all
  }

  /// Returns the digests; throws if the file has another size.
  func digest() throws(PublishError) -> (sha256: String, md5: [UInt8]?) {
    let digest = ContentDigest()
    try forEachPiece { digest.update($0) }
    return digest.finish()
  }

  static func digest(_ bytes: [UInt8]) -> (sha256: String, md5: [UInt8]?) {
    let digest = ContentDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  /// Reads the content in pieces, which are valid only during the call; throws if the file has another
  /// size.
  func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(PublishError) -> Void
  ) throws(PublishError) {
    let descriptor = open(slice.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: max(1, min(1 << 18, slice.byteCount)))
    var left = slice.byteCount
    while left > 0 {
      let offset = off_t(slice.offset + slice.byteCount - left)
      let count = pread(descriptor, &buffer, min(buffer.count, left), offset)
      guard count >= 0 else { throw failure(errno) }
      guard count > 0 else { throw changed() }
      try buffer.withUnsafeBufferPointer { (bytes) throws(PublishError) in
        try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
      }
      left -= count
    }
    var status = stat()
    // The end of a part is not the end of the file.
    guard isWhole, fstat(descriptor, &status) == 0 else { return }
    guard Int(status.st_size) == slice.byteCount else { throw changed() }
  }

  private func changed() -> PublishError {
    PublishError(
      .file, "\(slice.path) changed while it was published; publish again after the run")
  }

  private func failure(_ code: Int32) -> PublishError {
    PublishError(.file, "\(slice.path): \(String(cString: strerror(code)))")
  }
}

/// The small XML documents of requests and responses.
enum XMLText {
  /// Returns a text as the content of an element.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Whether XML can represent all characters of a text so that parsers return them unchanged.
  static func holds(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{FFFE}" && $0 != "\u{FFFF}" }
  }

  /// Returns the text of an element of a response, wherever it is; `nil` if there is none.
  static func value(_ name: String, in body: [UInt8]) -> String? {
    // An unreadable response counts as lacking the element.
    (try? XMLDocument(body).root)?.descendants(name).first?.words
  }

  /// Returns the first failure that a response to a deletion of several objects names.
  static func deleteFailure(_ body: [UInt8]) -> String? {
    guard !body.isEmpty, let root = try? XMLDocument(body).root else { return nil }
    let failure = root.children("Error").first { $0.child("Code")?.words != "NoSuchKey" }
    return failure.map { error in
      [error.child("Key")?.words, error.child("Code")?.words, error.child("Message")?.words]
        .compactMap(\.self).joined(separator: ": ")
    }
  }
}
