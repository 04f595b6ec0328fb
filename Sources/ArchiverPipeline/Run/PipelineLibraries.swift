import ArchiverEPUB
import ArchiverMarkup

/// The libraries that process items.
package enum PipelineLibraries {
  /// Name and version of each, such as "libxml2/2.9.14"; without libarchive if it is not installed.
  package static var versions: [String] {
    MarkupLibraries.versions + [ZipVersion.text] + [ComicConverter.library].compactMap { $0 }
  }

  /// Whether libarchive, which opens comics, is installed.
  package static var opensComics: Bool { ComicConverter.library != nil }
}
