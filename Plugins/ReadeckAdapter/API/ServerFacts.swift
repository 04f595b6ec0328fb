import ArchiverCore
import Synchronization

/// Facts about the server, requested once and kept as long as the adapter exists.
final class ServerFacts: Sendable {
  private let api: ReadeckAPI
  private let known = Mutex<ServerVersion?>(nil)

  init(api: ReadeckAPI) {
    self.api = api
  }

  /// Returns the server's version; requests it the first time.
  func version() async throws(AdapterError) -> ServerVersion {
    if let version = known.withLock({ $0 }) { return version }
    do throws(AdapterError) {
      let info: ServerInfo = try await api.value("info")
      // A version in an unknown form is assumed to be a later one.
      return keep(ServerVersion(info.version.canonical) ?? ServerVersion(.max, 0))
    } catch {
      switch error.code {
      // Versions before 0.20 do not have this endpoint.
      case .notFound: return keep(.beforeInfo)
      // The oldest version is assumed, but not kept: the next request shows whether the server is
      // reachable and accepts the token.
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
