import ArchiverCore

/// The kind of a source in the configuration whose program is not installed.
///
/// Its sources fail with the reason, and other sources run.
enum AbsentProgram {
  static func kind(_ name: String, known: [String]) -> SourceKind {
    let problem =
      "there is no program archiver-source-\(name); a source of another name needs a kind, one of "
      + known.joined(separator: ", ")
    let properties = AdapterProperties(
      title: name, summary: "A program that is not installed", settings: [])
    return SourceKind(name: name, properties: properties, problem: problem) { _ in
      SourceKind.Opening(access: nil) { _ in
        FailingSource(error: AdapterError(.configuration, problem))
      }
    }
  }
}
