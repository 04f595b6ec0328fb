import ArchiverCore
import ArchiverMarkup

/// Reads a book's lists: those of the navigation document of EPUB 3, of the NCX of EPUB 2 and of its guide.
struct ContentsReader {
  let limits: EPUBLimits
  /// Returns the entry of the archive for a path; `nil` if it does not exist.
  let resolve: (String) -> String?
  /// Whether entries were left out because of a limit.
  private(set) var isCut = false
  private var count = 0

  init(limits: EPUBLimits, resolve: @escaping (String) -> String?) {
    self.limits = limits
    self.resolve = resolve
  }

  /// Reads the `navMap` of an NCX; empty without one.
  mutating func ncx(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    guard let map = document.root?.child("navMap") else { return [] }
    return remarks(map) + points(map, path, depth: 0)
  }

  /// Returns the remarks about a list of an NCX, each as an entry.
  private mutating func remarks(_ list: XMLElement) -> [ContentsEntry] {
    list.children("navInfo").compactMap { remark in
      let words = remark.words
      guard !words.isEmpty, take() else { return nil }
      return ContentsEntry(title: words, target: nil, children: [])
    }
  }

  /// Reads the `pageList` of an NCX: the first positions of the printed book's pages.
  mutating func pages(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    guard let list = document.root?.child("pageList") else { return [] }
    var found = remarks(list)
    for page in list.children("pageTarget") {
      guard take() else { break }
      found.append(
        ContentsEntry(
          title: page.words(of: "navLabel") ?? page.attribute("value") ?? "",
          target: target(page.child("content")?.attribute("src"), path), children: []))
    }
    return found
  }

  /// Reads each `navList` of an NCX: an entry with the list's label and targets.
  mutating func otherLists(ncx document: XMLDocument, path: String) -> [ContentsEntry] {
    var found: [ContentsEntry] = []
    for list in document.root?.children("navList") ?? [] {
      var targets = remarks(list)
      for point in list.children("navTarget") {
        guard take() else { break }
        targets.append(
          ContentsEntry(
            title: point.words(of: "navLabel") ?? "",
            target: target(point.child("content")?.attribute("src"), path), children: []))
      }
      let label = list.words(of: "navLabel") ?? ""
      if targets.isEmpty, label.isEmpty { continue }
      found.append(ContentsEntry(title: label, target: nil, children: targets))
    }
    return found
  }

  /// Reads the `guide` of a package (OPF 2.0.1 section 2.6): parts such as the preface.
  mutating func guide(_ references: [PackageDocument.Part]) -> [ContentsEntry] {
    var found: [ContentsEntry] = []
    for reference in references {
      guard take() else { break }
      let target = reference.href.flatMap { href in
        let parts = href.split(separator: "#", maxSplits: 1)
        return parts.first.map { path in
          (resolve(String(path)) ?? String(path), parts.dropFirst().first.map(String.init))
        }
      }
      found.append(ContentsEntry(title: reference.title, target: target, children: []))
    }
    return found
  }

  private mutating func points(
    _ parent: XMLElement, _ path: String, depth: Int
  ) -> [ContentsEntry] {
    let children = parent.children("navPoint")
    guard !children.isEmpty, descend(to: depth) else { return [] }
    var found = [ContentsEntry]()
    for point in children {
      guard take() else { break }
      let entry = ContentsEntry(
        title: point.words(of: "navLabel") ?? "",
        target: target(point.child("content")?.attribute("src"), path),
        children: points(point, path, depth: depth + 1))
      // A point without anything is no entry.
      if entry.title.isEmpty, entry.target == nil, entry.children.isEmpty { continue }
      found.append(entry)
    }
    return found
  }

  mutating func descend(to depth: Int) -> Bool {
    if depth >= limits.contentsDepth { isCut = true }
    return depth < limits.contentsDepth
  }

  mutating func take() -> Bool {
    count += 1
    if count > limits.contentsEntries { isCut = true }
    return !isCut
  }

  func target(_ href: String?, _ path: String) -> (path: String, fragment: String?)? {
    guard let href else { return nil }
    let parts = href.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let local = parts.first.map(String.init) ?? ""
    let resolved = local.isEmpty ? path : EntryPath.resolve(local, from: path)
    return resolved.map { (resolve($0) ?? $0, parts.count > 1 ? String(parts[1]) : nil) }
  }
}
