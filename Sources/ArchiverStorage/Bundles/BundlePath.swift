/// The paths that a bundle may contain.
enum BundlePath {
  static let versions = "versions"
  static let page = "index.html"

  /// Checks the paths of a draft. They are made by the program, so a wrong one is a bug; it is
  /// refused here too, as paths decide where files are written.
  static func check(_ draft: BundleDraft) throws(StorageError) {
    var seen: Set<String> = []
    for file in draft.files {
      guard isAllowed(file.path) else {
        throw StorageError(.io, "\"\(file.path)\" is not allowed as a path in a bundle")
      }
      guard seen.insert(file.path).inserted else {
        throw StorageError(.io, "\"\(file.path)\" occurs twice in \(draft.item.folder)")
      }
    }
    let folder = draft.item.folder.pathComponents
    guard folder.count == 2, folder.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
      throw StorageError(.io, "\"\(draft.item.folder)\" is not allowed as a bundle's folder")
    }
  }

  static func isAllowed(_ path: String) -> Bool {
    guard path != ChecksumList.fileName, path.utf8.count <= 1024 else { return false }
    let components = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard let first = components.first, !first.elementsEqual(versions.utf8) else { return false }
    return components.allSatisfy { component in
      !component.isEmpty && component.first != UInt8(ascii: ".") && component.count <= 255
        && component.allSatisfy(isAllowed)
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}

extension String {
  /// The components between slashes, including empty ones. Split by bytes, as the system does: to
  /// Swift, a slash and a combining mark after it are one character.
  var pathComponents: [String] {
    utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

/// A path inside the archive, as a directory and a name in it.
struct BundlePlace {
  let parent: String
  let name: String

  /// Fails if a component of the path is `..` or otherwise invalid.
  init(_ path: String) throws(StorageError) {
    let components = path.pathComponents
    guard components.count >= 2, components.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
      throw StorageError(.io, "\"\(path)\" is not a path in a bundle")
    }
    parent = components.dropLast().joined(separator: "/")
    name = components[components.count - 1]
  }
}

extension BundleDraft {
  /// The bytes that are not in the pool.
  var inlineByteCount: Int {
    files.reduce(0) { sum, file in
      if case .bytes(let bytes) = file.content { sum + bytes.count } else { sum }
    }
  }

  /// The objects that the bundle uses besides those of its assets.
  var furtherObjects: [StoredObject] {
    let known = Set(assets.map(\.object))
    return files.compactMap { file in
      if case .object(let object) = file.content, !known.contains(object) { object } else { nil }
    }
  }
}
