import ArchiverCore
import ArchiverStorage

/// The script that lets readers sort and filter the tables of a database's page.
///
/// It is part of the page, so that a bundle copied elsewhere still has it, and the page's policy
/// allows only this text; Chromium and Firefox enforce that under `file://` too. Without scripts
/// the tables are as the source ordered them.
enum TableScript {
  static let text: [UInt8] = PackageResources.table_js

  /// As a content policy names it: `sha256-` and the digest in base 64.
  static let hash: String = {
    let hex = Array(Digest.sha256Hex(text).utf8)
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap {
      UInt8(String(decoding: hex[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    return "sha256-" + Data(bytes).base64EncodedString()
  }()
}
