/// A line of the table of contents as the book has it.
struct ContentsEntry {
  let title: String
  /// The path of the file it leads to, and the fragment; `nil` for a line that only groups others.
  let target: (path: String, fragment: String?)?
  let children: [ContentsEntry]
}
