/// URL schemes that a browser passes to another program or ignores, so that nothing is executed in
/// the page.
///
/// The schemes of IANA's registry that articles use, without those that execute or read something
/// in the browser itself (`javascript`, `data`, `blob`, `file`, `about`).
package enum LinkScheme {
  private static let inert: Set<String> = [
    "mailto", "tel", "sms", "smsto", "callto", "sip", "sips", "xmpp", "irc", "ircs", "matrix", "tg",
    "whatsapp", "signal", "skype", "facetime", "ftp", "ftps", "sftp", "ssh", "git", "svn", "rsync",
    "smb",
    "nfs", "ldap", "ldaps", "news", "nntp", "snews", "gopher", "gemini", "finger", "telnet", "dict",
    "urn",
    "doi", "hdl", "info", "ark", "tag", "isbn", "geo", "magnet", "ed2k", "ipfs", "ipns", "dat",
    "did",
    "at", "acct", "nostr", "bitcoin", "lightning", "ethereum", "monero", "webcal", "feed", "rtsp",
    "mms",
    "obsidian", "notion", "zotero", "spotify", "steam", "itms", "itms-apps", "market", "apt",
  ]

  /// Whether URLs with a scheme, in lower case, are permitted as links.
  package static func isInert(_ scheme: String) -> Bool { inert.contains(scheme) }

  /// Whether a URL has such a scheme.
  package static func isInert(address: String) -> Bool {
    ReferenceResolver.scheme(address).map { inert.contains($0) } ?? false
  }

  /// Whether a URL leads out of the bundle and may stay in a copy of its page: a fragment, a web
  /// address, or a URL with an inert scheme.
  package static func isElsewhere(_ address: String) -> Bool {
    address.hasPrefix("#") || isInert(address: address)
      || ["http:", "https:"].contains { scheme in
        address.prefix(scheme.utf8.count).lowercased() == scheme
      }
  }
}
