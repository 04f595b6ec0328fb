import ArchiverEPUB
import ArchiverMarkup

/// The libraries that items pass through.
package enum PipelineLibraries {
  /// Name and version of each: "libxml2/2.9.14".
  package static var versions: [String] { MarkupLibraries.versions + [ZipVersion.text] }
}
