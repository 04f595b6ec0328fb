#if os(Linux)
  import ArchiverCore
  import ArchiverTestKit
  import Testing

  /// Time and memory of the built program with large inputs; `Scripts/torture --long` uses the full
  /// sizes.
  @Suite(.serialized) struct LargeInputTests {
    /// A run's exit code, standard error, processor time, which a busy machine does not change much,
    /// and peak memory in MB.
    private struct Run {
      var code: Int32
      var error: String
      var time: Duration
      var peak: Int
    }

    /// The processor time of a process in ticks of 10 ms (proc_pid_stat(5), fields 14 and 15); `nil`
    /// after its end.
    private func ticks(of process: Int32) -> Int? {
      let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
      // The name, field 2, is in parentheses and may contain spaces.
      let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ").map { Int($0) ?? 0 }
      guard let fields, fields.count > 12 else { return nil }
      return fields[11] + fields[12]
    }

    private func run(_ words: [String], _ stage: SourceStage) async throws -> Run {
      let process = try Program.start(words, home: stage.home, environment: stage.environment)
      let status = "/proc/\(process.pid)/status"
      async let code = process.wait(limit: .seconds(600))
      var (peak, used) = (0, 0)
      // The figure only grows; the file is empty of it once the process has ended.
      while let line = String(
        decoding: FileManager.default.contents(atPath: status) ?? Data(), as: UTF8.self
      ).split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) {
        peak = max(peak, (Int(line.filter(\.isNumber)) ?? 0) / 1_000)
        used = max(used, ticks(of: process.pid) ?? 0)
        try await Task.sleep(for: .milliseconds(10))
      }
      return Run(
        code: try await code, error: process.errorOutput, time: .milliseconds(10 * used), peak: peak
      )
    }

    @Test func `a very large file is archived with little memory`() async throws {
      let size = Torture.isLong ? 2 << 30 : 256 << 20
      try await SourceStage.with(.books) { stage in
        let path = stage.home + "/large"
        let made = try await Program.tool(
          "sh",
          [
            "-c",
            "printf '%%PDF-1.4' >'\(path)'; truncate -s \(size) '\(path)'; printf '%%%%EOF' >>'\(path)'",
          ])
        try #require(made.code == 0, "\(made.output)")
        stage.tamper { request, answer in
          guard request.path == "/files/1.pdf" else { return answer }
          return ServerResponse(
            200, headers: ["Content-Type": "application/pdf"], body: .file(path))
        }
        let result = try await run(["run", "--source", "books", "--quiet"], stage)
        #expect(result.code == 0, "\(result.error)")
        #expect(result.peak < 60, "\(result.peak) MB")
        let find = try await Program.tool(
          "find", [stage.archive + "/books", "-size", "+\(size / 1_024 - 1)k", "-type", "f"])
        #expect(find.output.split(separator: "\n").count == 1, "\(find.output)")
        print("a file of \(size >> 20) MiB: \(result.time), \(result.peak) MB at the most")
      }
    }

    /// With the limit that refuses each, if one does.
    static let monsters: [(String, String, String?)] = [
      ("50 MB of HTML", String(repeating: "<p>words ", count: 5_600_000), "limits.htmlSize"),
      (
        "100,000 nested elements", String(repeating: "<div>", count: 100_000) + "x",
        nil
      ),
      (
        "100,000 nested lists", String(repeating: "<ul><li>", count: 100_000) + "x",
        nil
      ),
      (
        "100,000 nested formatting", String(repeating: "<b><i>", count: 100_000) + "x",
        nil
      ),
    ]

    @Test func `pathological input ends quickly, in a page or an error that names the limit`()
      async throws
    {
      try await SourceStage.with(.readeck) { stage in
        let calm = try await run(["run", "--source", "readeck", "--quiet"], stage)
        #expect(calm.code == 0, "\(calm.error)")
        for (name, html, limit) in Self.monsters {
          stage.readeck.add(
            FakeReadeck.Bookmark(url: "https://example.org/monster", title: name, html: html))
          let result = try await run(["run", "--source", "readeck", "--quiet"], stage)
          #expect(result.code == (limit == nil ? 0 : 1), "\(name): \(result.error)")
          #expect(result.error.contains(limit ?? ""), "\(name): \(result.error)")
          // Unoptimised code gets more; the release takes a fraction of a second.
          #expect(result.time > .zero)
          #expect(result.time < .seconds(Torture.isLong ? 2 : 10), "\(name)")
          print("\(name): \(Torture.seconds(result.time)), \(result.peak) MB at the most")
          stage.readeck.delete(try #require(stage.readeck.ids.last))
        }
      }
    }

    @Test func `a source of very many items is planned and finished in little memory`()
      async throws
    {
      let count = Torture.isLong ? 100_000 : 5_000
      try await SourceStage.with(.readeck) { stage in
        for number in 0..<count {
          stage.readeck.add(
            FakeReadeck.Bookmark(
              url: "https://example.org/\(number)", title: "Article \(number)", html: "<p>words"))
        }
        for words in [["--max", "20"], ["--max", "20"], ["--full", "--max", "1"]] {
          let result = try await run(["run", "--source", "readeck", "--quiet"] + words, stage)
          #expect(result.code == 0, "\(result.error)")
          #expect(result.peak < 150, "\(words): \(result.peak) MB")
          print("\(count) items \(words): \(Torture.seconds(result.time)), \(result.peak) MB")
        }
        #expect(stage.bundles().count == 41)
      }
    }
  }
#endif
