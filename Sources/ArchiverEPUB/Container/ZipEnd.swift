import CZip

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The end record of a ZIP archive whose comment is not as long as it says, which libzip refuses and other
/// readers accept.
enum ZipEnd {
  /// The maximum size in bytes of an archive that is read this way, which is held in memory.
  static let mostBytes = 64 << 20

  private static let size = 22
  private static let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

  /// Opens an archive up to its last end record, without a comment; `nil` if there is none, if its
  /// directory is not directly before it, or if the archive is too large.
  static func open(path: String) -> OpaquePointer? {
    guard let count = FileSize.of(path), (size...mostBytes).contains(count),
      let bytes = read(path, count)
    else { return nil }
    guard let end = place(in: bytes) else {
      free(bytes.baseAddress)
      return nil
    }
    bytes[end + 20] = 0
    bytes[end + 21] = 0
    var error = zip_error_t()
    // libzip frees the bytes with the source.
    guard
      let source = zip_source_buffer_create(bytes.baseAddress, UInt64(end + size), 1, &error)
    else {
      free(bytes.baseAddress)
      return nil
    }
    guard let archive = zip_open_from_source(source, ZIP_RDONLY, &error) else {
      zip_source_free(source)
      return nil
    }
    return archive
  }

  private static func read(_ path: String, _ count: Int) -> UnsafeMutableRawBufferPointer? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    // libzip frees memory with `free`.
    guard let memory = malloc(count) else { return nil }
    guard fread(memory, 1, count, file) == count else {
      free(memory)
      return nil
    }
    return UnsafeMutableRawBufferPointer(start: memory, count: count)
  }

  /// Returns the place of the last end record whose directory ends where the record begins.
  private static func place(in bytes: UnsafeMutableRawBufferPointer) -> Int? {
    func number(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    // A comment has at most 65,535 bytes.
    let first = max(0, bytes.count - size - 0xFFFF)
    return (first...(bytes.count - size)).last { place in
      signature.indices.allSatisfy { bytes[place + $0] == signature[$0] }
        && number(place + 12) + number(place + 16) == place
    }
  }
}
