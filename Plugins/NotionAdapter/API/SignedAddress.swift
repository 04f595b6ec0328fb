import ArchiverCore

/// Notion's files live at addresses signed for one hour; what is stored must not carry the signature.
enum SignedAddress {
  /// Returns the value without request ids, expiry times and the queries of signed addresses.
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

  /// Returns the address without its query when that signs it, else the text as it is.
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
