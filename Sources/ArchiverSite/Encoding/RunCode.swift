/// Numbers of `PostingCode` in which many equal ones are short: a number that equals the one before
/// it, unless that ended such a run, is followed by the number of further equal ones.
struct RunCode {
  private var written: [UInt8] = []
  private var last = -1
  /// The number of times that `last` occurred.
  private var count = 0

  mutating func append(_ number: Int) {
    if number == last {
      count += 1
      if count == 2 { PostingCode.append(number, to: &written) }
      return
    }
    endRun()
    (last, count) = (number, 1)
    PostingCode.append(number, to: &written)
  }

  private mutating func endRun() {
    if count >= 2 { PostingCode.append(count - 2, to: &written) }
  }

  /// The numbers appended until now.
  var bytes: [UInt8] {
    var copy = self
    copy.endRun()
    return copy.written
  }
}
