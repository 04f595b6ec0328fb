extension Words {
  /// Words of the library that its pages are written with. Scripts replace those marked `data-w`
  /// when another language is chosen, and take their own from `scripts`.
  struct Library: Sendable {
    let skip: String
    let library: String
    let navigation: String
    let items: String
    let labels: String
    let sources: String
    let dates: String
    let highlights: String
    let statistics: String
    let problems: String
    let footer: String
    let emptyTitle: String
    let emptyText: String
    let newest: String
    let older: String
    let newer: String
    let part: String
    let minutes: String
    let favourite: String
    let done: String
    let gone: String
    let kinds: [String: String]
    let countOne: String
    let count: String

    func section(_ section: LibraryShell.Section) -> String {
      switch section {
      case .items: items
      case .labels: labels
      case .sources: sources
      case .dates: dates
      case .highlights: highlights
      case .statistics: statistics
      case .problems: problems
      }
    }

    func count(_ number: Int) -> String {
      number == 1 ? countOne : count.filled(String(number))
    }
  }
}
