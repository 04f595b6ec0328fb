import ArchiverCore
import CZlib

/// Files in the gzip format (RFC 1952).
package enum GZip {
  // The compression level. Level 6 takes much longer for hardly smaller files.
  private static let level: Int32 = 5
  /// The value to add to the window's logarithm for gzip's header and trailer instead of zlib's.
  private static let gzipHeader: Int32 = 16

  /// Compresses bytes. Equal input gives equal output, as the header contains no time.
  package static func compressed(_ bytes: [UInt8]) throws(StorageError) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    // Clearing the tables of the largest window would take most of the time for a few kilobytes.
    let width = bytes.count.bitWidth - bytes.count.leadingZeroBitCount
    let bits = min(MAX_WBITS, max(12, Int32(width)))
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, gzipHeader + bits, bits - 7, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        size) == Z_OK
    else { throw failure("compressed", stream) }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
    let status = run(&stream, bytes[...], &output) { deflate($0, Z_FINISH) }
    guard status == Z_STREAM_END else { throw failure("compressed", stream) }
    output.removeLast(Int(stream.avail_out))
    return output
  }

  /// Returns the content of a gzip file of one member. Fails with `.damaged` for anything else, and for
  /// content of more than `limit` bytes.
  package static func expanded(_ bytes: [UInt8], limit: Int) throws(StorageError) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, gzipHeader + MAX_WBITS, ZLIB_VERSION, size) == Z_OK else {
      throw failure("read", stream)
    }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: max(64 << 10, min(limit, 4 * bytes.count)))
    var rest = bytes[...]
    var status = Z_OK
    while status == Z_OK {
      status = run(&stream, rest, &piece) { inflate($0, Z_NO_FLUSH) }
      rest = rest.suffix(Int(stream.avail_in))
      let count = piece.count - Int(stream.avail_out)
      guard output.count + count <= limit else {
        throw StorageError(.damaged, "a compressed file has more than \(limit) bytes")
      }
      output += piece.prefix(count)
      // Without more input there is no progress.
      if count == 0, rest.isEmpty { break }
    }
    guard status == Z_STREAM_END else { throw failure("read", stream) }
    guard rest.isEmpty else {
      throw StorageError(.damaged, "a compressed file has \(rest.count) bytes after its end")
    }
    return output
  }

  /// Calls zlib with the rest of `input` and of `output`.
  private static func run(
    _ stream: inout z_stream, _ input: ArraySlice<UInt8>, _ output: inout [UInt8],
    _ body: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Int32 {
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        // zlib does not write through this pointer.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return body(&stream)
      }
    }
  }

  private static func failure(_ verb: String, _ stream: z_stream) -> StorageError {
    let reason = stream.msg.map { String(cString: $0) } ?? "it is truncated"
    return StorageError(.damaged, "a compressed file cannot be \(verb): \(reason)")
  }
}
