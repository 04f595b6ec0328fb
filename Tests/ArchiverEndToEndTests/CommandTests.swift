import ArchiverCore
import ArchiverTestKit
import Testing

@Suite struct CommandTests {
  @Test func `no file takes the place of a standard stream that was closed`() async throws {
    try await Stage.with(articles: 2) { stage in
      _ = try await stage.run()
      let line =
        "exec \"$0\" watch --every 1h --source readeck --archive '\(stage.archive)' <&- >&- 2>&-"
      var variables = stage.environment
      variables["HOME"] = stage.home
      let watch = try ChildProcess(
        "/bin/sh", ["-c", line, Program.path], environment: variables)
      defer { watch.end() }
      let notice = stage.archive + "/.archiver/watch.json"
      for _ in 0..<600 where !FileManager.default.fileExists(atPath: notice) {
        try await Task.sleep(for: .milliseconds(50))
      }
      for number in 0...2 {
        let place = try FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(watch.pid)/fd/\(number)")
        #expect(place == "/dev/null")
      }
    }
  }

  @Test func `three nights archive twenty, five and nothing`() async throws {
    try await Stage.with { stage in
      let first = try await stage.run("--max", "20")
      #expect(first.code == 0)
      #expect(first.summary["event"]?.string == "finished")
      #expect(first.summary["archived"]?.integer == 20)
      #expect(try stage.bundles().count == 20)

      let second = try await stage.run("--max", "20")
      #expect(second.summary["archived"]?.integer == 5)
      #expect(second.summary["failed"]?.integer == 0)
      #expect(try stage.bundles().count == 25)

      let before = try await stage.publicFiles()
      let third = try await stage.run("--max", "20")
      #expect(third.code == 0)
      #expect(third.summary["archived"]?.integer == 0)
      var after = try await stage.publicFiles()
      var changed = before.filter { after[$0.key] != $0.value }.map(\.key)
      #expect(changed == ["library/status.js"])
      for name in before.keys { after[name] = nil }
      changed = Array(after.keys)
      #expect(changed.isEmpty)
    }
  }

  @Test func `every bundle passes sha256sum and verify finds nothing`() async throws {
    try await Stage.with { stage in
      _ = try await stage.run()
      for bundle in try stage.bundles() {
        let check = try await Program.tool(
          "sh", ["-c", "cd '\(bundle)' && sha256sum --strict --quiet -c SHA256SUMS"])
        #expect(check.code == 0, "\(bundle): \(check.output)")
      }
      let verify = try await Program.run(
        ["verify", "--json"], home: stage.home, environment: stage.environment)
      #expect(verify.code == 0, "\(verify.output)\(verify.error)")
    }
  }

  @Test func `killed at any moment, the next run completes the archive`() async throws {
    try await Stage.with { stage in
      for delay in [5, 20, 40, 60, 90, 130, 180, 250] {
        let process = try Program.start(
          ["run", "--source", "readeck", "--quiet"], home: stage.home,
          environment: stage.environment)
        try await Task.sleep(for: .milliseconds(delay))
        process.signal(SIGKILL)
        _ = try await process.wait()
        let verify = try await stage.verify()
        // Before the first run there is no archive to verify.
        #expect(verify.code == 0 || verify.code == 4, "\(verify.output)\(verify.error)")
        if verify.code == 4 { #expect(verify.error.contains("no archive")) }
      }
      let last = try await stage.run()
      #expect(last.code == 0)
      #expect(try stage.bundles().count == 25)
      let verify = try await stage.verify()
      #expect(verify.code == 0, "\(verify.output)\(verify.error)")
    }
  }

  @Test func `interrupted, it ends with 130 within two seconds`() async throws {
    try await TemporaryFolder.with("interrupt") { home in
      let server = try LoopbackServer(handler: { _ in
        ServerResponse(200).misbehaving(.delay(.seconds(30)))
      })
      defer { server.stop() }
      let process = try Program.start(
        ["run", "--source", "readeck"], home: home,
        environment: [
          "READECK_URL": server.baseURL.absoluteString, "READECK_TOKEN": "x",
          "ARCHIVER_ARCHIVE": home + "/archive",
        ])
      try await Condition.wait { server.connectionCount > 0 }
      let start = ContinuousClock.now
      process.signal(SIGTERM)
      #expect(try await process.wait() == 130)
      #expect(ContinuousClock.now - start < .seconds(2))
    }
  }

  @Test func `a second run ends with 5 and names the holder`() async throws {
    try await TemporaryFolder.with("lock") { home in
      let server = try LoopbackServer(handler: { _ in
        ServerResponse(200).misbehaving(.delay(.seconds(30)))
      })
      defer { server.stop() }
      let environment = [
        "READECK_URL": server.baseURL.absoluteString, "READECK_TOKEN": "x",
        "ARCHIVER_ARCHIVE": home + "/archive",
      ]
      let holder = try Program.start(
        ["run", "--source", "readeck"], home: home, environment: environment)
      try await Condition.wait { server.connectionCount > 0 }
      let second = try await Program.run(
        ["run", "--source", "readeck"], home: home, environment: environment)
      #expect(second.code == 5)
      #expect(second.error.contains("\(holder.pid)"))
      holder.signal(SIGKILL)
      _ = try await holder.wait()
      server.stop()
      let third = try await Program.run(
        ["run", "--source", "readeck"], home: home, environment: environment)
      #expect(third.code == 3, "a dead holder does not block; the server is gone")
    }
  }

  @Test func `nothing is published while a run changes the archive`() async throws {
    try await Stage.with(articles: 2) { stage in
      #expect(try await stage.run().code == 0)
      let slow = try LoopbackServer(handler: { _ in
        ServerResponse(200).misbehaving(.delay(.seconds(30)))
      })
      defer { slow.stop() }
      let target = "file:\(stage.home)/www"
      let run = try Program.start(
        ["run", "--source", "readeck"], home: stage.home,
        environment: stage.environment.merging(["READECK_URL": slow.baseURL.absoluteString]) { $1 })
      try await Condition.wait { slow.connectionCount > 0 }
      let refused = try await Program.run(
        ["publish", target], home: stage.home, environment: stage.environment)
      #expect(refused.code == 5, "\(refused)")
      #expect(refused.error.contains("\(run.pid)"))
      #expect(!FileManager.default.fileExists(atPath: stage.home + "/www"))
      // Read-only commands need no lock.
      let preview = try await Program.run(
        ["publish", target, "--dry-run"], home: stage.home, environment: stage.environment)
      #expect(preview.code == 0, "\(preview)")
      run.signal(SIGKILL)
      _ = try await run.wait()
      let done = try await Program.run(
        ["publish", target], home: stage.home, environment: stage.environment)
      #expect(done.code == 0, "\(done)")
      #expect(FileManager.default.fileExists(atPath: stage.home + "/www/index.html"))
    }
  }

  @Test func `a refused token ends with 3 and is never shown`() async throws {
    try await Stage.with { stage in
      var environment = stage.environment
      environment["READECK_TOKEN"] = "wr0ng-t0ken-value"
      let result = try await Program.run(
        ["run", "--source", "readeck", "-vv"], home: stage.home, environment: environment)
      #expect(result.code == 3)
      #expect(result.error.contains("READECK_TOKEN"))
      #expect(!(result.output + result.error).contains("wr0ng-t0ken-value"))
    }
  }

  @Test func `no secret is anywhere in the archive`() async throws {
    try await Stage.with { stage in
      _ = try await stage.run()
      let grep = try await Program.tool("grep", ["-rlaF", Stage.token, stage.archive])
      #expect(grep.code == 1, "\(grep.output)")
    }
  }
}
