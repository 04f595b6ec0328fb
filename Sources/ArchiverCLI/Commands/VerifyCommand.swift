import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver verify`.
enum VerifyCommand {
  static let command = Command(
    "verify", summary: "check the archive against its checksums",
    discussion: [
      "Looks for missing, damaged or foreign files and for broken links between pages, and "
        + "compares the folder with the catalog. An incomplete library and items that failed or lack an essential part "
        + "count as problems; unused files of the object pool do not. Changes nothing unless --repair is "
        + "given: then it fetches damaged items from their sources again and reports the "
        + "remaining problems."
    ],
    options: [.readData, .repair, .archive, .config, .json],
    examples: [
      Command.Example("archiver verify", "Reads every file."),
      Command.Example(
        "archiver verify --read-data 5", "Reads a random twentieth of the files."),
    ],
    exitCodes: [.success, .someFailed, .archive, .interrupted],
    confinement: .asking(
      { _ in .change },
      { settings, arguments in arguments.has(.repair) ? settings.configured : [] },
      isAsking: { $0.has(.repair) }), action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(
      invocation, programs: invocation.arguments.has(.repair) ? .described : .named)
    let percent = invocation.arguments.integer(.readData) ?? 100
    let folder = invocation.environment.abbreviated(settings.archive)
    guard try invocation.services.catalog(settings.archive) != nil else {
      throw StorageError(.notFound, "there is no archive in \(folder)")
    }
    if invocation.arguments.has(.repair) { try await VerifyRepair.carryOut(invocation, settings) }
    let findings = try await invocation.services.verify(settings.archive, percent)
    if invocation.arguments.has(.json) {
      printJSON(findings, invocation.environment.output)
    } else {
      printText(
        findings, folder: folder, percent: percent, isRepaired: invocation.arguments.has(.repair),
        invocation.environment.output, invocation.environment.wording)
    }
    return findings.problemCount == 0 ? .success : .someFailed
  }

  private static func printText(
    _ findings: Services.Findings, folder: String, percent: Int, isRepaired: Bool,
    _ output: any TextOutput, _ wording: Wording
  ) {
    for problem in findings.problems {
      let sentence = DisplayText.line(problem.sentence(in: wording))
      output.write("\(DisplayText.line(problem.path)): \(sentence)\n")
    }
    var checked = [
      wording.count(findings.bundles, .bundle, .bundles),
      wording.count(findings.files, .file, .files), wording.bytes(findings.bytes),
    ]
    if percent != 100 { checked.append(wording.text(.share, String(percent))) }
    let words = checked.joined(separator: ", ")
    let count = findings.problemCount
    output.write(
      (count == 0
        ? wording.text(.noProblem, folder, words)
        : wording.text(
          .problemsFound, wording.count(count, .problem, .problems), folder, words)) + "\n")
    let unknown = findings.problems.count {
      $0.kind == VerificationProblem.Kind.notInCatalog.rawValue
    }
    if findings.lacking > 0 {
      let items = wording.count(findings.lacking, .item, .items)
      output.write(
        wording.text(findings.lacking == 1 ? .lacksEssential : .lackEssential, items) + "\n")
    }
    if findings.failed > 0 {
      output.write(
        wording.text(.couldNotBeArchived, wording.count(findings.failed, .item, .items)) + "\n")
    }
    for line in findings.library.lines(in: wording) { output.write(line + "\n") }
    if findings.unused.objects > 0 {
      let files = wording.count(findings.unused.objects, .file, .files)
      output.write(
        wording.text(.unusedFiles, files, wording.bytes(findings.unused.byteCount)) + "\n")
    }
    if findings.problems.count > unknown, !isRepaired {
      output.write(wording.text(.tryRepair) + "\n")
    }
    if unknown > 0 { output.write(wording.text(.tryRepairCatalog) + "\n") }
  }

  private static func printJSON(_ findings: Services.Findings, _ output: any TextOutput) {
    for problem in findings.problems {
      let line: JSONLine = [
        "event": "problem", "kind": .string(problem.kind), "path": .string(problem.path),
        "message": .string(problem.sentence(in: .english)),
      ]
      output.write(line.text)
    }
    for line in findings.library.lines(in: .english) {
      let line: JSONLine = [
        "event": "problem", "kind": "library", "path": "library", "message": .string(line),
      ]
      output.write(line.text)
    }
    let line: JSONLine = [
      "event": "verified", "bundles": .integer(findings.bundles), "files": .integer(findings.files),
      "bytes": .integer(findings.bytes), "problems": .integer(findings.problems.count),
      "lacking": .integer(findings.lacking), "failed": .integer(findings.failed),
      "unusedFiles": .integer(findings.unused.objects),
      "unusedBytes": .integer(findings.unused.byteCount),
    ]
    output.write(line.text)
  }
}

extension Services.Findings {
  /// The number of problems and of items that are not in order.
  fileprivate var problemCount: Int {
    problems.count + lacking + failed + library.troubles.count + (library.failure == nil ? 0 : 1)
  }
}
