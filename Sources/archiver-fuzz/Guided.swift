#if LIBFUZZER
  import ArchiverCore
  import ArchiverFuzzing
  import Dispatch
  import Synchronization

  /// The target named by ARCHIVER_FUZZ_TARGET.
  private let target: FuzzTarget = waiting {
    let name = ProcessInfo.processInfo.environment["ARCHIVER_FUZZ_TARGET"] ?? "sanitizer"
    guard let target = try await FuzzTarget.named(name) else {
      preconditionFailure("There is no target \(name)")
    }
    return target
  }

  private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// libFuzzer's main function, for programs with one of their own.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<Arguments>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
  ) -> Int32

  /// The main function of this program for the package manager.
  @_cdecl("archiver_fuzz_main")
  func start(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> Int32 {
    var count = count
    var arguments = arguments
    // Only the program knows the seeds: it writes them to libFuzzer's corpus folder.
    if let folder = ProcessInfo.processInfo.environment["ARCHIVER_FUZZ_SEEDS"] { plant(folder) }
    return runDriver(&count, &arguments, testOneInput)
  }

  /// Writes the target's seeds, and its words as libFuzzer's dictionary beside the folder.
  private func plant(_ folder: String) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (index, seed) in target.seeds.enumerated() {
        try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(index)"))
      }
      let words = target.dictionary.map { word in
        let digits = word.utf8.map { byte in
          let digits = String(byte, radix: 16)
          return "\\x" + (digits.count < 2 ? "0" : "") + digits
        }
        return "\"\(digits.joined())\"\n"
      }
      try Data(words.joined().utf8).write(to: URL(fileURLWithPath: folder + ".dict"))
    } catch {
      preconditionFailure("\(folder) cannot be written: \(error)")
    }
  }

  /// Processes one input; libFuzzer traces the executed code.
  private func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let problems = waiting { await target.check(input) }
    guard problems.isEmpty else {
      print("BROKEN:", problems.prefix(3).joined(separator: "; "))
      fflush(nil)
      // libFuzzer keeps an input that aborts.
      abort()
    }
    return 0
  }

  /// Blocks the calling thread, which does not belong to Swift's pool, until asynchronous work has
  /// ended.
  private func waiting<T: Sendable>(_ work: @escaping @Sendable () async throws -> T) -> T {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<T?>(nil)
    Task {
      do {
        let value = try await work()
        result.withLock { $0 = value }
      } catch {
        preconditionFailure("\(error)")
      }
      done.signal()
    }
    done.wait()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("no result") }
    return value
  }
#endif
