extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element for which `isBefore` is false; all elements for which it is true come
  /// first.
  func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
