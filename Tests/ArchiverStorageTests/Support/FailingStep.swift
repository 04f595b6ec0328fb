import Synchronization

@testable import ArchiverStorage

/// Fails the steps for which a rule returns an error number.
final class FailingStep: FaultInjector {
  typealias Rule = @Sendable (FileOperation, String) -> Int32?

  private let rule: Mutex<Rule>

  init(_ rule: @escaping Rule = { _, _ in nil }) {
    self.rule = Mutex(rule)
  }

  func set(_ rule: @escaping Rule) {
    self.rule.withLock { $0 = rule }
  }

  func fault(before operation: FileOperation, path: String) -> Int32? {
    rule.withLock { $0 }(operation, path)
  }
}

/// Counts steps, from 1.
final class StepCounter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
