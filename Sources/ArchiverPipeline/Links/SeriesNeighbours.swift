import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// The archived books before and after a book in its series.
///
/// Each series is read once and cached, so a magazine of 1,000 issues is updated in one pass.
final class SeriesNeighbours {
  private let catalog: SQLiteCatalog
  private var known: [String: [Member]] = [:]

  private struct Member {
    let key: ItemKey
    let folder: String
    let place: SeriesPlace
    let title: String
  }

  init(catalog: SQLiteCatalog) {
    self.catalog = catalog
  }

  /// Returns the neighbours of an item; empty if it is in no series, or alone in it.
  func links(of item: CatalogItem) throws(StorageError) -> [ReadingPageContent.Neighbour] {
    guard let place = SeriesPlace(item.metadata) else { return [] }
    let members = try members(of: LinkAddress(series: place.name, of: item.key.source), place.name)
    guard let index = members.firstIndex(where: { $0.key == item.key }) else { return [] }
    var links: [ReadingPageContent.Neighbour] = []
    if index > 0 { links.append(SeriesNeighbours.link(.previous, members[index - 1])) }
    if index + 1 < members.count { links.append(SeriesNeighbours.link(.next, members[index + 1])) }
    return links
  }

  private func members(
    of series: LinkAddress, _ name: String
  ) throws(StorageError) -> [Member] {
    if let members = known[series.text] { return members }
    var members: [Member] = []
    for key in try catalog.linkedItems(series) {
      guard let item = try catalog.item(key), let place = SeriesPlace(item.metadata),
        place.name == name
      else { continue }
      members.append(
        Member(key: key, folder: item.folder, place: place, title: item.metadata.title))
    }
    members.sort { SeriesPlace.isBefore($0.place, $1.place) }
    known[series.text] = members
    return members
  }

  private static func link(
    _ side: ReadingPageContent.Neighbour.Side, _ member: Member
  ) -> ReadingPageContent.Neighbour {
    ReadingPageContent.Neighbour(
      side: side, path: "../../\(member.folder)/index.html", title: member.title,
      position: member.place.position)
  }
}
