/// How much of the archive's disk must stay free, whatever else fills it.
package struct DiskRoom: Sendable {
  /// The number of bytes to keep free.
  let minFree: Int
  /// Returns the free bytes; `nil` if the file system does not report them.
  let free: @Sendable () -> Int?

  /// Returns how many bytes may be added; negative if too little is free already, `nil` if the file
  /// system does not report it.
  func left() -> Int? { free().map { max(0, $0) - minFree } }
}
