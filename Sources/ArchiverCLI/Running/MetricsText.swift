import ArchiverCore
import ArchiverStorage

/// Metrics in the text format of Prometheus, for the textfile collector of its node exporter.
///
/// Gauges only, in base units and without time stamps, as that collector requires. It accepts the same metric from
/// several files only if the labels differ.
enum MetricsText {
  /// All metrics with their descriptions, for the documentation.
  static let documented: [(name: String, help: String)] = [
    (
      "archiver_build_info",
      "Version, commit and date of the program that wrote this file; always 1"
    ),
    ("archiver_run_end_timestamp_seconds", "When the last run ended, in seconds since 1970"),
    ("archiver_run_duration_seconds", "How long the last run took"),
    ("archiver_run_exit_code", "Exit code of the last run; 0 on success"),
    ("archiver_source_success_timestamp_seconds", "When a run last reached the source"),
    ("archiver_source_items", "Items archived"),
    ("archiver_source_size_bytes", "Size of the source's bundles"),
    ("archiver_source_waiting_items", "Items queued for a run"),
    (
      "archiver_source_failing_items",
      "Items that failed and were not archived since, those given up included"
    ),
    (
      "archiver_source_incomplete_items",
      "Items that lack an image or another non-essential part for now"
    ),
    ("archiver_source_run_archived_items", "Items that the last run archived"),
    ("archiver_source_run_failed_items", "Items that failed in the last run"),
    ("archiver_source_run_images", "Images in the bundles that the last run wrote"),
    ("archiver_source_run_missing_images", "Images that the last run could not fetch"),
    ("archiver_source_run_received_bytes", "Bytes that the last run received for items"),
  ]

  static func text(
    _ ending: RunAnnouncer.Ending, statuses: [SourceStatus], version: ProgramVersion, started: Date,
    now: Date, archive: String? = nil
  ) -> String {
    var values: [String: [(labels: [(String, String)], value: String)]] = [:]
    func add(_ name: String, _ value: String?, _ labels: [(String, String)] = []) {
      let own = archive.map { [("archive", $0)] } ?? []
      if let value { values[name, default: []].append((own + labels, value)) }
    }
    let build = [("version", version.number), ("commit", version.commit), ("date", version.date)]
    add("archiver_build_info", "1", build.filter { !$0.1.isEmpty })
    add("archiver_run_end_timestamp_seconds", seconds(now))
    add("archiver_run_duration_seconds", number(now.timeIntervalSince(started)))
    add("archiver_run_exit_code", String(ending.code.rawValue))
    for status in statuses {
      let labels = [("source", status.source), ("kind", status.kind)]
      let run = status.lastRun
      add("archiver_source_success_timestamp_seconds", status.lastSuccess.map(seconds), labels)
      for (name, value) in [
        ("items", status.itemCount), ("size_bytes", status.byteCount),
        ("waiting_items", status.waiting), ("failing_items", status.failing),
        ("incomplete_items", status.incomplete),
        ("run_archived_items", run?.archived), ("run_failed_items", run?.failed),
        ("run_images", run?.images), ("run_missing_images", run?.imagesMissing),
        ("run_received_bytes", run?.byteCount),
      ] {
        add("archiver_source_\(name)", value.map { String($0) }, labels)
      }
    }
    return documented.reduce(into: "") { text, metric in
      guard let samples = values[metric.name] else { return }
      text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) gauge\n"
      for sample in samples { text += metric.name + labels(sample.labels) + " \(sample.value)\n" }
    }
  }

  private static func labels(_ labels: [(String, String)]) -> String {
    if labels.isEmpty { return "" }
    return "{" + labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",") + "}"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
  }

  private static func seconds(_ date: Date) -> String { number(date.timeIntervalSince1970) }

  private static func number(_ value: Double) -> String {
    String((value * 1000).rounded() / 1000)
  }
}
