import ArchiverCore
import ArchiverExport
import ArchiverTransport

/// The key `publish` of the configuration file: the target to which runs publish the archive.
struct PublishSettings: Sendable, Hashable {
  /// The keys, with an example and a description of each.
  static let documented: [(key: String, example: String, help: String)] = [
    ("target", "\"s3://my-bucket/reading\"", "Where to: s3://BUCKET[/PREFIX] or file:/DIR"),
    ("endpoint", "\"https://s3.example.org\"", "The address of the storage, unless it is Amazon's"),
    ("region", "\"eu-central-1\"", "The region of the bucket"),
    ("accessKey", "\"env:MY_KEY\"", "The access key, or where it is"),
    ("secretKey", "\"command:pass show s3\"", "The secret key, or where it is"),
    ("sessionToken", "\"env:MY_TOKEN\"", "The token of temporary keys, or where it is"),
    ("leaveOut", "[\"versions\"]", "Files and folders of items that are not published"),
    ("publicURL", "\"https://reading.example.org\"", "The address at which visitors find it"),
    ("allowHTTP", "true", "Whether the storage may be public and without encryption"),
  ]

  var target: String
  var endpoint: WebURL?
  var region: String?
  /// References to secrets, not the secrets.
  var accessKey: String?
  var secretKey: String?
  var sessionToken: String?
  var leaveOut: [String]?
  var publicURL: WebURL?
  var allowsHTTP = false

  init(target: String) { self.target = target }

  /// Parses the value of `publish`; throws a clause that describes the error.
  init(_ json: JSONValue) throws(Fault) {
    guard case .object(let members) = json else {
      throw Fault("takes an object: { target: \"s3://bucket\" }")
    }
    target = ""
    for key in members.keys.sorted() { try take(key, members[key] ?? .null) }
    guard !target.isEmpty else { throw Fault("needs a target: { target: \"s3://bucket\" }") }
  }

  /// The error in the value, as a clause.
  struct Fault: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  private mutating func take(_ key: String, _ value: JSONValue) throws(Fault) {
    switch key {
    case "target":
      target = try PublishSettings.text(key, value)
      guard PublishPlace(target) != nil else { throw Fault(".target takes \(PublishPlace.forms)") }
    case "endpoint": endpoint = try PublishSettings.url(key, value)
    case "region": region = try PublishSettings.text(key, value)
    case "accessKey": accessKey = try PublishSettings.text(key, value)
    case "secretKey": secretKey = try PublishSettings.text(key, value)
    case "sessionToken": sessionToken = try PublishSettings.text(key, value)
    case "publicURL": publicURL = try PublishSettings.url(key, value)
    case "leaveOut":
      guard let names = value.array, names.allSatisfy({ $0.string?.isEmpty == false }) else {
        throw Fault(".leaveOut takes a list of names: [\"source.json\"]")
      }
      leaveOut = names.compactMap(\.string)
    case "allowHTTP":
      guard case .bool(let flag) = value else { throw Fault(".allowHTTP takes true or false") }
      allowsHTTP = flag
    default:
      let hint = NearestName.hint(key, among: PublishSettings.documented.map(\.key))
      throw Fault(" has the unknown key '\(DisplayText.line(key))'\(hint)")
    }
  }

  private static func text(_ key: String, _ value: JSONValue) throws(Fault) -> String {
    guard let text = value.string, !text.isEmpty else {
      throw Fault(".\(key) takes a text in quotes")
    }
    return text
  }

  private static func url(_ key: String, _ value: JSONValue) throws(Fault) -> WebURL {
    guard let url = WebURL(try text(key, value)) else {
      throw Fault(".\(key) takes an http or https address")
    }
    return url
  }

  /// Whether a secret key is written in the file itself.
  var holdsLiteral: Bool { secrets.contains { $0.form == .literal } }

  /// Whether a command of the user's provides a key.
  var startsProgram: Bool { secrets.contains(where: \.isCommand) }

  private var secrets: [SecretReference] {
    [accessKey, secretKey, sessionToken].compactMap(\.self).map { SecretReference($0) }
  }
}

/// The place that an operand or a setting names.
enum PublishPlace: Sendable, Hashable {
  case folder(String)
  case bucket(name: String, prefix: String)

  static let forms = "s3://BUCKET[/PREFIX] or file:/DIR"

  /// Reads `s3://BUCKET/PREFIX` or a `file:` URL (RFC 8089); `nil` for anything else.
  init?(_ text: String) {
    if let (name, prefix) = S3Location.parts(text) {
      self = .bucket(name: name, prefix: prefix.split(separator: "/").joined(separator: "/"))
      return
    }
    var path = text
    for prefix in ["file:///", "file:/"] where text.hasPrefix(prefix) {
      path = "/" + text.dropFirst(prefix.utf8.count)
      break
    }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard text.hasPrefix("file:/"), path != "/", !path.hasPrefix("//") else { return nil }
    self = .folder(path)
  }
}
