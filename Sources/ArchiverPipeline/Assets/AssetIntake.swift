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
    let prefix = sink.prefix(AssetKind.prefixLength)
    let kind = AssetKind(
      prefix: prefix, content: request.content, mediaType: response.mediaType)
    if let outcome = acceptBook(sink, prefix, kind, response: response, request: request) {
      return outcome
    }
    switch kind {
    case .refused(let reason):
      sink.discard()
      // A login page in place of a file may be transient.
      return .failed(
        AssetFailure(reason, isTransient: request.isFile, cause: .wrongKind))
    case .unexpected(let reason, let mediaType):
      do throws(StorageError) {
        return .failed(unexpected(reason, try sink.finish(), mediaType, request))
      } catch {
        return .failed(AssetFailure(error))
      }
    case .image(let format):
      // A JPEG may begin with a thumbnail.
      let size =
        PixelSize(format: format, prefix: prefix)
        ?? (format == .jpeg ? PixelSize(format: format, prefix: sink.prefix()) : nil)
      return store(response: response, request: request, mediaType: format.mediaType, size: size) {
        () throws(StorageError) in try sink.finish()
      }
    case .file(let mediaType):
      let isWhole = FileMagic.isFictionBook(prefix, mediaType)
      do throws(StorageError) {
        let object = try sink.finish()
        let type =
          isWhole
          ? FictionBook.keptType(try pool.read(object))
          : request.isBook ? try bookType(of: object, prefix, mediaType) : mediaType
        return store(response: response, request: request, mediaType: type, size: nil) { object }
      } catch {
        return .failed(AssetFailure(error))
      }
    case .svg:
      return acceptSVG(sink, response: response, request: request)
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
    switch ArchivedBook(path: try pool.readablePath(of: object), isZip: isZip) {
    case .epub: return FileSignature.epub
    case .fictionBook: return FictionBook.zippedType
    case .comic: return archive
    case .packed: return FileSignature.packedType(archive)
    case nil: return mediaType
    }
  }

  /// Stores a file that begins with other bytes than a ZIP archive and contains a book: a program that unpacks
  /// it, or a message of the server. `nil` for other files.
  private func acceptBook(
    _ sink: ObjectSink, _ prefix: [UInt8], _ kind: AssetKind, response: HTTPResponse,
    request: AssetRequest
  ) -> AssetOutcome? {
    guard request.isBook, case .file(let expected?) = request.content,
      FileSignature.isZip(expected)
    else { return nil }
    switch kind {
    case .unexpected: break
    case .refused where FileSignature.hasEntry(prefix): break
    default: return nil
    }
    do throws(StorageError) {
      let object = try sink.finish()
      let path = try pool.readablePath(of: object)
      guard let book = ArchivedBook(path: path, isZip: true) else {
        guard case .unexpected(let reason, let mediaType) = kind else { return nil }
        return .failed(unexpected(reason, object, mediaType, request))
      }
      let type =
        switch book {
        case .epub: FileSignature.epub
        case .fictionBook: FictionBook.zippedType
        case .comic: FileSignature.comicZip
        case .packed: FileSignature.packedType(FileSignature.comicZip)
        }
      return store(response: response, request: request, mediaType: type, size: nil) { object }
    } catch {
      return .failed(AssetFailure(error))
    }
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
  private func acceptSVG(
    _ sink: ObjectSink, response: HTTPResponse, request: AssetRequest
  ) -> AssetOutcome {
    let limit = 8_000_000
    do {
      let object = try sink.finish()
      guard object.byteCount <= limit else {
        return .failed(
          AssetFailure(
            "the SVG image is too large \(Limit.fixed(bytes: limit))", isTransient: false))
      }
      let bytes = try pool.read(object)
      guard let clean = SVGSanitizer.sanitize(bytes) else {
        return .failed(AssetFailure("the SVG image could not be sanitised", isTransient: false))
      }
      return store(response: response, request: request, mediaType: "image/svg+xml", size: nil) {
        () throws(StorageError) in try pool.store(clean)
      }
    } catch {
      return .failed(AssetFailure(error))
    }
  }

  private func store(
    response: HTTPResponse, request: AssetRequest, mediaType: String, size: PixelSize?,
    _ finish: () throws(StorageError) -> StoredObject
  ) -> AssetOutcome {
    do throws(StorageError) {
      let asset = CachedAsset(
        url: request.cacheKey, object: try finish(), mediaType: mediaType, width: size?.width,
        height: size?.height, etag: response.headers["ETag"],
        lastModified: response.headers["Last-Modified"],
        freshUntil: Freshness.end(response.headers, now: clock.now()))
      return .stored(asset, bytes: response.byteCount)
    } catch {
      return .failed(AssetFailure(error))
    }
  }
}
