import ArchiverCLI
import Synchronization

/// Records what is written.
final class MemoryOutput: TextOutput {
  private let written = Mutex<[String]>([])
  let isTerminal: Bool
  let columns: Int?
  let failure: String?
  let isClosed: Bool

  init(
    isTerminal: Bool = false, columns: Int? = nil, failure: String? = nil, isClosed: Bool = false
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.failure = failure
    self.isClosed = isClosed
  }

  func write(_ text: String) { written.withLock { $0.append(text) } }

  /// Each call of `write`.
  var writes: [String] { written.withLock { $0 } }

  var text: String { writes.joined() }

  var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Returns a prepared response.
struct PreparedInput: TextInput {
  var text = ""
  var isTerminal = false

  func readAll() -> String { text }
  func readLine(isHidden: Bool) -> String? { text.isEmpty ? nil : text }
}
