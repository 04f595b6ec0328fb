import ArchiverCore
import ArchiverExport
import ArchiverStorage

/// `archiver publish`.
enum PublishCommand {
  private static let endpoint = Option(
    "endpoint", .url, valueName: "URL", environment: "ARCHIVER_PUBLISH_ENDPOINT",
    defaultText: "Amazon's", help: "The address of an S3-compatible storage")
  private static let region = Option(
    "region", .text, valueName: "NAME", environment: "ARCHIVER_PUBLISH_REGION",
    defaultText: "us-east-1", help: "The region of the bucket")
  private static let withSources = Option(
    "with-sources", withoutVariable: Option.Reason.once,
    help: "Publish also what no page refers to: item.json, SHA256SUMS, and the sources' own records"
  )
  private static let leaveOut = Option(
    "leave-out", .text, valueName: "NAME", isRepeatable: true, withoutVariable: Option.Reason.once,
    help: "Publish no files or folders of items with this name, such as versions")
  private static let publicURL = Option(
    "public-url", .url, valueName: "URL", environment: "ARCHIVER_PUBLISH_PUBLIC_URL",
    help: "The public URL of the first page, which --audit compares")
  private static let allowHTTP = Option(
    "allow-http", environment: "ARCHIVER_PUBLISH_ALLOW_HTTP",
    help: "Allow http:// for a storage outside the local network")
  private static let delete = Option(
    "delete", withoutVariable: Option.Reason.once,
    help: "Allow removing more than a quarter of the files at once")
  private static let audit = Option(
    "audit", withoutVariable: Option.Reason.once,
    help: "Compare TARGET with what was published; publish again what is missing or different")
  private static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help: "Report what would be published, in bytes and requests; write nothing")

  static let command = Command(
    "publish", summary: "mirror the archive to a folder or an S3 bucket for visitors",
    discussion: [
      "TARGET is s3://BUCKET[/PREFIX], a bucket of any S3-compatible storage, or file:/DIR, a "
        + "folder on another disk or a network share. Without it, the target of 'publish' in the "
        + "configuration file is used, to which every run publishes at its end. Files are sent in "
        + "an order in which no published page links to a missing file: new files first, then "
        + "changed ones, the first page last. Files that left the archive are removed one run "
        + "later. An interrupted run resumes where it stopped. Meanwhile, no run changes the "
        + "archive.",
      "A journal, for buckets in the archive's folder '.archiver', records what was published, so "
        + "that only changes are sent: a run without changes takes two requests. Weekly, and with "
        + "--audit, the bucket is compared. The folder '_archiver' in TARGET has the lock and the "
        + "manifest. The folder '.archiver' of the archive is never published. What no page refers to is "
        + "published only with --with-sources: item.json, SHA256SUMS (the manifest has the checksums of "
        + "all objects), source.json and source.html.gz.",
      "The keys are those of ARCHIVER_PUBLISH_ACCESS_KEY and ARCHIVER_PUBLISH_SECRET_KEY, of the "
        + "configuration file, or of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. They are never "
        + "printed.",
      "A folder or bucket that is not empty and was not published before is refused. For other "
        + "targets, copy the archive with rclone or restic.",
    ],
    operands: [
      Command.Operand(
        "TARGET", .text, isOptional: true, help: "Where to: s3://BUCKET[/PREFIX] or file:/DIR")
    ],
    options: [
      endpoint, region, leaveOut, withSources, publicURL, allowHTTP, delete, audit, dryRun,
      .archive,
      .config, .json, .quiet,
    ],
    examples: [
      Command.Example("archiver publish file:/srv/www/reading", "For a web server."),
      Command.Example(
        "archiver publish s3://reading --endpoint https://s3.example.org --region eu-1",
        "To a bucket of another storage than Amazon's."),
      Command.Example("archiver publish file:/mnt/nas/reading --dry-run", "What it would publish."),
    ],
    exitCodes: [.success, .source, .archive, .locked, .interrupted],
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let arguments = invocation.arguments
    let place = try place(settings, invocation)
    try ExistingArchive.require(settings.archive, invocation)
    var work = PublishWork(settings: place, archive: settings.archive, invocation: invocation)
    work.isPreview = arguments.has(dryRun)
    work.deletesMany = arguments.has(delete)
    work.audits = arguments.has(audit)
    let outcome = try await work.perform()
    for warning in outcome.warnings {
      invocation.environment.complain("warning: \(DisplayText.line(warning))")
    }
    if arguments.has(.json) {
      invocation.environment.output.write(work.json(outcome).text)
    } else if !arguments.has(.quiet) {
      invocation.environment.output.write(work.line(outcome) + "\n")
    }
    return .success
  }

  /// Returns the settings: the file's, if it names the same target, and the options.
  private static func place(
    _ settings: RunSettings, _ invocation: Invocation
  ) throws(UsageError) -> PublishSettings {
    let arguments = invocation.arguments
    let file = settings.file?.publish
    guard let target = arguments.operands.first ?? file?.target else {
      throw invocation.misuse("TARGET is missing; it is \(PublishPlace.forms)")
    }
    guard let named = PublishPlace(target) else {
      throw invocation.misuse(
        "TARGET is \(PublishPlace.forms), such as file:/srv/www/reading, not "
          + "'\(DisplayText.line(target))'")
    }
    let isOfFile = file.map { PublishPlace($0.target) == named } ?? false
    var place = isOfFile ? file ?? PublishSettings(target: target) : PublishSettings(target: target)
    place.target = target
    if let url = arguments.text(endpoint) { place.endpoint = WebURL(url) }
    if let name = arguments.text(region) { place.region = name }
    if let url = arguments.text(publicURL) { place.publicURL = WebURL(url) }
    if arguments.has(allowHTTP) { place.allowsHTTP = true }
    if arguments.has(leaveOut) {
      place.leaveOut =
        (place.leaveOut ?? Array(Publisher.unreferenced)) + arguments.texts(leaveOut)
    }
    if arguments.has(withSources) {
      let names = place.leaveOut ?? []
      place.leaveOut = names.filter { !Publisher.unreferenced.contains($0) }
    }
    return place
  }
}
