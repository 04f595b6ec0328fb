import ArchiverCore

/// Reads PDFs in child processes with limits on memory and time: the program starts itself with
/// `argument` and a path, and the child prints one line of JSON.
package enum PDFInspection {
  package static let argument = "read-pdf"
  /// The limit on address space, of which the program itself uses a part.
  private static let mostMemory: rlim_t = 512 << 20
  /// Processor time for any file, and additional time for each 8 MiB.
  private static let leastSeconds = 1
  private static let mostSeconds = 10

  private struct Answer: Codable {
    var facts: PDFFacts?
    var error: PDFError?
  }

  /// Does the child's work and returns its exit code; `nil` if this process is not such a child.
  package static func answer(_ arguments: [String]) -> Int32? {
    if let code = PDFText.become(arguments) { return code }
    guard arguments.count == 3, arguments[1] == argument else { return nil }
    limit(Int32(RLIMIT_AS.rawValue), to: mostMemory)
    limit(Int32(RLIMIT_CPU.rawValue), to: rlim_t(seconds(bytes: byteCount(arguments[2]))))
    limit(Int32(RLIMIT_CORE.rawValue), to: 0)
    var answer = Answer()
    do throws(PDFError) {
      answer.facts = try PDFReader().facts(path: arguments[2])
    } catch {
      answer.error = error
    }
    // Numbers and strings can always be encoded.
    guard let bytes = try? JSONEncoder().encode(answer) else { return 1 }
    return bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) } == bytes.count ? 0 : 1
  }

  /// Returns the processor time for a file: little for a small one, because even a small file can
  /// be made to take very long.
  package static func seconds(bytes: Int) -> Int {
    min(mostSeconds, leastSeconds + bytes >> 23)
  }

  private static func byteCount(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Returns the metadata of a PDF. Blocks until the child has ended or reached a limit.
  package static func facts(path: String) throws(PDFError) -> PDFFacts {
    do {
      let bytes = try output(
        of: program, [argument, path], most: 64 << 10, within: .seconds(15))
      let answer = try JSONDecoder().decode(Answer.self, from: Data(bytes))
      if let facts = answer.facts { return facts }
      throw answer.error ?? PDFError(.unreadable)
    } catch let error as PDFError {
      throw error
    } catch {
      // The child could not be started, or a limit ended it.
      throw PDFError(.unreadable)
    }
  }

  /// Returns what a child process prints, up to a number of bytes and a time, and ends it.
  static func output(
    of program: String, _ arguments: [String], most: Int, within time: Duration
  ) throws(ChildProgram.Failure) -> [UInt8] {
    let pipe = try ChildProgram.pipe()
    defer { close(pipe.reading) }
    let pid = try start(program, arguments, output: pipe.writing)
    let bytes = read(pipe.reading, most: most, until: .now + time)
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    return bytes
  }

  /// Closes `output`, which belongs to the child.
  private static func start(
    _ program: String, _ arguments: [String], output: Int32
  ) throws(ChildProgram.Failure) -> pid_t {
    defer { close(output) }
    let libraries = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
    return try ChildProgram.start(
      program, arguments, environment: libraries, output: .descriptor(output), error: .empty)
  }

  /// Reads at most a number of bytes.
  private static func read(
    _ descriptor: Int32, most: Int, until end: ContinuousClock.Instant
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < most, ContinuousClock.now < end {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, 100) <= 0 { continue }
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
      #else
        let count = Darwin.read(descriptor, &buffer, buffer.count)
      #endif
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      bytes += buffer[..<min(count, most - bytes.count)]
    }
    return bytes
  }

  static var program: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments.first ?? ""
    #endif
  }

  static func limit(_ resource: Int32, to value: rlim_t) {
    var bound = rlimit(rlim_cur: value, rlim_max: value)
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(UInt32(resource)), &bound)
    #else
      setrlimit(resource, &bound)
    #endif
  }
}
