import ArchiverCore
import CZip

/// A range of a file with bytes after it, as a read-only source of libzip.
///
/// Used by one thread at a time, as libzip requires.
final class ZipPieces {
  private let file: ZipBytes
  private let range: Range<Int>
  private let tail: [UInt8]
  private var place = 0
  private var error = zip_error_t()

  private init(_ file: ZipBytes, _ range: Range<Int>, _ tail: [UInt8]) {
    self.file = file
    self.range = range
    self.tail = tail
    zip_error_init(&error)
  }

  deinit { zip_error_fini(&error) }

  /// Opens an archive that consists of a range of a file and the bytes of `tail`; `nil` if libzip refuses it.
  static func open(_ file: ZipBytes, _ range: Range<Int>, tail: [UInt8]) -> OpaquePointer? {
    let pieces = Unmanaged.passRetained(ZipPieces(file, range, tail))
    var error = zip_error_t()
    let callback: zip_source_callback = { state, data, length, command in
      guard let state else { return -1 }
      let pieces = Unmanaged<ZipPieces>.fromOpaque(state)
      if command == ZIP_SOURCE_FREE {
        pieces.release()
        return 0
      }
      return pieces.takeUnretainedValue().answer(command, data, Int(clamping: length))
    }
    guard let source = zip_source_function_create(callback, pieces.toOpaque(), &error) else {
      pieces.release()
      return nil
    }
    guard let archive = zip_open_from_source(source, ZIP_RDONLY, &error) else {
      zip_source_free(source)
      return nil
    }
    return archive
  }

  private var count: Int { range.count + tail.count }

  private static let commands: Int64 = [
    ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
    ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
  ].reduce(0) { $0 | 1 << Int64($1.rawValue) }

  /// Answers a command as zip_source_function(3) requires.
  private func answer(
    _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: Int
  ) -> Int64 {
    switch command {
    case ZIP_SOURCE_OPEN:
      place = 0
      return 0
    case ZIP_SOURCE_CLOSE: return 0
    case ZIP_SOURCE_READ: return data.map { read(into: $0, length) } ?? -1
    case ZIP_SOURCE_TELL: return Int64(place)
    case ZIP_SOURCE_SUPPORTS: return ZipPieces.commands
    case ZIP_SOURCE_ERROR: return data.map { zip_error_to_data(&error, $0, UInt64(length)) } ?? -1
    case ZIP_SOURCE_SEEK:
      guard let data else { return -1 }
      let next = zip_source_seek_compute_offset(
        UInt64(place), UInt64(count), data, UInt64(length), &error)
      guard next >= 0 else { return -1 }
      place = Int(next)
      return 0
    case ZIP_SOURCE_STAT:
      guard let status = data?.assumingMemoryBound(to: zip_stat_t.self) else { return -1 }
      zip_stat_init(status)
      status.pointee.size = UInt64(count)
      status.pointee.valid |= UInt64(ZIP_STAT_SIZE)
      return Int64(MemoryLayout<zip_stat_t>.size)
    default:
      zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0)
      return -1
    }
  }

  private func read(into buffer: UnsafeMutableRawPointer, _ length: Int) -> Int64 {
    var done = 0
    while done < length, place < count {
      let got: Int
      if place < range.count {
        let wanted = min(length - done, range.count - place)
        got = file.read(at: range.lowerBound + place, into: buffer + done, wanted)
        guard got > 0 else {
          zip_error_set(&error, ZIP_ER_READ, errno)
          return -1
        }
      } else {
        let start = place - range.count
        got = min(length - done, tail.count - start)
        tail[start..<(start + got)].withUnsafeBytes {
          (buffer + done).copyMemory(
            from: $0.baseAddress ?? UnsafeRawPointer(buffer), byteCount: got)
        }
      }
      done += got
      place += got
    }
    return Int64(done)
  }
}
