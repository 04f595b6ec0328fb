/// The ids that places of content have in canonical HTML.
package enum PageAnchor {
  /// Returns the id of what a fragment of the original's address points to; `nil` for an empty one.
  package static func id(of fragment: String) -> String? { SafeIdentifier.id(fragment) }
}
