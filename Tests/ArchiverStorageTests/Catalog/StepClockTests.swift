import Testing

@testable import ArchiverStorage

struct StepClockTests {
  @Test func `a step is over when its limit has passed`() {
    let clock = StepClock(limit: .seconds(2))
    clock.start(at: 5)
    #expect(!clock.isOver(at: 7))
    #expect(clock.isOver(at: 7.01))
    clock.start(at: 7)
    #expect(!clock.isOver(at: 8.9))
  }
}
