import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver portal`.
enum PortalCommand {
  private static let language = Option(
    "language", .choice(Words.all.map { String($0.language.prefix { $0 != "-" }) }),
    valueName: "LANG",
    defaultText: "that of the configuration file, or en", help: "The language of the page")
  private static let maxAge = Option(
    "max-age", .duration, valueName: "TIME", defaultText: "3d",
    help: "A source whose last successful run is longer ago needs attention")

  static let command = Command(
    "portal", summary: "write a start page for several archives in a folder",
    discussion: [
      "Writes DIR/index.html, which lists the archives in the folders of DIR: the number and size "
        + "of their items, the day of the last successful run, their sources, and which of these "
        + "need attention. An archive may be a copy that 'archiver publish' keeps. The page is one "
        + "file without scripts and needs no network.",
      "Only index.html and library/status.js of each archive are read. Nothing in an archive is "
        + "changed, and runs may continue meanwhile. Folders that are not archives, and symbolic "
        + "links, which are not followed, are reported and left out; so are damaged archives, with "
        + "exit code 1. A file DIR/index.html that this command did not write is not replaced.",
    ],
    operands: [Command.Operand("DIR", .text, help: "The folder that contains the archives")],
    options: [language, maxAge, .config, .json, .quiet],
    examples: [
      Command.Example("archiver portal /srv/archives", "After the runs of several archives."),
      Command.Example("archiver portal /srv/www --language de", "A page in German."),
    ],
    exitCodes: [.success, .someFailed, .archive],
    meaningOfOne: "An archive is damaged or unreadable and not on the page.",
    confinement: .folder, action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let (arguments, environment) = (invocation.arguments, invocation.environment)
    let folder = environment.expanded(arguments.operands.first ?? "")
    let place = "\(folder)/\(Portal.path)"
    try requireFolder(folder, place)
    let portal: Portal
    do {
      portal = try Portal(reading: folder)
    } catch {
      throw StorageError(.notFound, "\(folder) cannot be listed", underlying: error)
    }
    let isComplete = report(portal.omissions, in: folder, invocation)
    guard !portal.archives.isEmpty else {
      throw StorageError(.notFound, "there is no archive in the folders of \(folder)")
    }
    let words = arguments.text(language).map(Words.of) ?? settings.words
    let age = arguments.duration(maxAge).map { $0 / .seconds(1) } ?? 3 * 86_400
    let limit = environment.clock.now().addingTimeInterval(-age)
    let isNew = try write(portal.page(words: words, limit: limit), to: place)
    if arguments.has(.json) {
      printLines(portal, limit, page: place, isNew: isNew, environment)
    } else if !arguments.has(.quiet) {
      let count = portal.archives.count { $0.level(limit) != .good }
      let verb = count == 1 ? "needs" : "need"
      let attention =
        count == 0 ? "" : ", \(Quantity.grouped(count)) of which \(verb) attention"
      environment.output.write(
        "\(place) lists \(Quantity.count(portal.archives.count, "archive"))\(attention)"
          + "\(isNew ? "" : "; nothing had changed").\n")
    }
    return isComplete ? .success : .someFailed
  }

  /// Refuses a folder that is missing or is itself an archive, and a page that archiver did not write.
  private static func requireFolder(_ folder: String, _ place: String) throws(UsageError) {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder else {
      throw UsageError("\(DisplayText.line(folder)): no such folder")
    }
    guard !Portal.isArchive(folder) else {
      throw UsageError(
        "\(DisplayText.line(folder)) is an archive; name the folder that contains archives")
    }
    guard Portal.mayReplacePage(in: folder) else {
      throw UsageError(
        "\(DisplayText.line(place)) is not a page of 'archiver portal'; move it away")
    }
  }

  /// Reports the folders that are left out; returns whether none of them is an archive.
  private static func report(
    _ omissions: [Portal.Omission], in folder: String, _ invocation: Invocation
  ) -> Bool {
    var isComplete = true
    for omission in omissions {
      let (reason, isFault) = text(omission, in: folder)
      if isFault { isComplete = false }
      if !isFault, invocation.arguments.has(.quiet) { continue }
      invocation.environment.complain(
        "left out: \(DisplayText.line(omission.name)): \(DisplayText.line(reason))")
    }
    return isComplete
  }

  /// Returns why a folder is left out, and whether it is an archive that should be on the page.
  private static func text(
    _ omission: Portal.Omission, in folder: String
  ) -> (text: String, isFault: Bool) {
    switch omission.reason {
    case .foreign: ("not an archive", false)
    case .link: ("a symbolic link, which is not followed", false)
    case .unreadable: ("it cannot be read", true)
    case .damaged(let file):
      (
        "\(file) is missing or damaged; 'archiver site --archive \(folder)/\(omission.name)' "
          + "rebuilds it", true
      )
    }
  }

  /// Writes the page; returns whether it changed.
  private static func write(_ page: [UInt8], to place: String) throws(StorageError) -> Bool {
    if FileManager.default.contents(atPath: place).map(Array.init) == page { return false }
    do throws(AtomicFile.Failure) {
      try AtomicFile.write(page, to: place, mode: 0o644)
    } catch {
      throw StorageError(.notWritable, "cannot be written: \(error.description)")
    }
    return true
  }

  private static func printLines(
    _ portal: Portal, _ limit: Date, page: String, isNew: Bool, _ environment: ProcessEnvironment
  ) {
    for archive in portal.archives {
      let line: JSONLine = [
        "event": "archive", "name": .string(archive.name), "items": .integer(archive.itemCount),
        "bytes": .integer(archive.byteCount), "updated": .time(archive.updated),
        "state": .string(archive.level(limit).rawValue),
      ]
      environment.output.write(line.text)
    }
    let line: JSONLine = [
      "event": "portal", "archives": .integer(portal.archives.count),
      "leftOut": .array(portal.omissions.map { .string($0.name) }), "isNew": .bool(isNew),
      "page": .string(page),
    ]
    environment.output.write(line.text)
  }
}
