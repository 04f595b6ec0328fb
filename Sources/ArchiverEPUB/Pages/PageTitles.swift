/// What each page is called: by the table of contents, else by its number.
struct PageTitles {
  private var titles: [String: String] = [:]
  private let plan: [PlannedPage]
  private let words: BookWords

  init(_ contents: [ContentsEntry], plan: [PlannedPage], words: BookWords) {
    self.plan = plan
    self.words = words
    collect(contents)
  }

  func title(_ index: Int) -> String {
    if let title = titles[plan[index].entry] { return title }
    return words.part.filled(String(index + 1))
  }

  private mutating func collect(_ entries: [ContentsEntry]) {
    for entry in entries {
      if let path = entry.target?.path, !entry.title.isEmpty, titles[path] == nil {
        titles[path] = entry.title
      }
      collect(entry.children)
    }
  }
}
