import ArchiverCore
import CQPDF

/// libqpdf, loaded on demand.
struct PDFLibrary {
  let version: archiver_qpdf_version
  let makeDocument: archiver_qpdf_init
  let cleanUp: archiver_qpdf_cleanup
  let silence: archiver_qpdf_silence
  let suppressWarnings: archiver_qpdf_suppress
  let read: archiver_qpdf_read
  let hasError: archiver_qpdf_flag
  let error: archiver_qpdf_error
  let errorCode: archiver_qpdf_code
  let trailer: archiver_qpdf_root
  let text: archiver_qpdf_text
  let isText: archiver_qpdf_test
  let root: archiver_qpdf_root
  let key: archiver_qpdf_key
  let isInteger: archiver_qpdf_test
  let integer: archiver_qpdf_number

  /// Versions of the interface since 10.6, newest first, and the unversioned name.
  #if os(macOS)
    private static let names = ["libqpdf.dylib", "/opt/homebrew/lib/libqpdf.dylib"]
  #else
    private static let names =
      (28...36).reversed().map { "libqpdf.so.\($0)" } + ["libqpdf.so"]
  #endif

  /// Throws if libqpdf is not installed or lacks a function. The library stays loaded.
  init() throws(PDFError) {
    guard let handle = PDFLibrary.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw PDFError(.noLibrary)
    }
    func find<Function>(_ name: String, _: Function.Type) throws(PDFError) -> Function {
      guard let symbol = dlsym(handle, name) else { throw PDFError(.noLibrary) }
      return unsafeBitCast(symbol, to: Function.self)
    }
    version = try find("qpdf_get_qpdf_version", archiver_qpdf_version.self)
    makeDocument = try find("qpdf_init", archiver_qpdf_init.self)
    cleanUp = try find("qpdf_cleanup", archiver_qpdf_cleanup.self)
    silence = try find("qpdf_silence_errors", archiver_qpdf_silence.self)
    suppressWarnings = try find("qpdf_set_suppress_warnings", archiver_qpdf_suppress.self)
    read = try find("qpdf_read", archiver_qpdf_read.self)
    hasError = try find("qpdf_has_error", archiver_qpdf_flag.self)
    error = try find("qpdf_get_error", archiver_qpdf_error.self)
    errorCode = try find("qpdf_get_error_code", archiver_qpdf_code.self)
    trailer = try find("qpdf_get_trailer", archiver_qpdf_root.self)
    text = try find("qpdf_oh_get_utf8_value", archiver_qpdf_text.self)
    isText = try find("qpdf_oh_is_string", archiver_qpdf_test.self)
    root = try find("qpdf_get_root", archiver_qpdf_root.self)
    key = try find("qpdf_oh_get_key_if_dict", archiver_qpdf_key.self)
    isInteger = try find("qpdf_oh_is_integer", archiver_qpdf_test.self)
    integer = try find("qpdf_oh_get_int_value", archiver_qpdf_number.self)
  }
}
