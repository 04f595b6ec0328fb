import ArchiverCore
import Testing

@testable import ArchiverStorage

/// How many files a partial verification reads. Chance practically never exceeds the bounds.
struct SampledReadingTests {
  @Test(
    arguments: [(0, 0...0), (1, 0...30), (99, 170...200), (100, 200...200)]
      as [(Int, ClosedRange<Int>)])
  func `a verification reads about the given percentage of a bundle's files`(
    percent: Int, expected: ClosedRange<Int>
  ) throws {
    let scratch = try ScratchFolder(inMemory: true)
    try scratch.write("", to: "f0")
    var sums = ChecksumList()
    for number in 0..<200 {
      if number > 0 { try #require(link(scratch.at("f0"), scratch.at("f\(number)")) == 0) }
      sums["f\(number)"] = Digest.sha256Hex("")
    }
    try Data(sums.bytes).write(to: URL(filePath: scratch.at(ChecksumList.fileName)))
    var verifier = BundleVerifier(percent: percent)
    try verifier.check(Folder.open(path: scratch.path), path: "readeck/a")
    let report = verifier.report
    #expect(report.files == 200)
    #expect(expected.contains(report.filesRead))
    #expect(report.problems == [])
  }

  @Test(arguments: [(1, 0...30), (99, 170...200)] as [(Int, ClosedRange<Int>)])
  func `a verification reads about the given percentage of the objects without links`(
    percent: Int, expected: ClosedRange<Int>
  ) async throws {
    let scratch = try ScratchFolder(inMemory: true)
    let archive = try Archive.open(path: scratch.at("archive"), mode: .readWrite(holder: "test"))
    var assets: [CachedAsset] = []
    for number in 0..<200 {
      let object = try archive.objects.store(Array("\(number)".utf8))
      assets.append(
        CachedAsset(
          url: "https://example.org/\(number)", object: object, mediaType: "image/png"))
    }
    try archive.catalog.record([.publish(Sample.publication(Sample.item("a"), assets: assets))])
    let report = try await archive.verify(readData: percent)
    #expect(report.objects == 200)
    #expect(expected.contains(report.filesRead))
  }
}
