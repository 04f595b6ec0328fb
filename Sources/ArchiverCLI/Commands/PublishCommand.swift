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
    help: "Publish the sources' own records too: source.json and source.html.gz")
  private static let leaveOut = Option(
    "leave-out", .text, valueName: "NAME", isRepeatable: true, withoutVariable: Option.Reason.once,
    help: "Leave files and folders of items with this name out, such as versions")
  private static let publicURL = Option(
    "public-url", .url, valueName: "URL", environment: "ARCHIVER_PUBLISH_PUBLIC_URL",
    help: "Where visitors find it; --audit compares the first page there")
  private static let allowHTTP = Option(
    "allow-http", environment: "ARCHIVER_PUBLISH_ALLOW_HTTP",
    help: "Let a storage outside the local network be without encryption")
  private static let delete = Option(
    "delete", withoutVariable: Option.Reason.once,
    help: "Let more than a quarter of the files go at once")
  private static let audit = Option(
    "audit", withoutVariable: Option.Reason.once,
    help: "Compare what is there with what was put, and put again what is missing or different")
  private static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help: "Say what would be put, with bytes and requests; write nothing")

  static let command = Command(
    "publish", summary: "keep a folder or an S3 bucket like the archive, for visitors",
    discussion: [
      "TARGET is s3://BUCKET[/PREFIX], a bucket of any S3-compatible storage, or file:/DIR, a folder on "
        + "another disk or a network share; without it, the target of publish in the configuration "
        + "file, to which every run publishes afterwards. Files go there in an order in "
        + "which no page is seen that leads to what is not there: what is new first, then what "
        + "changed, and the first page last. What left the archive goes one run "
        + "later. A run that was cut off goes on where it was. While it copies no run changes the archive.",
      "What was put is remembered, for a bucket in the folder '.archiver' of the archive, so that only "
        + "what changed is written and nothing is asked: a night without news takes one request. Once "
        + "a week, and with --audit, the bucket is compared. '_archiver' in TARGET holds lock and "
        + "manifest. The folder '.archiver' of the archive stays "
        + "at home, and so do the sources' own records without --with-sources.",
      "Keys are taken from ARCHIVER_PUBLISH_ACCESS_KEY and ARCHIVER_PUBLISH_SECRET_KEY, from the file, or "
        + "from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; they are never printed.",
      "A place that is not empty and was not published before is refused. For other places, rclone "
        + "and restic copy an archive as any folder.",
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
        "Into a bucket of a storage that is not Amazon's."),
      Command.Example("archiver publish file:/mnt/nas/reading --dry-run", "What it would take."),
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
      invocation.environment.error.write("archiver: warning: \(DisplayText.line(warning))\n")
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
      throw UsageError(
        "say where to: TARGET is \(PublishPlace.forms)", helpPath: invocation.path)
    }
    guard let named = PublishPlace(target) else {
      throw UsageError(
        "TARGET is \(PublishPlace.forms), such as file:/srv/www/reading, not "
          + "'\(DisplayText.line(target))'", helpPath: invocation.path)
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
        (place.leaveOut ?? Array(Publisher.sourceRecords)) + arguments.texts(leaveOut)
    }
    if arguments.has(withSources) {
      let names = place.leaveOut ?? []
      place.leaveOut = names.filter { !Publisher.sourceRecords.contains($0) }
    }
    return place
  }
}
