import Testing

@testable import ArchiverPipeline

@Suite struct FIFOTests {
  @Test func `returns elements in order, however it is filled and emptied`() {
    var queue = FIFO<Int>()
    var expected: [Int] = []
    for number in 0..<500 {
      queue.append(number)
      expected.append(number)
      // Grows, shrinks to nothing and grows again.
      for _ in 0..<(number % 7 == 0 ? 5 : number % 100 == 99 ? 1_000 : 0) {
        #expect(queue.popFirst() == (expected.isEmpty ? nil : expected.removeFirst()))
      }
      if number % 11 == 0, expected.count > 2 {
        let wanted = expected.remove(at: expected.count / 2)
        #expect(queue.remove { $0 == wanted } == wanted)
        #expect(queue.remove { $0 == wanted } == nil)
      }
      #expect(queue.count == expected.count)
      #expect(queue.first == expected.first)
    }
  }
}
