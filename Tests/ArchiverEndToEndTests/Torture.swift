import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

/// Shared parts of the torture tests: their duration, and the printed table.
enum Torture {
  /// Whether `Scripts/torture --long` asked for everything.
  static let isLong = ProcessInfo.processInfo.environment["ARCHIVER_TORTURE"] == "long"

  /// The sources whose faults are tried.
  static let sources = BuiltInSource.allCases.filter {
    $0.rawValue == ProcessInfo.processInfo.environment["ARCHIVER_TORTURE_SOURCE"] ?? $0.rawValue
  }

  /// Prints rows with aligned columns.
  static func table(_ title: String, _ rows: [[String]]) {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    var text = "\n\(title)\n"
    for row in rows {
      let cells = row.enumerated().map { index, cell in
        cell + String(repeating: " ", count: widths[index] - cell.count)
      }
      text += "  " + cells.joined(separator: "  ") + "\n"
    }
    print(text)
  }

  static func seconds(_ duration: Duration) -> String {
    "\(Double(Int(duration / .milliseconds(10))) / 100) s"
  }
}

extension Stage {
  /// Runs `archiver` with any words.
  func archiver(
    _ words: String..., variables: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    try await Program.run(
      words, home: home, environment: environment.merging(variables) { _, new in new })
  }

  /// The folders of bundles, none when there is no archive yet.
  func bundlesIfAny() -> [String] {
    // Before the first publication there is no folder to list.
    (try? bundles()) ?? []
  }
}
