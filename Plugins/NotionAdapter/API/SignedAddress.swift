import ArchiverCore

/// Notion's files have URLs signed for one hour; the signatures must not be stored.
enum SignedAddress {
  /// Returns the value without request ids, expiry times and the queries of signed URLs.
  static func removed(from value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements):
      return .array(elements.map(removed))
    case .object(var members):
      let isSigned = members["expiry_time"] != nil
      members["expiry_time"] = nil
      members["request_id"] = nil
      for (key, member) in members {
        if case .string(let text) = member {
          members[key] = .string(isSigned && key == "url" ? withoutQuery(text) : cleaned(text))
        } else {
          members[key] = removed(from: member)
        }
      }
      return .object(members)
    case .string(let text):
      return .string(cleaned(text))
    default:
      return value
    }
  }

  /// Returns the URL without its query if the query is a signature, otherwise unchanged.
  static func cleaned(_ text: String) -> String {
    guard text.hasPrefix("http"), text.contains("?"),
      ["X-Amz-", "Signature=", "signature="].contains(where: text.contains)
    else { return text }
    return withoutQuery(text)
  }

  private static func withoutQuery(_ text: String) -> String {
    String(text.prefix { $0 != "?" })
  }
}
