import ArchiverCore
import ArchiverExport
import ArchiverStorage

/// The exit code of the process.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  case someFailed = 1
  case usage = 2
  case source = 3
  case archive = 4
  case locked = 5
  case crashed = 70
  case interrupted = 130

  /// The meaning, for help and manual page.
  package var meaning: String {
    switch self {
    case .success: "Success."
    case .someFailed:
      "Finished, but some items failed, lack an essential part or could not be listed, a worse copy "
        + "was held back, a removal was refused, or some files are damaged."
    case .usage: "The command line or the configuration is wrong."
    case .source:
      "A source or the publishing target refused access or could not be reached; nothing is lost."
    case .archive: "The archive is not writable, full or damaged."
    case .locked: "Another run is using the archive."
    case .crashed:
      "The program crashed; archived items are intact, and the next run tries the current item "
        + "last."
    case .interrupted: "Interrupted; everything finished so far is kept."
    }
  }

  /// Returns the exit code for an error.
  package init(_ error: any Error) {
    switch error {
    case is CancellationError: self = .interrupted
    case is UsageError: self = .usage
    case let error as AdapterError: self = ExitCode(error.code)
    case let error as HTTPError: self = error.code == .cancelled ? .interrupted : .source
    case let error as PublishError: self = ExitCode(error.code)
    case let error as StorageError: self = error.code == .locked ? .locked : .archive
    default: self = .someFailed
    }
  }

  private init(_ code: PublishError.Code) {
    switch code {
    case .locked: self = .locked
    case .foreign, .tooManyDeletes: self = .usage
    case .file, .full: self = .archive
    case .unauthorized, .missing, .region, .clock, .unavailable, .refused: self = .source
    }
  }

  private init(_ code: AdapterError.Code) {
    switch code {
    case .cancelled: self = .interrupted
    case .configuration: self = .usage
    default: self = .source
    }
  }
}
