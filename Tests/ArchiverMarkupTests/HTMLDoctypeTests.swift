import Testing

@testable import ArchiverMarkup

/// Doctypes, and those of them that select quirks mode.
@Suite struct HTMLDoctypeTests {
  @Test(
    arguments: sides(
      of: #"""
        <!DOCTYPE html>x => <!DOCTYPE html - -> ¦ "x"
        <!doctype HTML>x => <!DOCTYPE html - -> ¦ "x"
        <!DocType abc >x => <!DOCTYPE abc - -> ¦ "x"
        <!DOCTYPEab>x => <!DOCTYPE ab - -> ¦ "x"
        <!DOCTYPE⏎ html⏎>x => <!DOCTYPE html - -> ¦ "x"
        <!DOCTYPE @AZ[>x => <!DOCTYPE @az[ - -> ¦ "x"
        <!DOCTYPE>x => <!DOCTYPE - - - quirks> ¦ "x"
        <!DOCTYPE >x => <!DOCTYPE - - - quirks> ¦ "x"
        <!DOCTYPE => <!DOCTYPE - - - quirks>
        <!DOCTYPE  => <!DOCTYPE - - - quirks>
        <!DOCTYPE html => <!DOCTYPE html - - quirks>
        <!DOCTYPE html  => <!DOCTYPE html - - quirks>
        <!DOCTYPE html x>y => <!DOCTYPE html - - quirks> ¦ "y"
        <!DOCTYPE html xy>z => <!DOCTYPE html - - quirks> ¦ "z"
        <!DOCTYPE html x => <!DOCTYPE html - - quirks>
        <!DOCTYPE h␀M>x => <!DOCTYPE h�m - -> ¦ "x"
        """#))
  func `a doctype has a name in lower case`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        <!DOCTYPE html PUBLIC "a" "b">x => <!DOCTYPE html 'a' 'b'> ¦ "x"
        <!DOCTYPE html public 'abc'>x => <!DOCTYPE html 'abc' -> ¦ "x"
        <!DOCTYPE html PUBLIC "abc" >x => <!DOCTYPE html 'abc' -> ¦ "x"
        <!DOCTYPE html PUBLIC"ab"'cd' >x => <!DOCTYPE html 'ab' 'cd'> ¦ "x"
        <!DOCTYPE html  Public  "aB"  "Cd"  >x => <!DOCTYPE html 'aB' 'Cd'> ¦ "x"
        <!DOCTYPE html PUBLIC "" "">x => <!DOCTYPE html '' ''> ¦ "x"
        <!DOCTYPE html PUBLIC "a'b" 'c"d'>x => <!DOCTYPE html 'a'b' 'c"d'> ¦ "x"
        <!DOCTYPE html PUBLIC "a␀B" '␀'>x => <!DOCTYPE html 'a�B' '�'> ¦ "x"
        <!DOCTYPE html PUBLIC "a" "b" x>y => <!DOCTYPE html 'a' 'b'> ¦ "y"
        <!DOCTYPE html PUBLIC>x => <!DOCTYPE html - - quirks> ¦ "x"
        <!DOCTYPE html PUBLIC x>y => <!DOCTYPE html - - quirks> ¦ "y"
        <!DOCTYPE html PUBLIC => <!DOCTYPE html - - quirks>
        <!DOCTYPE html PUBLIC  => <!DOCTYPE html - - quirks>
        <!DOCTYPE html PUBLIC "ab>x => <!DOCTYPE html 'ab' - quirks> ¦ "x"
        <!DOCTYPE html PUBLIC "a => <!DOCTYPE html 'a' - quirks>
        <!DOCTYPE html PUBLIC "a" => <!DOCTYPE html 'a' - quirks>
        <!DOCTYPE html PUBLIC "a"  => <!DOCTYPE html 'a' - quirks>
        <!DOCTYPE html PUBLIC "a" x>y => <!DOCTYPE html 'a' - quirks> ¦ "y"
        <!DOCTYPE html PUBLIC "a" "b>x => <!DOCTYPE html 'a' 'b' quirks> ¦ "x"
        <!DOCTYPE html PUBLIC "a" "b => <!DOCTYPE html 'a' 'b' quirks>
        <!DOCTYPE html PUBLIC "a" "b" => <!DOCTYPE html 'a' 'b' quirks>
        <!DOCTYPE html PUBLIX "a">x => <!DOCTYPE html - - quirks> ¦ "x"
        """#))
  func `a public identifier may have a system identifier after it`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        <!DOCTYPE html SYSTEM "a">x => <!DOCTYPE html - 'a'> ¦ "x"
        <!DOCTYPE html system'abc'>x => <!DOCTYPE html - 'abc'> ¦ "x"
        <!DOCTYPE html SYSTEM "a" x>y => <!DOCTYPE html - 'a'> ¦ "y"
        <!DOCTYPE html SYSTEM "a"x >y => <!DOCTYPE html - 'a'> ¦ "y"
        <!DOCTYPE html SYSTEM>x => <!DOCTYPE html - - quirks> ¦ "x"
        <!DOCTYPE html SYSTEM x>y => <!DOCTYPE html - - quirks> ¦ "y"
        <!DOCTYPE html SYSTEM => <!DOCTYPE html - - quirks>
        <!DOCTYPE html SYSTEM "a>x => <!DOCTYPE html - 'a' quirks> ¦ "x"
        <!DOCTYPE html SYSTEM "a => <!DOCTYPE html - 'a' quirks>
        <!DOCTYPE html SYSTEM "a" => <!DOCTYPE html - 'a' quirks>
        <!DOCTYPE html SYSTEM "a"  => <!DOCTYPE html - 'a' quirks>
        <!DOCTYPE a SYSTEM "b"><!DOCTYPE>x => <!DOCTYPE a - 'b'> ¦ <!DOCTYPE - - - quirks> ¦ "x"
        <!DOCTYPE a PUBLIC "b"><!DOCTYPE c> => <!DOCTYPE a 'b' -> ¦ <!DOCTYPE c - ->
        <!DOCTYPE><!DOCTYPE a> => <!DOCTYPE - - - quirks> ¦ <!DOCTYPE a - ->
        """#))
  func `a system identifier may be alone`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  private static func isQuirky(
    _ publicIdentifier: String?, _ systemIdentifier: String? = nil, name: String = "html",
    forced: Bool = false
  ) -> Bool {
    HTMLQuirks.isQuirky(
      name: Array(name.utf8), publicIdentifier: publicIdentifier.map { Array($0.utf8) },
      systemIdentifier: systemIdentifier.map { Array($0.utf8) }, forced: forced)
  }

  /// The beginnings of public identifiers that the standard lists.
  private static let prefixes: [String] = [
    "+//Silmaril//dtd html Pro v0r11 19970101//", "-//AS//DTD HTML 3.0 asWedit + extensions//",
    "-//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//", "-//IETF//DTD HTML 2.0 Level 1//",
    "-//IETF//DTD HTML 2.0 Level 2//", "-//IETF//DTD HTML 2.0 Strict Level 1//",
    "-//IETF//DTD HTML 2.0 Strict Level 2//", "-//IETF//DTD HTML 2.0 Strict//",
    "-//IETF//DTD HTML 2.0//", "-//IETF//DTD HTML 2.1E//", "-//IETF//DTD HTML 3.0//",
    "-//IETF//DTD HTML 3.2 Final//", "-//IETF//DTD HTML 3.2//", "-//IETF//DTD HTML 3//",
    "-//IETF//DTD HTML Level 0//", "-//IETF//DTD HTML Level 1//", "-//IETF//DTD HTML Level 2//",
    "-//IETF//DTD HTML Level 3//", "-//IETF//DTD HTML Strict Level 0//",
    "-//IETF//DTD HTML Strict Level 1//", "-//IETF//DTD HTML Strict Level 2//",
    "-//IETF//DTD HTML Strict Level 3//", "-//IETF//DTD HTML Strict//", "-//IETF//DTD HTML//",
    "-//Metrius//DTD Metrius Presentational//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 2.0 Tables//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 3.0 Tables//", "-//Netscape Comm. Corp.//DTD HTML//",
    "-//Netscape Comm. Corp.//DTD Strict HTML//", "-//O'Reilly and Associates//DTD HTML 2.0//",
    "-//O'Reilly and Associates//DTD HTML Extended 1.0//",
    "-//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//",
    "-//SQ//DTD HTML 2.0 HoTMetaL + extensions//",
    "-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//",
    "-//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//",
    "-//Spyglass//DTD HTML 2.0 Extended//", "-//Sun Microsystems Corp.//DTD HotJava HTML//",
    "-//Sun Microsystems Corp.//DTD HotJava Strict HTML//", "-//W3C//DTD HTML 3 1995-03-24//",
    "-//W3C//DTD HTML 3.2 Draft//", "-//W3C//DTD HTML 3.2 Final//", "-//W3C//DTD HTML 3.2//",
    "-//W3C//DTD HTML 3.2S Draft//", "-//W3C//DTD HTML 4.0 Frameset//",
    "-//W3C//DTD HTML 4.0 Transitional//", "-//W3C//DTD HTML Experimental 19960712//",
    "-//W3C//DTD HTML Experimental 970421//", "-//W3C//DTD W3 HTML//",
    "-//W3O//DTD W3 HTML 3.0//", "-//WebTechs//DTD Mozilla HTML 2.0//",
    "-//WebTechs//DTD Mozilla HTML//",
  ]

  @Test(arguments: prefixes)
  func `a public identifier of the standard's list selects quirks mode`(prefix: String) {
    #expect(Self.isQuirky(prefix + "EN"))
    #expect(Self.isQuirky(prefix, "http://www.w3.org/TR/html4/strict.dtd"))
    #expect(!Self.isQuirky(String(prefix.dropFirst())))
  }

  @Test(arguments: [
    "-//W3O//DTD W3 HTML Strict 3.0//EN//", "-/W3C/DTD HTML 4.0 Transitional/EN", "HTML",
  ])
  func `some public identifiers select quirks mode only as a whole`(identifier: String) {
    #expect(Self.isQuirky(identifier))
    #expect(Self.isQuirky(identifier, "x"))
    #expect(!Self.isQuirky(identifier + "x"))
  }

  @Test(arguments: ["-//W3C//DTD HTML 4.01 Frameset//", "-//W3C//DTD HTML 4.01 Transitional//"])
  func `HTML 4 01 selects quirks mode without a system identifier`(prefix: String) {
    #expect(Self.isQuirky(prefix + "EN"))
    #expect(!Self.isQuirky(prefix + "EN", ""))
    #expect(!Self.isQuirky(prefix + "EN", "http://www.w3.org/TR/html4/loose.dtd"))
  }

  @Test func `other names, and doctypes with an error, select quirks mode`() {
    #expect(!Self.isQuirky(nil))
    #expect(Self.isQuirky(nil, forced: true))
    for name in ["", "htm", "htmlx", "HTML"] { #expect(Self.isQuirky(nil, name: name)) }
    #expect(!Self.isQuirky("-//W3C//DTD HTML 4.01//EN"))
    #expect(!Self.isQuirky("-//W3C//DTD XHTML 1.0 Transitional//EN"))
    #expect(!Self.isQuirky(nil, "about:legacy-compat"))
    #expect(!Self.isQuirky("", ""))
    let transitional = "http://www.IBM.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
    #expect(Self.isQuirky(nil, transitional))
    #expect(Self.isQuirky("x", transitional))
    #expect(!Self.isQuirky("x", transitional + "x"))
  }

  @Test(arguments: [
    ("<!DOCTYPE html>", false), ("", true), ("<!DOCTYPE>", true), ("<!DOCTYPE htm>", true),
    ("<!-- a --><!DOCTYPE html>", false), (" <!DOCTYPE HTML> ", false), ("x<!DOCTYPE html>", true),
    ("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2//EN'>", true),
    ("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>", true),
    ("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'x'>", false),
    ("<!DOCTYPE html SYSTEM 'about:legacy-compat'>", false),
  ])
  func `a table ends a paragraph outside quirks mode`(doctype: String, isQuirky: Bool) throws {
    let log = HTMLEventLog()
    try HTMLParser.parse(Array((doctype + "<p>a<table></table>").utf8), into: log)
    let table = isQuirky ? "<table></table></p>" : "</p><table></table>"
    #expect(log.log.hasSuffix("<p>a" + table + "</body></html>"), "\(log.log)")
  }
}
