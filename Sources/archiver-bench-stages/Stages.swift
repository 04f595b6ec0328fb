import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Runs one pure stage of the pipeline over synthetic input, for counting its instructions.
///
///     archiver-bench-stages STAGE [REPEATS]
///     archiver-bench-stages book EPUB FOLDER
///
/// `book` converts a book to pages in a new folder and prints their number.
///
/// Prints bytes of input, repeats and the processor time of the repeats in seconds; `none` does all
/// but the stage, so that its count can be taken off.
@main
struct Stages {
  static func main() throws {
    let arguments = CommandLine.arguments
    let name = arguments.count > 1 ? arguments[1] : ""
    if name == "book", arguments.count == 4 {
      print(try BookFolder.convert(arguments[2], to: arguments[3]))
      return
    }
    guard let stage = Stage(rawValue: name) else {
      print("stages: \(Stage.allCases.map(\.rawValue).joined(separator: " "))")
      exit(name.isEmpty ? 0 : 2)
    }
    let repeats = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1
    let input = try StageInput()
    let start = clock()
    var sum = 0
    for _ in 0..<repeats { sum &+= try stage.run(input) }
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    print("\(stage.byteCount(input)) \(repeats) \(seconds) \(sum)")
  }
}

/// What can be measured alone.
enum Stage: String, CaseIterable {
  case none, parse, sanitise, extract, scan, rewrite, digest, page, address

  func byteCount(_ input: StageInput) -> Int {
    switch self {
    case .none: 0
    case .parse, .sanitise: input.article.count
    case .extract, .rewrite, .page: input.clean.bytes.count
    case .scan, .digest: input.words.count
    case .address: input.addresses.reduce(0) { $0 + $1.utf8.count }
    }
  }

  /// Does the work once; the result depends on all of it, so that none is left out.
  func run(_ input: StageInput) throws -> Int {
    switch self {
    case .none:
      return 0
    case .parse:
      return try HTMLSanitizer.nodeCount(of: input.article)
    case .sanitise:
      return try HTMLSanitizer().sanitize(input.article, baseURL: input.base).bytes.count
    case .extract:
      return ImageExtractor.references(in: input.clean.bytes).slots.count
    case .scan:
      return ImageExtractor.references(in: input.words).slots.count
    case .rewrite:
      return ImageRewriter.rewrite(input.clean.bytes, slots: input.slots) {
        .local(path: "assets/\($0).jpg", width: 640, height: 480)
      }.count
    case .digest:
      return Digest.sha256Hex(input.words).utf8.count
    case .page:
      return ReadingPage.render(input.content).count
    case .address:
      return input.addresses.reduce(0) {
        $0 + (input.base?.resolving($1)?.withoutFragment.path.utf8.count ?? 0)
      }
    }
  }
}
