import ArchiverCore
import ArchiverMarkup

/// Reads the table of contents: the navigation document of EPUB 3 or the NCX of EPUB 2.
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

  /// Reads the `toc` list of a navigation document; empty without one.
  mutating func navigation(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    let lists = document.root?.descendants("nav") ?? []
    guard let place = ContentsReader.contents(lists), let list = lists[place].child("ol")
    else { return [] }
    return entries(list, path, depth: 0)
  }

  /// Returns the index of the table of contents.
  private static func contents(_ lists: [XMLElement]) -> Int? {
    lists.firstIndex { types(of: $0).contains("toc") } ?? lists.indices.first
  }

  /// Returns the types of a list of a navigation document, such as `toc`.
  private static func types(of nav: XMLElement) -> [Substring] {
    nav.attributes.filter { $0.name.hasSuffix("type") }.flatMap { $0.value.split(separator: " ") }
  }

  /// Reads the list of a navigation document with this type, such as `page-list`; empty without
  /// one.
  mutating func list(_ type: String, _ document: XMLDocument, path: String) -> [ContentsEntry] {
    let nav = (document.root?.descendants("nav") ?? []).first {
      ContentsReader.types(of: $0).contains { $0 == type }
    }
    return nav?.child("ol").map { entries($0, path, depth: 0) } ?? []
  }

  /// Reads the other lists of a navigation document, such as the one of its illustrations: an entry
  /// for each, with the list's heading and entries.
  mutating func otherLists(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    let lists = document.root?.descendants("nav") ?? []
    let contents = ContentsReader.contents(lists)
    let known: Set<Substring> = ["toc", "landmarks", "page-list"]
    var found: [ContentsEntry] = []
    for (place, nav) in lists.enumerated()
    where place != contents && known.isDisjoint(with: ContentsReader.types(of: nav)) {
      guard let list = nav.child("ol") else { continue }
      let heading = nav.children.first { ContentsReader.headings.contains($0.name) }
      let children = entries(list, path, depth: 0)
      guard !children.isEmpty else { continue }
      found.append(ContentsEntry(title: heading.map(title) ?? "", target: nil, children: children))
    }
    return found
  }

  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

  /// Reads the `navMap` of an NCX; empty without one.
  mutating func ncx(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    guard let map = document.root?.child("navMap") else { return [] }
    return points(map, path, depth: 0)
  }

  /// Reads the `pageList` of an NCX: the first positions of the printed book's pages.
  mutating func pages(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    var found: [ContentsEntry] = []
    for page in document.root?.child("pageList")?.children("pageTarget") ?? [] {
      guard take() else { break }
      let words = page.child("navLabel")?.words ?? ""
      found.append(
        ContentsEntry(
          title: words.isEmpty ? page.attribute("value") ?? "" : words,
          target: target(page.child("content")?.attribute("src"), path), children: []))
    }
    return found
  }

  /// Reads each `navList` of an NCX: an entry with the list's label and targets.
  mutating func otherLists(ncx document: XMLDocument, path: String) -> [ContentsEntry] {
    var found: [ContentsEntry] = []
    for list in document.root?.children("navList") ?? [] {
      var targets: [ContentsEntry] = []
      for point in list.children("navTarget") {
        guard take() else { break }
        targets.append(
          ContentsEntry(
            title: point.child("navLabel")?.words ?? "",
            target: target(point.child("content")?.attribute("src"), path), children: []))
      }
      guard !targets.isEmpty else { continue }
      found.append(
        ContentsEntry(
          title: list.child("navLabel")?.words ?? "", target: nil, children: targets))
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

  private mutating func entries(
    _ list: XMLElement, _ path: String, depth: Int
  ) -> [ContentsEntry] {
    guard descend(to: depth) else { return [] }
    var found = [ContentsEntry]()
    for item in list.children("li") {
      guard take() else { break }
      let label = item.child("a") ?? item.child("span") ?? item.children.first { $0.name != "ol" }
      let children = item.child("ol").map { entries($0, path, depth: depth + 1) } ?? []
      found.append(
        ContentsEntry(
          title: label.map(title) ?? ContentsReader.ownWords(item),
          target: target(label.flatMap(link), path), children: children))
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
        title: point.child("navLabel")?.words ?? "",
        target: target(point.child("content")?.attribute("src"), path),
        children: points(point, path, depth: depth + 1))
      // A point without anything is no entry.
      if entry.title.isEmpty, entry.target == nil, entry.children.isEmpty { continue }
      found.append(entry)
    }
    return found
  }

  /// Returns the text of a label, or the alternative text of its image.
  private func title(_ label: XMLElement) -> String {
    let words = label.words
    if !words.isEmpty { return words }
    return label.descendants("img").first?.attribute("alt") ?? label.attribute("title") ?? ""
  }

  /// Returns the text of an item that has no element for it.
  private static func ownWords(_ item: XMLElement) -> String {
    item.contents.compactMap { content in
      if case .text(let text) = content { text } else { nil }
    }.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the link of a label, which may be inside it.
  private func link(_ label: XMLElement) -> String? {
    label.attribute("href") ?? label.descendants("a").first?.attribute("href")
  }

  private mutating func descend(to depth: Int) -> Bool {
    if depth >= limits.contentsDepth { isCut = true }
    return depth < limits.contentsDepth
  }

  private mutating func take() -> Bool {
    count += 1
    if count > limits.contentsEntries { isCut = true }
    return !isCut
  }

  private func target(_ href: String?, _ path: String) -> (path: String, fragment: String?)? {
    guard let href else { return nil }
    let parts = href.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let local = parts.first.map(String.init) ?? ""
    let resolved = local.isEmpty ? path : EntryPath.resolve(local, from: path)
    return resolved.map { (resolve($0) ?? $0, parts.count > 1 ? String(parts[1]) : nil) }
  }
}
