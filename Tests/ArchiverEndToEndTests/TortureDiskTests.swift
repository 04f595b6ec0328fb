import ArchiverCore
import ArchiverTestKit
import Testing

/// Disks that are full, read-only, missing or faulty.
@Suite(.serialized) struct TortureDiskTests {
  @Test func `a full disk ends with 4, says what was needed and keeps what was there`()
    async throws
  {
    try await withSmallDisk(megabytes: 112) { stage, _ in
      let first = try await stage.archiver("run", "--source", "readeck", "--max", "2", "--quiet")
      #expect(first.code == 0, "\(first.error)")
      let before = try stage.bundles()
      #expect(before.count == 2)
      for id in stage.readeck.ids {
        stage.readeck.update(id) { bookmark in
          bookmark.resources[0].bytes += [UInt8](repeating: 7, count: 4_000_000)
        }
      }
      let second = try await stage.archiver("run", "--source", "readeck", "--quiet")
      #expect(second.code == 4, "\(second.output)\(second.error)")
      #expect(second.error.contains("archive is full: "), "\(second.error)")
      #expect(second.error.contains(" are free"))
      #expect(Set(before).isSubset(of: Set(try stage.bundles())))
      let verify = try await stage.verify()
      #expect(verify.code == 0, "\(verify.output)\(verify.error)")
    }
  }

  @Test func `a disk with no room at all loses nothing either`() async throws {
    try await withSmallDisk(megabytes: 112) { stage, disk in
      #expect(try await stage.run("--max", "2").code == 0)
      let filler = try await Program.tool("dd", ["if=/dev/zero", "of=\(disk)/filler", "bs=64k"])
      #expect(filler.code != 0, "the disk is full now")
      let before = try stage.bundles()
      let second = try await stage.archiver("run", "--source", "readeck", "--quiet")
      #expect(second.code == 4, "\(second.output)\(second.error)")
      #expect(second.error.contains("full"), "\(second.error)")
      #expect(try stage.bundles() == before)
      #expect(try await stage.verify().code == 0)
      try FileManager.default.removeItem(atPath: disk + "/filler")
      #expect(try await stage.run("--max", "1").code == 0)
      #expect(try await stage.verify().code == 0)
    }
  }

  @Test func `a disk that became read-only ends with 4 and can still be verified`() async throws {
    try await withSmallDisk(megabytes: 140) { stage, disk in
      #expect(try await stage.run("--max", "2").code == 0)
      let remount = try await Program.tool("mount", ["-o", "remount,ro", disk])
      #expect(remount.code == 0, "\(remount.output)")
      let run = try await stage.archiver("run", "--source", "readeck", "--quiet")
      #expect(run.code == 4, "\(run.output)\(run.error)")
      #expect(run.error.contains(stage.archive), "\(run.error)")
      let verify = try await stage.verify()
      #expect(verify.code == 0, "\(verify.output)\(verify.error)")
      _ = try await Program.tool("mount", ["-o", "remount,rw", disk])
      #expect(try await stage.run().code == 0)
    }
  }

  @Test func `a library without room ends with 4 and stays readable, and the next run mends it`()
    async throws
  {
    try await withSmallDisk(megabytes: 140) { stage, disk in
      #expect(try await stage.run().code == 0)
      let whole = try Self.library(stage)
      // A user changed them, so that they have to be written again.
      let scripts = ["app", "data", "query", "search", "view", "words"].map { "library/\($0).js" }
      for path in scripts {
        try (try #require(whole[path]) + Data("\n".utf8)).write(
          to: URL(filePath: "\(disk)/\(path)"))
      }
      let before = try Self.library(stage)
      // A rebuild would free its room first.
      #expect(unlink("\(disk)/.archiver/library/library.sqlite") == 0)
      let filler = "\(disk)/filler"
      #expect(try await Program.tool("dd", ["if=/dev/zero", "of=\(filler)", "bs=4k"]).code != 0)
      #expect(try await Program.tool("truncate", ["--size=-32K", filler]).code == 0)
      let site = try await stage.archiver("site")
      #expect(site.code == 4, "\(site.output)\(site.error)")
      #expect(site.error.contains("No space left"), "\(site.error)")
      #expect(try Self.library(stage) == before)
      let verify = try await stage.verify()
      #expect(verify.code == 1 && verify.output.contains("1 problem"), "\(verify.output)")
      #expect(verify.output.contains("The library is not up to date"), "\(verify.output)")
      #expect(unlink(filler) == 0)
      #expect(try await stage.run().code == 0)
      #expect(try Self.library(stage) == whole)
      #expect(try await stage.archiver("site").code == 0)
      #expect(try Self.library(stage) == whole)
    }
  }

  /// The files of the library, except the status of the sources.
  private static func library(_ stage: Stage) throws -> [String: Data] {
    let manager = FileManager.default
    let paths = try manager.subpathsOfDirectory(atPath: stage.archive + "/library")
    return Dictionary(
      uniqueKeysWithValues: (paths.map { "library/\($0)" } + ["index.html"]).compactMap { path in
        path == "library/status.js"
          ? nil : manager.contents(atPath: "\(stage.archive)/\(path)").map { (path, $0) }
      })
  }

  @Test func `an archive of someone else's ends with 4 and stays as it is`() async throws {
    guard getuid() == 0, ChildProcess.find("setpriv") != nil else {
      print("skipped: only root can run the program as someone else")
      return
    }
    try await Stage.with(articles: 3) { stage in
      #expect(try await stage.run().code == 0)
      chmod(stage.home, 0o755)
      let variables = stage.environment.merging(["HOME": stage.home]) { $1 }
      let words = variables.map { "\($0.key)=\($0.value)" }
      let other = try await Program.tool(
        "setpriv",
        ["--reuid=65534", "--clear-groups", "env"] + words
          + [Program.path, "run", "--source", "readeck", "--quiet"])
      if other.output.contains("env: ") {
        print("skipped: nobody may run the program in \(Program.path)")
        return
      }
      #expect(other.code == 4, "\(other.output)")
      #expect(other.output.contains(".archiver"), "\(other.output)")
      #expect(try await stage.verify().code == 0)
    }
  }

  @Test func `a folder that is deleted during a run ends the run, and the next one starts again`()
    async throws
  {
    try await Stage.with(articles: 8) { stage in
      stage.tamper { request, response in
        request.path.hasPrefix("/bm/")
          ? response.misbehaving(.delay(.milliseconds(150))) : response
      }
      let process = try Program.start(
        ["run", "--source", "readeck", "--quiet"], home: stage.home,
        environment: stage.environment)
      while !FileManager.default.fileExists(atPath: stage.archive + "/.archiver/catalog.sqlite") {
        try await Task.sleep(for: .milliseconds(5))
      }
      try await Task.sleep(for: .milliseconds(120))
      // The run may write beside the removal, which then fails.
      while FileManager.default.fileExists(atPath: stage.archive) {
        try? FileManager.default.removeItem(atPath: stage.archive)
      }
      let code = try await process.wait()
      #expect([1, 4].contains(code), "\(code): \(process.errorOutput)")
      stage.tamper(nil)
      #expect(try await stage.run().code == 0)
      #expect(try stage.bundles().count == 8)
      #expect(try await stage.verify().code == 0)
    }
  }

  @Test func `a damaged catalog ends with 4 and is rebuilt from the bundles`() async throws {
    try await Stage.with(articles: 6) { stage in
      #expect(try await stage.run().code == 0)
      let control = stage.archive + "/.archiver"
      let garbage = Data([UInt8](repeating: 0x5A, count: 50_000))
      try garbage.write(to: URL(filePath: control + "/catalog.sqlite"))
      for suffix in ["-wal", "-shm"]
      where FileManager.default.fileExists(atPath: "\(control)/catalog.sqlite\(suffix)") {
        try FileManager.default.removeItem(atPath: "\(control)/catalog.sqlite\(suffix)")
      }
      let run = try await stage.archiver("run", "--source", "readeck", "--quiet")
      #expect(run.code == 4, "\(run.output)\(run.error)")
      #expect(run.error.contains("repair --catalog"), "\(run.error)")
      let repair = try await stage.archiver("repair", "--catalog")
      #expect(repair.code == 0, "\(repair.output)\(repair.error)")
      #expect(repair.output.contains("6 bundles"), "\(repair.output)")
      #expect(try await stage.verify().code == 0)
      let next = try await stage.run()
      #expect(next.code == 0)
      #expect(next.summary["archived"]?.integer == 0)
      #expect(next.summary["unchanged"]?.integer == 6)
    }
  }

  @Test func `a run that cannot begin exits cleanly, whatever its threads do`() async throws {
    try await Stage.with(articles: 1) { stage in
      #expect(try await stage.run().code == 0)
      try FileManager.default.removeItem(atPath: stage.archive + "/.archiver")
      var codes: [Int32: Int] = [:]
      for _ in 0..<150 {
        let result = try await stage.archiver("run", "--source", "readeck", "--quiet")
        codes[result.code, default: 0] += 1
      }
      #expect(codes == [4: 150])
    }
  }

  @Test func `a lost control folder is reported by every command and rebuilt from the bundles`()
    async throws
  {
    try await Stage.with(articles: 3) { stage in
      #expect(try await stage.run().code == 0)
      try FileManager.default.removeItem(atPath: stage.archive + "/.archiver")
      for command in [
        ["run", "--source", "readeck", "--quiet"], ["list"], ["status"], ["search", "word"],
        ["verify"], ["retry"], ["cleanup", "--keep", "1"],
      ] {
        let result = try await Program.run(
          command, home: stage.home, environment: stage.environment)
        #expect(result.code == 4, "\(command): \(result.output)\(result.error)")
        #expect(result.error.contains("repair --catalog"), "\(command): \(result.error)")
      }
      let repair = try await stage.archiver("repair", "--catalog")
      #expect(repair.code == 0, "\(repair.output)\(repair.error)")
      #expect(try await stage.run().summary["unchanged"]?.integer == 3)
      #expect(try await stage.verify().code == 0)
    }
  }

  /// Prepares a stage whose archive is on a disk of its own, with images of half a megabyte.
  private func withSmallDisk(
    megabytes: Int, _ body: (Stage, String) async throws -> Void
  ) async throws {
    guard getuid() == 0 else {
      print("skipped: only root can mount a small disk")
      return
    }
    try await Stage.with(articles: 0) { stage in
      for number in 0..<8 {
        var bookmark = Stage.article(number)
        bookmark.resources[0].bytes += [UInt8](repeating: UInt8(number), count: 500_000)
        stage.readeck.add(bookmark)
      }
      try await mounting(kilobytes: megabytes * 1_024, at: stage.archive) {
        try await body(stage, stage.archive)
      }
    }
  }

  /// Mounts a small disk at a folder while `body` runs.
  private func mounting(
    kilobytes: Int, at path: String, _ body: () async throws -> Void
  ) async throws {
    guard getuid() == 0 else {
      print("skipped: only root can mount a small disk")
      return
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let mount = try await Program.tool(
      "mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
    guard mount.code == 0 else {
      print("skipped: no disk can be mounted here: \(mount.output)")
      return
    }
    let result: Result<Void, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    let unmount = try await Program.tool("umount", ["-l", path])
    #expect(unmount.code == 0, "\(unmount.output)")
    try result.get()
  }
}
