import ArchiverCore
import ArchiverStorage
import ArchiverTestKit

/// Calls a closure with a new archive whose catalog has some items; they have no bundles.
func withRecorded(
  _ items: [CatalogItem], _ body: (Archive) throws -> Void
) async throws {
  try await TemporaryFolder.with("recorded") { folder in
    let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
    try archive.catalog.record(
      items.map {
        .publish(
          Publication(
            item: $0, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: ""))
      })
    try body(archive)
  }
}
