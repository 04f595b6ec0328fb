import ArchiverCore
import CCurl

/// A curl easy handle and its error text; used on the engine's thread only.
///
/// It is never reset between transfers, so curl keeps a server's Digest challenge and answers it
/// with the next request already. Therefore each transfer must set every option that any other
/// sets.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  var digest = DigestMemory()
  private let errorText: UnsafeMutablePointer<CChar>

  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setFixedOptions()
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorText.deallocate()
  }

  /// curl's message for the last failure; empty if there is none.
  var errorMessage: String { String(cString: errorText) }

  func clearErrorMessage() { errorText.pointee = 0 }

  func set(_ option: CURLoption, _ value: Int) {
    _ = archiver_set_long(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: String?) {
    _ = archiver_set_string(pointer, option, value)
  }

  func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>?) {
    _ = archiver_set_list(pointer, option, list)
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) {
    _ = archiver_set_pointer(pointer, option, value)
  }

  func set(_ option: CURLoption, offset value: Int) {
    _ = archiver_set_offset(pointer, option, curl_off_t(value))
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    _ = archiver_get_long(pointer, info, &value)
    return value
  }

  func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    _ = archiver_get_offset(pointer, info, &value)
    return Int(value)
  }

  private func setFixedOptions() {
    set(CURLOPT_ERRORBUFFER, pointer: errorText)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_NOPROGRESS, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_PATH_AS_IS, 1)
    // About the size of an image. A larger buffer touches more pages; a smaller one saves none.
    set(CURLOPT_BUFFERSIZE, 128 << 10)
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    setCallbacks()
  }

  private func setCallbacks() {
    _ = archiver_set_write_function(pointer) { bytes, size, count, context in
      guard let bytes, let transfer = Transfer.from(context) else { return archiver_write_error }
      let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer.receive(piece) ? piece.count : archiver_write_error
    }
    _ = archiver_set_header_function(pointer) { _, size, count, context in
      Transfer.from(context)?.noteActivity()
      return size * count
    }
    _ = archiver_set_read_function(pointer) { bytes, size, count, context in
      guard let bytes, let transfer = Transfer.from(context) else { return archiver_read_abort }
      let piece = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
      return transfer.provide(piece) ?? archiver_read_abort
    }
    _ = archiver_set_seek_function(pointer) { context, offset, origin in
      guard let transfer = Transfer.from(context), origin == SEEK_SET else {
        return CURL_SEEKFUNC_FAIL
      }
      transfer.rewind(to: Int(offset))
      return CURL_SEEKFUNC_OK
    }
    _ = archiver_set_opensocket_function(pointer) { context, _, address in
      guard let address, let transfer = Transfer.from(context) else { return archiver_socket_bad }
      return transfer.openSocket(&address.pointee)
    }
    _ = archiver_set_prereq_function(pointer) { context, remote, _, _, _ in
      guard let remote, let transfer = Transfer.from(context) else { return CURL_PREREQFUNC_ABORT }
      let isAllowed = transfer.begin(connectedTo: String(cString: remote))
      return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
  }
}
