import ArchiverCore
import Synchronization

/// What is found out about the server once and kept as long as the adapter lives.
final class ServerFacts: Sendable {
  private let api: ReadeckAPI
  private let known = Mutex<ServerVersion?>(nil)

  init(api: ReadeckAPI) {
    self.api = api
  }

  /// Returns the server's version; asks for it the first time.
  func version() async throws(AdapterError) -> ServerVersion {
    if let version = known.withLock({ $0 }) { return version }
    do throws(AdapterError) {
      let info: ServerInfo = try await api.value("info")
      // A version in a form we do not know is a later one.
      return keep(ServerVersion(info.version.canonical) ?? ServerVersion(.max, 0))
    } catch {
      switch error.code {
      // Before 0.20 there is no such page.
      case .notFound: return keep(.beforeInfo)
      // Nothing depends on it alone: the next request tells whether the server is there and takes
      // the token. The version is asked for again.
      case .malformed, .configuration, .unauthorized: return .beforeInfo
      case .unavailable where error.isAnswered: return .beforeInfo
      default: throw error
      }
    }
  }

  private func keep(_ version: ServerVersion) -> ServerVersion {
    known.withLock { $0 = version }
    return version
  }
}
