/// An entry of the book's table of contents.
struct ContentsEntry {
  let title: String
  /// The path and fragment of the target; `nil` for an entry that only groups others.
  let target: (path: String, fragment: String?)?
  let children: [ContentsEntry]

  /// Whether it or an entry below it leads somewhere.
  var leadsOn: Bool { target != nil || children.contains(where: \.leadsOn) }
}
