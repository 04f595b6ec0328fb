/// The ids of link targets in canonical HTML.
package enum PageAnchor {
  /// Returns the id for a fragment of the original's URL; `nil` for an empty one.
  package static func id(of fragment: String) -> String? { SafeIdentifier.id(fragment) }
}
