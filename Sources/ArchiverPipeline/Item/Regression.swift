import ArchiverCore
import ArchiverStorage

/// Decides whether a new copy of an item is worse than the archived one, part by part.
///
/// An error page, a login form or an empty text must not replace a complete copy. No words of any
/// language are looked for.
enum Regression {
  /// The minimum number of words of a text to judge.
  private static let shortest = 40
  /// A text that shrinks below this fraction of the old one is held back.
  private static let part = 4

  /// Returns why the new text is worse; `nil` if it may replace the old one.
  ///
  /// Words are counted in the visible text.
  static func reason(oldWords: Int, newWords: Int) -> String? {
    guard oldWords > 0 else { return nil }
    if newWords == 0 { return "the source no longer delivers its text" }
    guard oldWords >= shortest, newWords < oldWords / part else { return nil }
    return "the source now delivers \(newWords) words of \(oldWords)"
  }

  /// Returns a sentence about what is missing now and was present before; `nil` if nothing is.
  ///
  /// Images and attached files do not count, as the earlier ones are filled in.
  static func newLoss(_ new: Losses, since old: CatalogItem) -> String? {
    let before = old.losses ?? Losses()
    guard old.losses != nil || old.completeness != .failed else { return nil }
    let lost = new.entries.first { entry in
      [.text, .mainFile, .children, .record].contains(entry.kind) && entry.isEssential
        && before.count([entry.kind]) < entry.count
    }
    guard let lost else { return nil }
    return "\(Losses([lost.part]).sentence ?? lost.reason); the earlier copy is kept"
  }
}

extension Losses.Entry {
  fileprivate var part: MissingPart {
    var part = MissingPart(
      kind, name: name, reason: reason, isPermanent: isPermanent, isEssential: isEssential)
    part.isKept = isKept
    return part
  }
}
