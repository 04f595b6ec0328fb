import ArchiverCore
import ArchiverEPUB
import ArchiverMarkup
import ArchiverStorage

/// Decides what a response's body is, and stores it in the pool.
struct AssetIntake {
  let pool: ObjectPool
  let clock: ArchiverClock

  /// Returns the stored file, or why what was received is not what was requested.
  func accept(
    _ sink: ObjectSink, response: HTTPResponse, request: AssetRequest
  ) -> AssetOutcome {
    do throws(StorageError) {
      return try accepted(sink, response, request)
    } catch {
      return .failed(AssetFailure(error))
    }
  }

  private func accepted(
    _ sink: ObjectSink, _ response: HTTPResponse, _ request: AssetRequest
  ) throws(StorageError) -> AssetOutcome {
    let prefix = sink.prefix(AssetKind.prefixLength)
    let kind = AssetKind(
      prefix: prefix, content: request.content, mediaType: response.mediaType)
    if let outcome = try acceptedBook(sink, prefix, kind, response, request) { return outcome }
    switch kind {
    case .refused(let reason):
      sink.discard()
      // A login page in place of a file may be transient.
      return .failed(
        AssetFailure(reason, isTransient: request.isFile, cause: .wrongKind))
    case .unexpected(let reason, let mediaType):
      return .failed(unexpected(reason, try sink.finish(), mediaType, request))
    case .image(let format):
      // A JPEG may begin with a thumbnail, after which its size is further on.
      let size =
        PixelSize(format: format, prefix: prefix)
        ?? PixelSize(format: format, prefix: sink.prefix())
      return stored(try sink.finish(), format.mediaType, size: size, response, request)
    case .file(let mediaType):
      let object = try sink.finish()
      let type =
        FileMagic.isFictionBook(prefix, mediaType)
        ? FictionBook.keptType(try pool.read(object))
        : request.isBook ? try bookType(of: object, prefix, mediaType) : mediaType
      return stored(object, type, response, request)
    case .svg:
      return try acceptedSVG(sink, response, request)
    }
  }

  /// Returns the type of a book by the files in its archive; the declared type for other books, and for
  /// archives that may be anything.
  private func bookType(
    of object: StoredObject, _ prefix: [UInt8], _ mediaType: String
  ) throws(StorageError) -> String {
    if FileSignature.isEPUB(prefix) { return FileSignature.epub }
    guard let archive = FileSignature.archive(prefix) else { return mediaType }
    let isZip = archive == FileSignature.comicZip
    let book = ArchivedBook(path: pool.path(of: object), isZip: isZip)
    return book.map { bookType($0, in: archive) } ?? mediaType
  }

  /// Returns the type of a book in an archive; `archive` is the type of comics in such archives.
  private func bookType(_ book: ArchivedBook, in archive: String) -> String {
    switch book {
    case .epub: FileSignature.epub
    case .fictionBook: FictionBook.zippedType
    case .comic: archive
    case .packed: FileSignature.packedType(archive)
    }
  }

  /// Stores a file that begins with other bytes than a ZIP archive and contains a book: a program that unpacks
  /// it, or a message of the server. `nil` for other files.
  private func acceptedBook(
    _ sink: ObjectSink, _ prefix: [UInt8], _ kind: AssetKind, _ response: HTTPResponse,
    _ request: AssetRequest
  ) throws(StorageError) -> AssetOutcome? {
    guard request.isBook, case .file(let expected?) = request.content,
      FileSignature.isZip(expected)
    else { return nil }
    switch kind {
    case .unexpected: break
    case .refused where FileSignature.hasEntry(prefix): break
    default: return nil
    }
    let object = try sink.finish()
    let path = pool.path(of: object)
    guard let book = ArchivedBook(path: path, isZip: true) else {
      guard case .unexpected(let reason, let mediaType) = kind else { return nil }
      return .failed(unexpected(reason, object, mediaType, request))
    }
    return stored(object, bookType(book, in: FileSignature.comicZip), response, request)
  }

  private func unexpected(
    _ reason: String, _ object: StoredObject, _ mediaType: String, _ request: AssetRequest
  ) -> AssetFailure {
    var failure = AssetFailure(reason, isTransient: request.isFile, cause: .wrongKind)
    failure.received = CachedAsset(
      url: "", object: object, mediaType: mediaType, width: nil, height: nil)
    return failure
  }

  /// Stores an SVG image in its sanitised form only.
  private func acceptedSVG(
    _ sink: ObjectSink, _ response: HTTPResponse, _ request: AssetRequest
  ) throws(StorageError) -> AssetOutcome {
    let limit = 8_000_000
    let object = try sink.finish()
    guard object.byteCount <= limit else {
      return .failed(
        AssetFailure(
          "the SVG image is too large \(Limit.fixed(bytes: limit))", isTransient: false))
    }
    guard let clean = SVGSanitizer.sanitize(try pool.read(object)) else {
      return .failed(AssetFailure("the SVG image could not be sanitised", isTransient: false))
    }
    return stored(try pool.store(clean), "image/svg+xml", response, request)
  }

  private func stored(
    _ object: StoredObject, _ mediaType: String, size: PixelSize? = nil,
    _ response: HTTPResponse, _ request: AssetRequest
  ) -> AssetOutcome {
    let asset = CachedAsset(
      url: request.cacheKey, object: object, mediaType: mediaType, width: size?.width,
      height: size?.height, etag: response.headers["ETag"],
      lastModified: response.headers["Last-Modified"],
      freshUntil: Freshness.end(response.headers, now: clock.now()))
    return .stored(asset, bytes: response.byteCount)
  }
}
