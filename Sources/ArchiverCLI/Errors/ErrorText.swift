import ArchiverCore
import ArchiverStorage

/// Errors as sentences for people.
enum ErrorText {
  static func message(_ error: any Error) -> String {
    switch error {
    case is CancellationError: "interrupted; everything finished so far is kept"
    case let error as UsageError: error.description
    case let error as AdapterError: error.message
    case let error as HTTPError: error.message
    case let error as StorageError where error.code == .full:
      error.message + "; free some space, for example with 'archiver cleanup'"
    case let error as StorageError: error.message
    default: String(describing: error)
    }
  }
}
