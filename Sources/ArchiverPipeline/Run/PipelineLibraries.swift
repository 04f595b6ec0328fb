import ArchiverEPUB
import ArchiverMarkup

/// The libraries that items pass through.
package enum PipelineLibraries {
  /// Name and version of each: "libxml2/2.9.14". What opens comics is left out where it is not installed.
  package static var versions: [String] {
    MarkupLibraries.versions + [ZipVersion.text] + [ComicConverter.library].compactMap { $0 }
  }

  /// Whether the library that opens comics is installed.
  package static var opensComics: Bool { ComicConverter.library != nil }
}
