import ArchiverCore

/// Reads the body of a PUT, or of a POST from a file: bytes in memory or a part of a file. Used on the engine's thread only.
final class UploadReader {
  private let bytes: [UInt8]
  private let slice: FileSlice?
  private let descriptor: Int32?
  /// The offset in the body of the next byte.
  var position = 0

  /// Opens the file of a request, if it names one; throws `.sink` if it cannot be read.
  init(_ request: TransferRequest) throws(HTTPError) {
    slice = request.upload
    bytes = slice == nil ? request.body ?? [] : []
    guard let slice else {
      descriptor = nil
      return
    }
    let opened = open(slice.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard opened >= 0 else { throw UploadReader.failure(slice) }
    descriptor = opened
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Copies the next bytes into a buffer. Returns their count, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
    let count: Int
    if let slice {
      let place = position - slice.head.count
      if place < 0 {
        count = UploadReader.copy(slice.head[position...], into: buffer)
      } else if place < slice.byteCount {
        count = try read(slice, at: place, into: buffer)
      } else {
        count = UploadReader.copy(slice.tail[(place - slice.byteCount)...], into: buffer)
      }
    } else {
      count = UploadReader.copy(bytes[position...], into: buffer)
    }
    position += count
    return count
  }

  private static func copy(
    _ bytes: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    bytes.withUnsafeBytes { bytes in
      let count = min(bytes.count, buffer.count)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      return count
    }
  }

  private func read(
    _ slice: FileSlice, at place: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(HTTPError) -> Int {
    guard let descriptor else { return 0 }
    let wanted = min(buffer.count, slice.byteCount - place)
    let count = pread(descriptor, buffer.baseAddress, wanted, off_t(slice.offset + place))
    guard count >= 0 else { throw UploadReader.failure(slice) }
    guard count > 0 || wanted == 0 else {
      throw HTTPError(.sink, "\(slice.path) became shorter while it was sent")
    }
    return count
  }

  private static func failure(_ slice: FileSlice) -> HTTPError {
    HTTPError(.sink, "\(slice.path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
