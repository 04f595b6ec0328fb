import ArchiverCore

/// Finds the name nearest to a mistyped one.
enum NearestName {
  /// Returns the candidate most similar to `name`; `nil` if none is similar enough to suggest.
  static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let limit = name.count <= 4 ? 1 : name.count <= 8 ? 2 : 3
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let isPrefix = name.count >= 2 && candidate.hasPrefix(name)
      let distance =
        isPrefix
        ? 1
        : EditDistance.of(
          Array(name.lowercased().prefix(64)), Array(candidate.lowercased().prefix(64)))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns "; did you mean …?" or an empty text, to append to a message.
  static func hint(
    _ name: String, among candidates: some Sequence<String>, prefix: String = ""
  ) -> String {
    of(name, among: candidates).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
  }
}
