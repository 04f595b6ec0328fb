import ArchiverCore

/// Decides whether a new copy of an item is worse than the archived one.
///
/// A page that was replaced by an error, a login form or nothing must not destroy the copy made
/// while it was whole.
enum Regression {
  /// Returns why the new copy is worse; `nil` when it may replace the old one.
  ///
  /// Words are counted in the visible text; `text` is the new copy's.
  static func reason(oldWords: Int, newWords: Int, text: String) -> String? {
    guard oldWords > 0 else { return nil }
    if newWords == 0 { return "the source no longer delivers its text" }
    guard oldWords >= 60, newWords * 2 < oldWords, newWords < 400 else { return nil }
    let lower = text.lowercased()
    for (mark, meaning) in marks where lower.contains(mark) {
      return "the source now delivers what looks like \(meaning)"
    }
    return nil
  }

  private static let marks: [(String, String)] = [
    ("captcha", "a captcha"), ("are you a robot", "a captcha"), ("are you human", "a captcha"),
    ("verify you are human", "a captcha"), ("checking your browser", "a captcha"),
    ("just a moment", "a captcha"), ("enable javascript", "a page that needs scripts"),
    ("log in to", "a login page"), ("sign in to", "a login page"),
    ("please log in", "a login page"), ("please sign in", "a login page"),
    ("subscribe to continue", "a paywall"), ("subscribe to read", "a paywall"),
    ("accept cookies", "a cookie wall"), ("access denied", "an error page"),
    ("page not found", "an error page"), ("404 not found", "an error page"),
    ("403 forbidden", "an error page"), ("internal server error", "an error page"),
    ("service unavailable", "an error page"), ("bad gateway", "an error page"),
    ("account suspended", "an error page"), ("domain is for sale", "a parked domain"),
  ]
}
