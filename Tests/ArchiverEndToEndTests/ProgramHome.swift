import ArchiverCore
import ArchiverTestKit
import Testing

/// A home with programs installed as sources.
final class ProgramHome {
  let folder: String
  var environment: [String: String]

  /// Installs examples into a home that is removed afterwards.
  static func with(_ examples: [String], _ body: (ProgramHome) async throws -> Void) async throws {
    try await TemporaryFolder.with("programs") { folder in
      let home = ProgramHome(folder)
      let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
      for name in examples {
        let path = "\(root)/Scripts/examples/archiver-source-\(name)"
        try home.install(
          name, String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self))
      }
      try await body(home)
    }
  }

  /// A program with one item, for which it runs `action`.
  static func program(_ name: String, item action: String) -> String {
    """
    #!/bin/sh
    while IFS= read -r line; do
      case $line in
        *'"describe"'*) echo '{"type":"description","protocol":1,"kind":"\(name)","summary":"x"}' ;;
        *'"open"'*) echo '{"type":"ready"}' ;;
        *'"list"'*)
          echo '{"type":"page","references":[{"id":"1","revision":"1","title":"One"}]}'
          echo '{"type":"done"}' ;;
        *) \(action) ;;
      esac
    done
    """
  }

  private init(_ folder: String) {
    self.folder = folder
    environment = ["ARCHIVER_ARCHIVE": folder + "/archive"]
  }

  func install(_ name: String, _ program: String) throws {
    let sources = folder + "/.local/share/archiver/sources"
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try ProgramFile.write(program, to: "\(sources)/archiver-source-\(name)")
  }

  func configure(_ text: String) throws {
    let config = folder + "/config/archiver"
    try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
    try Data("{ \(text) }".utf8).write(to: URL(filePath: config + "/config.json5"))
  }

  func archiver(_ arguments: String...) async throws -> (
    code: Int32, output: String, error: String
  ) {
    try await Program.run(arguments, home: folder, environment: environment)
  }

  func run(
    _ source: String, _ options: String...
  ) async throws -> (code: Int32, summary: JSONValue) {
    let result = try await Program.run(
      ["run", "--source", source, "--json"] + options, home: folder, environment: environment)
    let last = result.output.split(separator: "\n").last.map(String.init) ?? "null"
    return (result.code, try JSONDecoder().decode(JSONValue.self, from: Data(last.utf8)))
  }

  func text(_ path: String) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(filePath: "\(folder)/archive/\(path)")), as: UTF8.self)
  }

  func bundles(_ source: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/archive/\(source)")
  }

  /// The page of the item whose title is this.
  func page(of source: String, containing title: String) throws -> String {
    let pages = try bundles(source).map { try text("\(source)/\($0)/index.html") }
    return try #require(pages.first { $0.contains("<title>\(title)") }, "no page \(title)")
  }
}
