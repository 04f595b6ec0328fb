/// How much of the archive's disk must stay free, whatever else fills it.
package struct DiskRoom: Sendable {
  /// Bytes.
  let minFree: Int
  /// Returns how many bytes are free; `nil` where the file system does not tell.
  let free: @Sendable () -> Int?

  /// Returns how many bytes may be added before too little is free; negative when it is already too
  /// little, `nil` where the file system does not tell.
  func left() -> Int? { free().map { max(0, $0) - minFree } }
}
