import ArchiverCore

/// Determines the page count of a comic that a catalog streams without declaring it (OPDS-PSE).
///
/// Doubles the page number until a page does not exist, and then searches between the last existing
/// and the first missing page. Responses are aborted after their heads.
struct StreamProbe: Sendable {
  let client: CatalogClient

  /// The highest page number requested: a server may answer every number with its last page.
  static let most = 4_096

  /// Statuses that concern the moment or the login, not the page.
  private static let passing = [401, 403, 407, 408, 425, 429, 502, 503, 504]

  /// Returns the URL of a page of a stream, numbered from 0; `nil` if the template has unknown
  /// variables.
  static func address(_ stream: CatalogLink, page: Int) -> String? {
    let address = stream.address.replacing("{pageNumber}", with: String(page))
      .replacing("{maxWidth}", with: "1600")
    return address.contains("{") ? nil : address
  }

  /// Returns the number of pages; `nil` if it cannot be determined.
  func count(_ stream: CatalogLink) async throws(AdapterError) -> Int? {
    guard try await has(0, stream) == true else { return nil }
    var there = 0
    var gone = 1
    while true {
      guard let has = try await has(gone, stream) else { return nil }
      guard has else { break }
      there = gone
      gone *= 2
      guard gone <= StreamProbe.most else { return nil }
    }
    while gone - there > 1 {
      let middle = (there + gone) / 2
      guard let has = try await has(middle, stream) else { return nil }
      if has { there = middle } else { gone = middle }
    }
    return gone
  }

  /// Returns whether a page exists; `nil` if the answer does not tell.
  private func has(_ page: Int, _ stream: CatalogLink) async throws(AdapterError) -> Bool? {
    guard let url = StreamProbe.address(stream, page: page).flatMap({ WebURL($0) }) else {
      return nil
    }
    do throws(AdapterError) {
      let answer = try await client.firstByte(url)
      if answer.isSuccess { return answer.mediaType != "text/html" }
      // Servers answer a page after the last with 404, 400 (Kavita) or an error of their own. A
      // transient error must not count as the end, which would truncate the comic.
      return StreamProbe.passing.contains(answer.status) ? nil : false
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }
}
