/// The pages of a comic in reading order: that of its manifest, else by the names of the images.
struct ComicOrder {
  private(set) var pictures: [ComicGathering.Picture] = []
  /// By the index of the page.
  private(set) var titles: [Int: String] = [:]
  private(set) var notes: [String] = []
  /// The place of each page in the order of names.
  private(set) var places: [Int] = []

  init(_ all: [ComicGathering.Picture], manifest: ComicManifest?) {
    let natural = NaturalOrder.order(all.map(\.name))
    var order: [Int] = []
    var alternates: Set<Int> = []
    var seen: Set<Int> = []
    var absent = 0
    if let manifest {
      let indices = Dictionary(
        all.indices.map { (all[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
      for page in manifest.pages {
        let found = page.names.compactMap { indices[$0] }
        guard let best = found.first(where: { all[$0].isShown }) ?? found.first else {
          absent += 1
          continue
        }
        alternates.formUnion(found)
        guard seen.insert(best).inserted else { continue }
        titles[order.count] = page.title
        order.append(best)
      }
    }
    alternates.subtract(seen)
    let rest = natural.filter { !seen.contains($0) && !alternates.contains($0) }
    if !order.isEmpty {
      notes.add(
        rest.count, "1 image is not in the comic's reading order; it follows its pages.",
        "\(rest.count) images are not in the comic's reading order; they follow its pages.")
      notes.add(
        alternates.count, "1 image of the comic is another form of a page; it is not shown.",
        "\(alternates.count) images of the comic are other forms of its pages; they are not shown.")
    }
    notes.add(
      absent, "1 page of the comic's reading order is not among its images.",
      "\(absent) pages of the comic's reading order are not among its images.")
    order += rest
    pictures = order.map { all[$0] }
    let byIndex = Dictionary(uniqueKeysWithValues: natural.enumerated().map { ($1, $0) })
    places = order.map { byIndex[$0] ?? 0 }
  }
}

extension ComicGathering.Picture {
  /// Whether every browser shows it.
  fileprivate var isShown: Bool { output != nil && problem == nil && kind.foreignName == nil }
}
