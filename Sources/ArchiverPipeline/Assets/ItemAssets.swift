import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// The images and files of one item: the outcome of each, and its path in the bundle.
struct ItemAssets: Sendable {
  /// A file of the bundle.
  struct LocalFile: Sendable, Hashable {
    /// The path relative to the bundle: `assets/1f0c…9a.jpg`.
    let path: String
    let asset: CachedAsset

    /// - Parameter keepsName: Whether the file may keep its name, which is unique in the bundle.
    init(_ asset: CachedAsset, name: String? = nil, keepsName: Bool = false) {
      self.asset = asset
      path =
        keepsName
        ? ItemAssets.keptPath(asset.mediaType, name)
          ?? ItemAssets.path(asset.object, mediaType: asset.mediaType, name: name)
        : ItemAssets.path(asset.object, mediaType: asset.mediaType, name: name)
    }

    /// A file that the server sent instead of another.
    init(unexpected asset: CachedAsset) {
      self.asset = asset
      let path = ItemAssets.path(asset.object, mediaType: asset.mediaType, name: nil)
      self.path = LocalFile.unexpectedFolder + String(path.drop { $0 != "/" }.dropFirst())
    }

    static let unexpectedFolder = "unexpected/"

    /// Whether the server sent it instead of another file, which counts as missing.
    var isUnexpected: Bool { path.hasPrefix(LocalFile.unexpectedFolder) }
    var object: StoredObject { asset.object }
    var mediaType: String { asset.mediaType }
    var isShownEverywhere: Bool { asset.isShownEverywhere }
    var width: Int? { asset.width }
    var height: Int? { asset.height }
  }

  struct Missing: Sendable, Hashable {
    let url: String
    let reason: String
    let isTransient: Bool
    let kind: MissingPart.Kind
    /// See `MissingPart.isEssential`.
    let isEssential: Bool
    /// Whether the server was unreachable.
    let isUnreached: Bool
    /// See `AssetFailure.Cause.cut`.
    let isCut: Bool
    /// The URL as catalog and records store it.
    let address: String

    var part: MissingPart {
      MissingPart(
        kind, name: url, reason: reason, isPermanent: !isTransient, isEssential: isEssential)
    }
  }

  typealias Outcome = Result<LocalFile, AssetFailure>

  /// The outcome of each image slot of the body, in order.
  var slots: [Outcome]
  /// The outcome of each attachment, in order.
  var attachments: [Outcome]
  /// The assets that URLs returned, to be recorded in the catalog.
  var cached: [CachedAsset] = []
  var missing: [Missing] = []
  /// Whether what was cut counts as unreached.
  var countsCuts = false
  /// The number of bytes received.
  var byteCount = 0
  /// The first URL of each slot and the URL of each attachment, as the catalog stores them; empty
  /// if there is none.
  var slotAddresses: [String] = []
  var attachmentAddresses: [String] = []

  /// Every file once, sorted by path.
  var files: [LocalFile] {
    var seen = Set<String>()
    var files: [LocalFile] = []
    for case .success(let file) in slots + attachments where seen.insert(file.path).inserted {
      files.append(file)
    }
    return files.sorted { $0.path < $1.path }
  }

  /// The files as records have them, each with all URLs that returned it.
  var records: [ItemRecord.Asset] {
    var urls: [String: Set<String>] = [:]
    for case .success(let file) in slots + attachments {
      urls[file.path, default: []].insert(file.asset.url)
    }
    return files.map { file in
      var record = ItemRecord.Asset(path: file.path, asset: file.asset)
      let others = (urls[file.path] ?? []).subtracting([file.asset.url, ""]).sorted()
      record.urls = others.isEmpty ? nil : others
      return record
    }
  }

  /// Returns the fetched files that are what they were requested as.
  func localFiles(in wanted: [Attachment]) -> [(attachment: Attachment, file: LocalFile)] {
    zip(wanted, attachments).compactMap { attachment, result in
      guard attachment.role == .file, case .success(let file) = result, !file.isUnexpected else {
        return nil
      }
      return (attachment: attachment, file: file)
    }
  }

  /// Returns the first of these of a type.
  func file(of mediaType: String, in wanted: [Attachment]) -> LocalFile? {
    localFiles(in: wanted).first { $0.file.mediaType == mediaType }?.file
  }

  /// The URLs of images that turned out to be tracking pixels, each once.
  var pixels: [String] {
    Set(
      zip(slots, slotAddresses).compactMap { slot, address in
        if case .failure(let failure) = slot, failure.cause == .pixel { address } else { nil }
      }
    ).subtracting([""]).sorted()
  }

  /// Whether a presigned URL was refused.
  var hasExpired: Bool {
    [slots, attachments].contains { results in
      results.contains { result in
        if case .failure(let failure) = result { failure.isExpired } else { false }
      }
    }
  }

  /// Whether essential parts are missing only because the server was unreachable.
  var isUnreached: Bool {
    let essential = missing.filter(\.isEssential)
    return !essential.isEmpty && essential.allSatisfy { $0.isUnreached || countsCuts && $0.isCut }
  }

  /// A failure of the archive, which ends the run.
  var storageError: StorageError? {
    for results in [slots, attachments] {
      for case .failure(let failure) in results where failure.storage != nil {
        return failure.storage
      }
    }
    return nil
  }
}

extension ItemAssets {
  /// Returns the path of a table or record under its own name; `nil` for other types, and for names
  /// with anything but a few small letters, digits and hyphens.
  static func keptPath(_ mediaType: String, _ name: String?) -> String? {
    let endings = ["text/csv": ".csv", "application/json": ".json"]
    guard let name, let ending = endings[mediaType], name.hasSuffix(ending) else { return nil }
    let stem = name.dropLast(ending.count)
    guard (5...40).contains(stem.utf8.count), stem.first?.isLetter == true,
      stem.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      })
    else { return nil }
    return "assets/\(name)"
  }

  /// Returns the path of a file in its bundle: derived from its content, never from its origin.
  static func path(_ object: StoredObject, mediaType: String, name: String?) -> String {
    let ending =
      ImageFormat(mediaType: mediaType)?.fileExtension
      ?? FileExtension.of(
        mediaType: mediaType, name: name)
    return "assets/\(object.sha256.prefix(16)).\(ending)"
  }
}
