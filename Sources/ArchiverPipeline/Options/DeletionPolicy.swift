/// What happens to archived items that were deleted at the source.
package enum DeletionPolicy: String, Sendable, CaseIterable {
  /// The bundle stays, without a mark.
  case keep
  /// The bundle stays; lists and the library show that it was deleted at the source.
  case mark
  /// The bundle is removed, with its earlier versions.
  case remove
}
