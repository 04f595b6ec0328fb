import ArchiverCore
import ArchiverStorage

/// Decides whether a new copy of an item is worse than the archived one, part by part.
///
/// What was replaced by an error, a login form or nothing must not destroy the copy made while it was
/// whole. No word of any language is looked for.
enum Regression {
  /// Words below which a text is too short to tell.
  private static let shortest = 40
  /// A text that shrinks below one part in this many is held back.
  private static let part = 4

  /// Returns why the new text is worse; `nil` when it may replace the old one.
  ///
  /// Words are counted in the visible text.
  static func reason(oldWords: Int, newWords: Int) -> String? {
    guard oldWords > 0 else { return nil }
    if newWords == 0 { return "the source no longer delivers its text" }
    guard oldWords >= shortest, newWords < oldWords / part else { return nil }
    return "the source now delivers \(newWords) words of \(oldWords); "
      + "'archiver accept' takes the shorter text"
  }

  /// Returns what is missing now and was there before, in a sentence; `nil` when nothing is.
  ///
  /// Of pictures and attached files the earlier ones stand in, so that they do not count here.
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
    MissingPart(
      kind, name: name, reason: reason, isPermanent: isPermanent, isEssential: isEssential)
  }
}
