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
    let version = try await ask()
    known.withLock { $0 = version }
    return version
  }

  private func ask() async throws(AdapterError) -> ServerVersion {
    do throws(AdapterError) {
      let info: ServerInfo = try await api.value("info")
      // A version in a form we do not know is a later one.
      return ServerVersion(info.version.canonical) ?? ServerVersion(.max, 0)
    } catch {
      switch error.code {
      // Before 0.20 there is no such page, and what stands for it is 404, a web page or the way
      // to the login. A wrong address looks the same and shows itself with the next request.
      case .notFound, .malformed, .configuration: return .beforeInfo
      default: throw error
      }
    }
  }
}
