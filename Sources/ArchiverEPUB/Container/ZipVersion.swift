import CZip

/// The library that reads ZIP archives.
package enum ZipVersion {
  /// "libzip/1.7.3".
  package static var text: String { "libzip/" + String(cString: zip_libzip_version()) }
}
