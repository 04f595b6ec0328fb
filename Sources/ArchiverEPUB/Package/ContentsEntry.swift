/// An entry of the book's table of contents.
struct ContentsEntry {
  let title: String
  /// The path and fragment of the target; `nil` for an entry that only groups others.
  let target: (path: String, fragment: String?)?
  let children: [ContentsEntry]
}
