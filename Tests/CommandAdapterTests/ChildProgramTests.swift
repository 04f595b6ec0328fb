import ArchiverCore
import ArchiverTestKit
import Testing

@testable import CommandAdapter

/// Many concurrent programs: none may inherit, miss or close another's streams.
@Suite struct ChildProgramTests {
  @Test func `two hundred sources at once all answer`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      list: """
        say '{"type":"page","references":[{"id":"1","revision":"r"}]}'; say '{"type":"done"}'
        """,
      item: """
        say '{"type":"item","metadata":{"title":"t"}}'
        """)
    var limits = Workshop.limits
    // Independent of the speed of the machine.
    limits.silence = .seconds(120)
    limits.opening = .seconds(120)
    limits.description = .seconds(120)
    let patient = limits
    let failures = await withTaskGroup(of: String?.self) { group in
      for number in 0..<200 {
        group.addTask {
          do {
            let source = try await ProgramRunner.blocking { (_) throws(AdapterError) in
              do {
                return try workshop.source(program, limits: patient)
              } catch {
                throw AdapterError(.malformed, "\(error)")
              }
            }
            async let listed = pages(source)
            async let item = source.item(ItemReference(id: "1", revision: "r"))
            let count = try await listed.flatMap(\.references).count
            let title = try await item.metadata.title
            return count == 1 && title == "t" ? nil : "\(number): \(count), \(title)"
          } catch {
            return "\(number): \((error as? AdapterError)?.message ?? "\(error)")"
          }
        }
      }
      // Programs of other tests start and end meanwhile.
      for _ in 0..<100 {
        group.addTask {
          do {
            let code = try await ChildProcess("/bin/sh", ["-c", ":"], environment: [:]).wait()
            return code == 0 ? nil : "sh: \(code)"
          } catch {
            return "sh: \(error)"
          }
        }
      }
      return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
    }
    #expect(failures == [])
  }

  #if os(Linux)
    @Test func `a program inherits its own streams and no other pipes`() async throws {
      // Descriptors that the test process inherited are excluded.
      let before = Set(try Self.openPipes())
      let strays = try await withThrowingTaskGroup(of: [String].self) { group in
        // Other threads create pipes at any time.
        for _ in 0..<4 {
          group.addTask {
            try await ProgramRunner.blocking { (_) throws(AdapterError) in
              let end = ContinuousClock.now + .seconds(2)
              while ContinuousClock.now < end {
                // Without descriptors left there is nothing to be seen either.
                guard let pipe = try? ChildProgram.pipe() else { continue }
                close(pipe.reading)
                close(pipe.writing)
              }
              return []
            }
          }
        }
        for _ in 0..<8 {
          group.addTask {
            try await ProgramRunner.blocking { (_) throws(AdapterError) in
              var found: [String] = []
              for _ in 0..<40 {
                do {
                  found += try Self.openPipes()
                } catch {
                  throw AdapterError(.malformed, "\(error)")
                }
              }
              return found
            }
          }
        }
        return try await group.reduce(into: [String]()) { $0 += $1 }
      }
      #expect(strays.filter { !before.contains($0) } == [])
    }

    /// The pipes that a new program finds open besides its standard streams. Blocks.
    private static func openPipes() throws(ChildProgram.Failure) -> [String] {
      let pipe = try ChildProgram.pipe()
      let pid = try ChildProgram.start(
        "/bin/ls", ["-l", "/proc/self/fd"], environment: ["LC_ALL": "C"],
        output: .descriptor(pipe.writing))
      close(pipe.writing)
      var reader = LineReader(pipe.reading, limit: 1 << 20)
      while !reader.isAtEnd { reader.fill() }
      close(pipe.reading)
      waitpid(pid, nil, 0)
      var found: [String] = []
      while let line = reader.takeLine() {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard let arrow = words.firstIndex(of: "->"), let target = words.last,
          target.hasPrefix("pipe:"), let number = Int(words[arrow - 1]), number > 2
        else { continue }
        found.append(String(target))
      }
      return found
    }

    @Test func `a program begins without blocked signals, and may wait for its children`()
      async throws
    {
      let workshop = try Workshop()
      let program = try workshop.program(
        item: """
          grep -E '^Sig(Blk|Ign)' /proc/self/status | tr -d '\\t\\n' >"$ARCHIVER_FOLDER/s"; true & wait $!
            say '{"type":"item","metadata":{},"htmlFile":"s"}'
          """)
      let source = try workshop.source(program)
      let item = try await source.item(ItemReference(id: "1", revision: "1"))
      guard case .html(let bytes, _) = item.body else { throw AdapterError(.malformed, "") }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix("SigBlk:0000000000000000SigIgn:"), "\(text)")
      let ignored = try #require(UInt64(text.suffix(16), radix: 16))
      for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] {
        #expect(ignored & 1 << UInt64(signal - 1) == 0, "\(signal)")
      }
    }

    @Test func `the exit status of a program is reported even if SIGCHLD is ignored`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        signal(SIGCHLD, SIG_IGN)
        let workshop = try Workshop()
        let source = try workshop.source(try workshop.program(item: "exit 3"))
        let error = await failure {
          _ = try await source.item(ItemReference(id: "1", revision: ""))
        }
        workshop.remove()
        _exit(error?.message == "toy exited with status 3 before it responded" ? 0 : 1)
      }
    }

    @Test func `a pipe is never a standard stream, even if those are closed`() async {
      await #expect(processExitsWith: .exitCode(0)) {
        close(0)
        close(1)
        do {
          let input = try ChildProgram.pipe()
          let output = try ChildProgram.pipe()
          guard
            [input.reading, input.writing, output.reading, output.writing].allSatisfy({ $0 > 2 })
          else { _exit(1) }
          let pid = try ChildProgram.start(
            "/bin/cat", environment: [:], input: .descriptor(input.reading),
            output: .descriptor(output.writing))
          for end in [input.reading, output.writing] { close(end) }
          guard write(input.writing, "x", 1) == 1 else { _exit(2) }
          close(input.writing)
          var byte: UInt8 = 0
          guard read(output.reading, &byte, 1) == 1, byte == 0x78 else { _exit(3) }
          var status: Int32 = 1
          waitpid(pid, &status, 0)
          _exit(status == 0 ? 0 : 4)
        } catch {
          _exit(5)
        }
      }
    }
  #endif
}
