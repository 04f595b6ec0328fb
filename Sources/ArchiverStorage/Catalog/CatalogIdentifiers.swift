/// Identifies one listing of a source.
package struct ListingID: Sendable, Hashable {
  package let value: Int

  package init(_ value: Int) {
    self.value = value
  }
}

/// Identifies one source's part in one run.
package struct RunID: Sendable, Hashable {
  package let value: Int

  package init(_ value: Int) {
    self.value = value
  }
}
