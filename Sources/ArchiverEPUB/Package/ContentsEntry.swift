/// An entry of the book's table of contents.
struct ContentsEntry {
  let title: String
  /// The path and fragment of the target; `nil` for an entry that only groups others.
  let target: (path: String, fragment: String?)?
  let children: [ContentsEntry]
  /// More words about it, such as a whole title where the list shows a number; `nil` without any.
  var hint: String?

  /// Whether it or an entry below it leads somewhere.
  var leadsOn: Bool { target != nil || children.contains(where: \.leadsOn) }
}
