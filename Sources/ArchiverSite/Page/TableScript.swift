import ArchiverCore
import ArchiverStorage

/// The script for sorting and filtering the tables of a database's page.
///
/// It is inline, so that copied bundles contain it. The page's policy permits only this text, which
/// Chromium and Firefox enforce with `file:` too. Without scripts the tables have the source's
/// order.
enum TableScript {
  static let text: [UInt8] = PackageResources.table_js

  /// The hash for the content security policy: `sha256-` and the digest in base64.
  static let hash: String = {
    let hex = Array(Digest.sha256Hex(text).utf8)
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap {
      UInt8(String(decoding: hex[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    return "sha256-" + Data(bytes).base64EncodedString()
  }()
}
