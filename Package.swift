// swift-tools-version: 6.2
import PackageDescription

// No packages: the standard toolchain and system C libraries only. Each C library
// is imported by exactly one module; Scripts/check-layers holds the graph below.

// Warnings are errors in continuous integration only: a newer compiler or library must not break a user's build.
let isContinuousIntegration = Context.environment["CI"] == "true"
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (isContinuousIntegration ? [.treatAllWarnings(as: .error)] : [])

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func plugin(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Plugins/\(name)", swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// What the program says of its own build; `Scripts/build-info` prints the variables.
func buildInfo(_ name: String) -> CSetting? {
  Context.environment[name].map { .define(name, to: "\"\($0)\"") }
}

/// Full RELRO: all symbols are bound at the start, and their table is read-only then. GNU ld writes no
/// PT_GNU_RELRO for a program with the static Swift runtime; lld does.
let hardening =
  (Context.environment["ARCHIVER_LINKER"].map { ["-use-ld=\($0)"] } ?? [])
  + ["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"]

let package = Package(
  name: "archiver",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "archiver", targets: ["archiver"]),
    .library(name: "ArchiverCore", targets: ["ArchiverCore"]),
  ],
  dependencies: [],
  targets: [
    .target(
      name: "CBuildInfo",
      cSettings: ["ARCHIVER_COMMIT", "ARCHIVER_BUILD_DATE"].compactMap(buildInfo)),
    system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    system("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
    system("CPCRE2", pkgConfig: "libpcre2-8", apt: "libpcre2-dev", brew: "pcre2"),
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    system("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    system("CZip", pkgConfig: "libzip", apt: "libzip-dev", brew: "libzip"),
    // Debian and Homebrew install no description for pkg-config.
    .systemLibrary(
      name: "CStemmer", providers: [.apt(["libstemmer-dev"]), .brew(["snowball"])]),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    // The next two are optional: loaded when they are needed, not linked.
    .systemLibrary(
      name: "CQPDF", providers: [.apt(["libqpdf-dev"]), .brew(["qpdf"])]),
    .systemLibrary(
      name: "CArchive", providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CHeap"),
    .systemLibrary(name: "CLandlock"),
    .systemLibrary(name: "CPriority"),

    module("ArchiverCore", ["CHeap"]),
    module("ArchiverConformance", ["ArchiverCore"]),
    module("ArchiverTransport", ["ArchiverCore", "CCurl"]),
    module("ArchiverMarkup", ["ArchiverCore", "CXML2", "CPCRE2"]),
    module("ArchiverEPUB", ["ArchiverCore", "ArchiverMarkup", "CArchive", "CZip"]),
    module("ArchiverPDF", ["ArchiverCore", "CQPDF"]),
    module("ArchiverStorage", ["ArchiverCore", "CSQLite", "CCrypto", "CZlib", "CFileSystem"]),
    .target(
      name: "ArchiverSite",
      dependencies: ["ArchiverCore", "ArchiverMarkup", "ArchiverStorage", "CStemmer"],
      resources: [.embedInCode("Assets")], swiftSettings: strict),
    module(
      "ArchiverPipeline",
      [
        "ArchiverCore", "ArchiverMarkup", "ArchiverEPUB", "ArchiverPDF", "ArchiverStorage",
        "ArchiverSite",
      ]),
    module(
      "ArchiverExport",
      ["ArchiverCore", "ArchiverMarkup", "ArchiverEPUB", "ArchiverStorage", "ArchiverSite"]),

    plugin("ReadeckAdapter", ["ArchiverCore", "ArchiverMarkup"]),
    plugin("NotionAdapter", ["ArchiverCore", "ArchiverMarkup"]),
    plugin("BookCatalogAdapter", ["ArchiverCore", "ArchiverMarkup"]),
    plugin("CommandAdapter", ["ArchiverCore"]),
    module(
      "ArchiverAdapters",
      ["ArchiverCore", "BookCatalogAdapter", "CommandAdapter", "NotionAdapter", "ReadeckAdapter"]),

    module(
      "ArchiverCLI",
      [
        "ArchiverCore", "ArchiverAdapters", "ArchiverConformance", "ArchiverExport",
        "ArchiverPipeline", "ArchiverPDF", "ArchiverStorage", "ArchiverSite", "ArchiverTransport",
        "CBuildInfo", "CLandlock", "CPriority",
      ]),
    .executableTarget(
      name: "archiver", dependencies: ["ArchiverCLI"], swiftSettings: strict,
      linkerSettings: [
        .unsafeFlags(hardening, .when(platforms: [.linux], configuration: .release))
      ]),

    module("ArchiverTestKit", ["ArchiverCore", "ArchiverConformance"]),
    module(
      "ArchiverFuzzing",
      [
        "ArchiverCore", "ArchiverMarkup", "ArchiverEPUB", "ArchiverPDF", "ArchiverSite",
        "ArchiverStorage",
        "ArchiverTestKit", "BookCatalogAdapter", "CommandAdapter", "NotionAdapter",
        "ReadeckAdapter",
      ]),
    .executableTarget(
      name: "archiver-fuzz", dependencies: ["ArchiverCore", "ArchiverFuzzing"],
      swiftSettings: strict),
    .executableTarget(
      name: "archiver-demo-server", dependencies: ["ArchiverCore", "ArchiverTestKit"],
      exclude: ["Pictures"], swiftSettings: strict),
    .executableTarget(
      name: "archiver-bench-server", dependencies: ["ArchiverCore", "ArchiverTestKit"],
      swiftSettings: strict),

    .executableTarget(
      name: "archiver-bench-stages",
      dependencies: [
        "ArchiverCore", "ArchiverEPUB", "ArchiverMarkup", "ArchiverStorage", "ArchiverSite",
      ],
      swiftSettings: strict),

    tests("ArchiverCoreTests", ["ArchiverCore"]),
    tests("ArchiverTransportTests", ["ArchiverCore", "ArchiverTransport", "ArchiverTestKit"]),
    tests(
      "ArchiverMarkupTests",
      ["ArchiverCore", "ArchiverMarkup", "ArchiverFuzzing", "ArchiverTestKit"]),
    .testTarget(
      name: "ArchiverFuzzingTests",
      dependencies: [
        "ArchiverCore", "ArchiverFuzzing", "ArchiverMarkup", "ArchiverTestKit", "ArchiverTransport",
      ],
      exclude: ["Corpus"], swiftSettings: strict),
    tests(
      "ArchiverEPUBTests",
      ["ArchiverCore", "ArchiverMarkup", "ArchiverEPUB", "ArchiverTestKit", "CZip"]),
    tests("ArchiverPDFTests", ["ArchiverCore", "ArchiverPDF", "ArchiverTestKit", "archiver"]),
    tests("ArchiverStorageTests", ["ArchiverCore", "ArchiverStorage", "ArchiverTestKit"]),
    tests(
      "ArchiverSiteTests",
      [
        "ArchiverCore", "ArchiverMarkup", "ArchiverStorage", "ArchiverSite", "ArchiverTestKit",
        "ArchiverTransport",
      ]),
    tests(
      "ArchiverPipelineTests",
      [
        "ArchiverCore", "ArchiverExport", "ArchiverMarkup", "ArchiverPDF", "ArchiverStorage",
        "ArchiverPipeline", "ArchiverSite", "ArchiverTestKit",
      ]),
    tests(
      "ArchiverExportTests",
      [
        "ArchiverCore", "ArchiverEPUB", "ArchiverExport", "ArchiverMarkup", "ArchiverSite",
        "ArchiverStorage", "ArchiverTestKit",
      ]),
    tests(
      "ArchiverCLITests",
      [
        "ArchiverCore", "ArchiverCLI", "ArchiverAdapters", "ArchiverPipeline", "ArchiverSite",
        "ArchiverStorage", "ArchiverTestKit",
      ]),
    tests("BookCatalogAdapterTests", ["ArchiverCore", "ArchiverTestKit", "BookCatalogAdapter"]),
    tests("CommandAdapterTests", ["ArchiverCore", "ArchiverTestKit", "CommandAdapter"]),
    tests("ReadeckAdapterTests", ["ArchiverCore", "ArchiverTestKit", "ReadeckAdapter"]),
    tests(
      "NotionAdapterTests", ["ArchiverCore", "ArchiverMarkup", "ArchiverTestKit", "NotionAdapter"]),
    tests(
      "ArchiverEndToEndTests",
      [
        "ArchiverCLI", "ArchiverCore", "ArchiverEPUB", "ArchiverMarkup", "ArchiverTestKit",
        "ArchiverTransport", "archiver",
        "archiver-demo-server",
      ], exclude: ["Fixtures"]),
    tests("BookCatalogServerTests", ["ArchiverCore", "ArchiverTestKit", "archiver"]),
  ],
  swiftLanguageModes: [.v6]
)
