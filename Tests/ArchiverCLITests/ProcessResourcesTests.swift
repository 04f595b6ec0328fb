import Testing

@testable import ArchiverCLI

struct ProcessResourcesTests {
  @Test func `downloads at once are fitted to the files that may be open`() {
    #expect(ProcessResources.jobs(16, openFiles: 1024) == 16)
    #expect(ProcessResources.jobs(16, openFiles: 128) == 12)
    #expect(ProcessResources.jobs(16, openFiles: 64) == 1)
    #expect(ProcessResources.jobs(1000, openFiles: 1024) == 180)
    #expect(ProcessResources.jobs(16, openFiles: 0) == 1)
  }

  @Test func `too few open files are reported in a line`() {
    #expect(ProcessResources.shortage(openFiles: 32)?.contains("32 open files") == true)
    #expect(ProcessResources.shortage(openFiles: 96) == nil)
  }
}
