import ArchiverCore
import Synchronization

/// A cache of facts about a workspace, such as titles, parents, people and columns, kept while the
/// adapter exists.
///
/// It only saves requests; everything in it can be requested again.
final class NotionDirectory: Sendable {
  private struct State {
    var known: [NotionID: KnownObject] = [:]
    var parents: [NotionID: NotionParent] = [:]
    var databases: [NotionID: NotionID] = [:]
    var schemas: [NotionID: DataSourceSchema] = [:]
    var people: NotionLookup.People?
    /// The number of times that the people could not be read.
    var peopleFaults = 0
    /// Whether the people are being requested.
    var isAskingForPeople = false
    var warned: Set<String> = []
    var linkedViews: Set<NotionID> = []
  }

  private let state = Mutex(State())

  /// Adds the facts of an object. The title of a stub without one stays unknown.
  func learn(_ object: NotionObject) {
    state.withLock { state in
      let known = KnownObject(
        title: object.title, icon: object.icon, isInTrash: object.inTrash)
      if object.isWhole || (state.known[object.id] == nil && !object.title.isEmpty) {
        state.known[object.id] = known
      }
      state.parents[object.id] = object.parent
      if object.kind == .dataSource, case .database(let database) = object.parent {
        state.databases[object.id] = database
        if state.known[database] == nil { state.known[database] = known }
      }
    }
  }

  func markUnshared(_ id: NotionID) {
    state.withLock { state in
      if state.known[id] == nil {
        state.known[id] = KnownObject(title: "", icon: nil, isShared: false)
      }
    }
  }

  /// Records that a database has no tables of its own.
  func markLinkedView(_ id: NotionID) {
    state.withLock { _ = $0.linkedViews.insert(id) }
  }

  func isLinkedView(_ id: NotionID) -> Bool { state.withLock { $0.linkedViews.contains(id) } }

  func known(_ id: NotionID) -> KnownObject? { state.withLock { $0.known[id] } }

  func parent(_ id: NotionID) -> NotionParent? { state.withLock { $0.parents[id] } }

  func setParent(_ parent: NotionParent, of id: NotionID) {
    state.withLock { $0.parents[id] = parent }
  }

  /// Returns the database of a data source; the id itself if it is unknown.
  func database(of source: NotionID) -> NotionID {
    state.withLock { $0.databases[source] ?? source }
  }

  func schema(_ source: NotionID) -> DataSourceSchema? { state.withLock { $0.schemas[source] } }

  func keep(_ schema: DataSourceSchema) { state.withLock { $0.schemas[schema.id] = schema } }

  var people: NotionLookup.People? { state.withLock { $0.people } }

  /// Stores the people; an incomplete list only after the third failure.
  func keep(people: NotionLookup.People) {
    state.withLock { state in
      if people.fault != nil { state.peopleFaults += 1 }
      if people.fault == nil || state.peopleFaults >= 3 { state.people = people }
    }
  }

  /// Marks the people as being requested; returns `false` if they already are.
  func beginAskingForPeople() -> Bool {
    state.withLock { state in
      defer { state.isAskingForPeople = true }
      return !state.isAskingForPeople
    }
  }

  func endAskingForPeople() { state.withLock { $0.isAskingForPeople = false } }

  /// Whether a warning has not been given yet; marks it as given.
  func isFirstWarning(_ about: String) -> Bool {
    state.withLock { $0.warned.insert(about).inserted }
  }

  func wasWarned(_ about: String) -> Bool { state.withLock { $0.warned.contains(about) } }
}
