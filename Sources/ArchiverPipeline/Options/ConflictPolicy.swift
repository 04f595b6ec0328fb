/// What happens to a bundle that was edited by hand if its item changed at the source.
///
/// A bundle counts as edited if its files do not match its SHA256SUMS.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  /// The source's copy replaces it; the edited one becomes an earlier version.
  case server
  /// The edited bundle stays until the policy changes to `server` or the item changes again.
  case local
  /// The one that changed last; the source's if it does not say when.
  case newer
  /// Like `server`, but the edited bundle is also copied to a directory beside it, which the
  /// archive does not manage.
  case both
}
