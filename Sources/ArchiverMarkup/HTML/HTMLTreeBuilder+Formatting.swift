extension HTMLTreeBuilder {
  /// Records a formatting element; of equal ones only the last three are kept.
  mutating func addFormatting(_ node: Int32) {
    tree[node].fingerprint = fingerprint(of: node)
    var equal = 0
    var earliest = 0
    var index = formatting.count - 1
    while index >= 0, formatting[index] != 0 {
      if areEqual(formatting[index], node) {
        equal += 1
        earliest = index
      }
      index -= 1
    }
    if equal >= 3 {
      formatting.remove(at: earliest)
    } else if formatting.count - 1 - index >= Self.maximumFormatting {
      formatting.remove(at: index + 1)
      tree.lostElements += 1
    }
    formatting.append(node)
  }

  /// Returns a hash of an element's name and attributes, independent of their order.
  private func fingerprint(of node: Int32) -> UInt32 {
    var sum = UInt32(bitPattern: tree[node].name)
    for attribute in tree.attributes(of: node) {
      var one = UInt32(bitPattern: attribute.name) &+ 1
      for offset in 0..<attribute.value.count {
        one = (one ^ UInt32(byte(attribute.value.start + offset))) &* 0x0100_0193
      }
      sum &+= one &* 0x9E37_79B1
    }
    return sum
  }

  private func areEqual(_ one: Int32, _ other: Int32) -> Bool {
    let first = tree[one]
    let second = tree[other]
    guard first.fingerprint == second.fingerprint, first.name == second.name,
      first.last == second.last
    else { return false }
    if first.last == 0 || first.first == second.first { return true }
    // Comparing many attributes would take quadratic time.
    if first.last > 32 { return false }
    for index in first.first..<(first.first + first.last) {
      let attribute = tree.attributes[Int(index)]
      var isFound = false
      for place in second.first..<(second.first + second.last)
      where tree.attributes[Int(place)].name == attribute.name {
        isFound = isEqual(attribute.value, tree.attributes[Int(place)].value)
        break
      }
      if !isFound { return false }
    }
    return true
  }

  private func isEqual(_ one: HTMLSlice, _ other: HTMLSlice) -> Bool {
    guard one.count == other.count else { return false }
    for offset in 0..<one.count where byte(one.start + offset) != byte(other.start + offset) {
      return false
    }
    return true
  }

  mutating func clearFormattingToMarker() {
    while let last = formatting.popLast(), last != 0 {}
  }

  /// Reconstructs formatting elements that were closed implicitly.
  mutating func reconstructFormatting() {
    guard let last = formatting.last, last != 0, !tree[last].isOpen else { return }
    var index = formatting.count - 1
    while index > 0, formatting[index - 1] != 0, !tree[formatting[index - 1]].isOpen {
      index -= 1
    }
    for node in formatting[index...] { copiesLeft -= cost(ofCopying: node) }
    guard copiesLeft >= 0 else {
      tree.lostElements += formatting.count - index
      formatting.removeSubrange(index...)
      return
    }
    while index < formatting.count {
      let node = tree.clone(formatting[index])
      insert(node)
      formatting[index] = node
      index += 1
    }
  }

  /// Returns the cost of copying an element: one, and one for every 32 bytes of its attributes.
  private func cost(ofCopying node: Int32) -> Int {
    tree.attributes(of: node).reduce(32) { $0 + $1.value.count + 4 } / 32
  }

  /// The last formatting element of a tag after the last marker, as an index.
  func lastFormatting(_ tag: HTMLTag) -> Int? {
    var index = formatting.count - 1
    while index >= 0, formatting[index] != 0 {
      if tree[formatting[index]].tag == tag { return index }
      index -= 1
    }
    return nil
  }

  mutating func removeFormatting(_ node: Int32) {
    if let index = formatting.lastIndex(of: node) { formatting.remove(at: index) }
  }

  /// The adoption agency algorithm: ends a formatting element with a misnested end tag.
  mutating func adopt() {
    let tag = tag
    if isCurrent(tag), !formatting.contains(current) { return pop() }
    for _ in 0..<8 {
      guard let found = lastFormatting(tag) else { return anyOtherEndTag() }
      let element = formatting[found]
      guard let place = open.lastIndex(of: element) else {
        formatting.remove(at: found)
        return
      }
      guard isInScope(node: element) else { return }
      guard let block = specialElement(above: place) else {
        popThrough(node: element)
        removeFormatting(element)
        return
      }
      copiesLeft -= 3 + cost(ofCopying: element)
      guard copiesLeft >= 0, place > 0 else {
        formatting.remove(at: found)
        tree.lostElements += 1
        return
      }
      adopt(element, block: block, ancestor: open[place - 1])
    }
  }

  private mutating func adopt(_ element: Int32, block: Int32, ancestor: Int32) {
    var bookmark = formatting.lastIndex(of: element) ?? 0
    let last = rebuildChain(from: element, to: block, &bookmark)
    tree.detach(last)
    let place = place(for: ancestor)
    tree.insert(last, into: place.parent, before: place.before)
    let copy = tree.clone(element)
    tree.moveChildren(of: block, to: copy)
    tree.insert(copy, into: block)
    if let index = formatting.lastIndex(of: element) {
      formatting.remove(at: index)
      if index < bookmark { bookmark -= 1 }
    }
    formatting.insert(copy, at: min(bookmark, formatting.count))
    if let index = open.lastIndex(of: element) { removeOpen(at: index) }
    tree[element].isOpen = false
    if let index = open.lastIndex(of: block) { insertOpen(copy, at: index + 1) }
    tree[copy].isOpen = true
  }

  /// Clones the formatting elements between an element and a block around the block, and returns
  /// the outermost clone.
  private mutating func rebuildChain(
    from element: Int32, to block: Int32, _ bookmark: inout Int
  ) -> Int32 {
    var last = block
    var index = open.lastIndex(of: block) ?? 0
    var count = 0
    while index > 0 {
      count += 1
      index -= 1
      let node = open[index]
      if node == element { break }
      var listed = formatting.lastIndex(of: node)
      if count > 3, let old = listed {
        formatting.remove(at: old)
        if old < bookmark { bookmark -= 1 }
        listed = nil
      }
      guard let listed else {
        removeOpen(at: index)
        tree[node].isOpen = false
        continue
      }
      copiesLeft -= cost(ofCopying: node)
      let copy = tree.clone(node)
      formatting[listed] = copy
      open[index] = copy
      tree[node].isOpen = false
      tree[copy].isOpen = true
      if last == block { bookmark = listed + 1 }
      tree.detach(last)
      tree.insert(last, into: copy)
      last = copy
    }
    return last
  }

  /// Returns the first special element after an index of the open elements.
  private func specialElement(above place: Int) -> Int32? {
    var index = place + 1
    while index < kinds.count {
      if kinds[index].isSpecial { return open[index] }
      index += 1
    }
    return nil
  }

  /// Closes the element that an end tag names, unless a special element is open inside it.
  mutating func anyOtherEndTag() {
    let tag = tag
    guard isOpen(tag) else { return }
    var index = kinds.count - 1
    while index > 0 {
      let kind = kinds[index]
      if kind.isHTML(tag), tree[open[index]].name == tokenizer.name {
        let wanted = open[index]
        popImplied(except: tag)
        return popThrough(node: wanted)
      }
      if kind.isSpecial { return }
      index -= 1
    }
  }
}
