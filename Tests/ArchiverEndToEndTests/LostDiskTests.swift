import ArchiverCore
import ArchiverTestKit
import Testing

/// A known archive that is missing stops the run; another is created only on request.
@Suite struct LostDiskTests {
  @Test(arguments: [false, true])
  func `an archive whose disk is not mounted is not begun again`(mountPointStays: Bool) async throws
  {
    try await Stage.with(articles: 3) { stage in
      #expect(try await stage.run().code == 0)
      try FileManager.default.moveItem(atPath: stage.archive, toPath: stage.home + "/elsewhere")
      if mountPointStays {
        try FileManager.default.createDirectory(
          atPath: stage.archive + "/lost+found", withIntermediateDirectories: true)
      }
      let asked = stage.server.requests.count
      for options in [[], ["--dry-run"]] {
        let result = try await Program.run(
          ["run", "--source", "readeck", "--quiet"] + options, home: stage.home,
          environment: stage.environment)
        #expect(result.code == 4)
        #expect(result.error.contains("is its disk mounted?"))
        #expect(result.error.contains("--new-archive"))
      }
      #expect(stage.server.requests.count == asked)
      #expect(FileManager.default.fileExists(atPath: stage.archive) == mountPointStays)
      let doctor = try await Program.run(
        ["doctor"], home: stage.home, environment: stage.environment)
      #expect(doctor.output.contains("--new-archive"))
      let health = try await Program.run(
        ["status", "--check"], home: stage.home, environment: stage.environment)
      #expect(health.code == 1)
      #expect(health.output.split(separator: "\n").count == 1, "\(health.output)")

      let anew = try await Program.run(
        ["run", "--source", "readeck", "--quiet", "--new-archive"], home: stage.home,
        environment: stage.environment)
      #expect(anew.code == 0, "\(anew.error)")
      #expect(try stage.bundles().count == 3)
    }
  }

  @Test func `a home that cannot be written keeps nothing from being archived`() async throws {
    try await Stage.with(articles: 2) { stage in
      try Data("a file in the folder's place".utf8).write(to: URL(filePath: stage.home + "/state"))
      let result = try await Program.run(
        ["run", "--source", "readeck"], home: stage.home,
        environment: stage.environment.merging(["XDG_STATE_HOME": stage.home + "/state"]) { $1 })
      #expect(result.code == 0)
      #expect(try stage.bundles().count == 2)
    }
  }
}
