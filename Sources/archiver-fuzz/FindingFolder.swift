#if !LIBFUZZER
  import ArchiverCore
  import ArchiverFuzzing

  /// The folder of inputs that violated a property.
  struct FindingFolder: Sendable {
    private let path: String

    init(_ folder: String, target: String) throws {
      path = folder + "/" + target
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Returns the inputs in a folder, sorted by name; empty if the folder does not exist.
    static func inputs(_ folder: String) -> [[UInt8]] {
      // A target without a corpus begins with its seeds.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().compactMap {
        FileManager.default.contents(atPath: folder + "/" + $0).map { Array($0) }
      }
    }

    /// Writes an input before it is processed, so that one that kills the process is not lost.
    func announce(_ input: [UInt8]) {
      write(input, to: path + "-last")
    }

    func forget() {
      // The file may not exist.
      try? FileManager.default.removeItem(atPath: path + "-last")
    }

    func keep(_ finding: FuzzRun.Finding) {
      // FNV-1a: equal inputs have the same file name.
      let mark = finding.input.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      let file = path + "-" + String(mark, radix: 16)
      write(finding.input, to: file)
      print("\(file): \(finding.problems.prefix(3).joined(separator: "; "))")
    }

    private func write(_ input: [UInt8], to file: String) {
      do {
        try Data(input).write(to: URL(fileURLWithPath: file))
      } catch {
        print("\(file) could not be written: \(error)")
      }
    }
  }
#endif
