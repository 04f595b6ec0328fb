/// A file of the object pool, named by its content.
package struct StoredObject: Sendable, Hashable, Codable {
  /// SHA-256 in lower-case hex.
  package let sha256: String
  package let byteCount: Int

  package init(sha256: String, byteCount: Int) {
    self.sha256 = sha256
    self.byteCount = byteCount
  }
}
