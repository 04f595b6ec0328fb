import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads the body of a PUT: bytes in memory or a part of a file. Used on the engine's thread only.
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
    let total = slice?.byteCount ?? bytes.count
    let wanted = min(buffer.count, total - position)
    guard wanted > 0 else { return 0 }
    guard let slice, let descriptor else {
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + wanted]))
      }
      position += wanted
      return wanted
    }
    let count = pread(descriptor, buffer.baseAddress, wanted, off_t(slice.offset + position))
    guard count >= 0 else { throw UploadReader.failure(slice) }
    guard count > 0 else {
      throw HTTPError(.sink, "\(slice.path) became shorter while it was sent")
    }
    position += count
    return count
  }

  private static func failure(_ slice: FileSlice) -> HTTPError {
    HTTPError(.sink, "\(slice.path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
