import ArchiverCore

/// Finds out how many pages a comic has that a catalog streams without saying so (OPDS-PSE).
///
/// Asks for a page and hangs up at the answer's head, further and further until one is not there, then
/// between the last that was and the first that was not: some twenty requests for a thousand pages.
struct StreamProbe: Sendable {
  let client: CatalogClient

  /// More pages are not looked for: a server may answer any number with its last page.
  static let most = 4_096

  /// Statuses that are about the moment or the login, not about a page.
  private static let passing = [401, 403, 407, 408, 425, 429, 502, 503, 504]

  /// Returns the address of a page of a stream, from 0; `nil` where it needs what is not known.
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

  /// Returns whether a page is there; `nil` where the answer says nothing about that.
  private func has(_ page: Int, _ stream: CatalogLink) async throws(AdapterError) -> Bool? {
    guard let url = StreamProbe.address(stream, page: page).flatMap({ WebURL($0) }) else {
      return nil
    }
    do throws(AdapterError) {
      let answer = try await client.firstByte(url)
      if answer.isSuccess { return answer.mediaType != "text/html" }
      // Servers answer a page behind the last with 404, 400 (Kavita) or an error of their own. What may
      // pass says nothing: taken for the end it would cut the comic short.
      return StreamProbe.passing.contains(answer.status) ? nil : false
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }
}
