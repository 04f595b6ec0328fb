import ArchiverCore
import Testing

@testable import ArchiverStorage

struct VersionThinningTests {
  private static let day = 86_400.0

  private func version(
    _ day: Double, _ content: String? = nil, files: Set<String> = []
  ) -> VersionThinning.Version {
    VersionThinning.Version(
      name: "d\(Int(day))", time: day * Self.day, content: content ?? "text of \(day)", files: files
    )
  }

  private func kept(
    _ versions: [VersionThinning.Version], _ limit: Int, added: String? = nil
  ) -> [String] {
    var thinning = VersionThinning(versions: versions, added: added)
    thinning.thin(to: limit)
    return thinning.versions.map(\.name)
  }

  @Test func `a year of daily changes keeps the oldest, and more of late than of long ago`() {
    var versions = [version(0)]
    for day in 1..<366 {
      versions.insert(version(Double(day)), at: 0)
      let names = kept(versions, 5, added: "d\(day)")
      #expect(names.count == min(5, day + 1))
      versions.removeAll { !names.contains($0.name) }
      #expect(versions.first?.name == "d\(day)")
      #expect(versions.last?.name == "d0")
    }
    let times = versions.map { $0.time / Self.day }
    #expect(times[0] - times[1] < 30, "\(times)")
    #expect(times[3] > 0 && times[3] < 300, "\(times)")
  }

  @Test func `versions of one text do not push out another`() {
    let versions = [
      version(9, "new"), version(8, "new"), version(7, "new"), version(2, "old"),
      version(1, "first"),
    ]
    #expect(kept(versions, 3) == ["d9", "d2", "d1"])
  }

  @Test func `a version with a file that no other has is not one of many`() {
    let versions = [
      version(9, "new"), version(8, "new", files: ["photo"]), version(7, "new"),
      version(1, "first"),
    ]
    #expect(kept(versions, 3) == ["d9", "d8", "d1"])
  }

  @Test func `a newest version that repeats another does not push out one with files of its own`() {
    let versions = [
      version(9, "text", files: ["first"]), version(8, "text", files: ["third"]),
      version(4, "text", files: ["second"]), version(1, "text", files: ["first"]),
    ]
    // A bundle that the catalog did not know may be older than the newest version.
    #expect(kept(versions, 3, added: "d8") == ["d8", "d4", "d1"])
  }

  @Test func `a bundle that only repeats an older version pushes out no other`() {
    let versions = [
      version(8, "text", files: ["first"]), version(4, "other"),
      version(1, "text", files: ["first"]),
    ]
    #expect(kept(versions, 2, added: "d8") == ["d4", "d1"])
    let unlike = [version(8, "edited"), version(4, "other"), version(1, "text")]
    #expect(kept(unlike, 2, added: "d8") == ["d8", "d1"])
  }

  @Test(arguments: [1, 2])
  func `the oldest and the one being added always stay`(limit: Int) {
    #expect(kept([version(3), version(2), version(1)], limit, added: "d3") == ["d3", "d1"])
    #expect(kept([version(3), version(2), version(1)], limit, added: "d2") == ["d3", "d2", "d1"])
    #expect(kept([version(1)], limit) == ["d1"])
    #expect(kept([], limit) == [])
  }

  @Test func `versions whose names are no times are thinned as well`() {
    let odd = ["z", "y", "x", "w"].map {
      VersionThinning.Version(name: $0, time: 0, content: $0, files: [])
    }
    #expect(kept(odd, 3).count == 3)
    #expect(kept(odd, 3).last == "w")
  }

  @Test func `the first text of an item outlives any number of others on disk`() throws {
    let folder = try ScratchFolder()
    let archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
    for number in 0..<8 {
      var item = Sample.item("a", archived: Double(number) * Self.day)
      item.contentHash = number < 4 ? "first" : "second"
      try archive.publish([
        archive.bundles.stage(Sample.draft(item, page: "page \(number)", keepVersions: 2))
      ])
    }
    let item = try #require(try archive.catalog.item(ItemKey(source: "readeck", id: "a")))
    let pages = try item.versions.map {
      try archive.bundles.read("versions/\($0)/index.html", of: item.folder)
    }
    #expect(pages == [Array("page 6".utf8), Array("page 0".utf8)])
  }
}
