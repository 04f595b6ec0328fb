#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension UnsafeBufferPointer<UInt8> {
  /// Returns where a byte stands first, at or after an index; `nil` when it does not. The C library
  /// looks at many bytes at once.
  package func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
