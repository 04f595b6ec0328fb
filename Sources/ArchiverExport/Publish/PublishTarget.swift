import ArchiverCore

/// A target to which the archive is published.
///
/// `Publisher` calls in this order: `known`, `begin`, then for each phase `announce` and `put` for
/// its files (concurrently, up to `width`), `commit`, `remove`, `finish`; after an error `finish`
/// only.
package protocol PublishTarget: Sendable {
  /// The address, for messages.
  var name: String { get }
  /// The maximum number of concurrent `put`.
  var width: Int { get }
  /// The number of requests so far; 0 for a folder.
  var requestCount: Int { get }

  /// Returns the published files according to the records, without a request.
  func known() async throws -> [String: PublishedFile]
  /// Whether a file has the published content although its times differ from those of the record
  /// `known`. If so, the record gets the file's times.
  func isSame(_ file: PublishedFile, as known: PublishedFile) throws -> Bool
  /// Whether an earlier run left work besides sending files, or the target is to be compared.
  func hasOpenWork(isAsked: Bool) throws -> Bool
  /// Whether this run deletes all files that are due. Otherwise a few files of the library stay
  /// until a later run: each change renames some, and a deletion costs requests.
  func sweeps() throws -> Bool
  /// Estimates the requests for a plan.
  func requests(puts byteCounts: [Int], deletes: Int, isSmall: Bool) -> Int

  /// Locks the target, unless the plan needs no lock, and compares it with the records if that is
  /// requested or due. Throws `PublishError`.
  ///
  /// - Parameters:
  ///   - files: The files of the archive.
  ///   - isSmall: Whether only one object will be replaced.
  ///   - audits: Whether a comparison is requested.
  /// - Returns: The comparison; `nil` if there was none. After one, `known` has other results.
  func begin(
    _ files: [PublishedFile], isSmall: Bool, audits: Bool
  ) async throws -> PublishAudit?
  /// Records that files are about to be sent.
  func announce(_ files: [PublishedFile]) async throws
  /// Sends a file; when this returns, the file is durable at the target.
  func put(_ file: PublishedFile) async throws
  /// Records the files that were removed from the archive, and writes the target's list of files.
  func commit(leaving: [PublishedFile], deleting: [PublishedFile]) async throws
  /// Deletes files; missing ones are not an error.
  func remove(_ files: [PublishedFile]) async throws
  /// Deletes files that were already missing from the archive in the previous run, to free space in
  /// a full target. Returns false if another archiver may need them.
  func makeRoom(_ files: [PublishedFile]) async throws -> Bool
  /// Unlocks the target.
  func finish(isComplete: Bool) async throws
  /// Returns sentences about the target of which the user was not notified yet.
  func takeWarnings() async throws -> [String]
}

extension PublishTarget {
  package var requestCount: Int { 0 }

  package func hasOpenWork(isAsked: Bool) throws -> Bool { isAsked }
  package func sweeps() throws -> Bool { true }
  package func requests(puts byteCounts: [Int], deletes: Int, isSmall: Bool) -> Int { 0 }
  package func makeRoom(_ files: [PublishedFile]) async throws -> Bool { false }
  package func takeWarnings() -> [String] { [] }
}

/// The result of comparing a target with the records.
package struct PublishAudit: Sendable, Hashable {
  /// The number of objects found.
  package var listed = 0
  /// The number of objects that are missing at the target.
  package var missing = 0
  /// The number of objects whose content differs from what was sent.
  package var changed = 0
  /// The number of objects that archiver did not send; they are not changed.
  package var foreign = 0
  /// The number of objects that were read completely.
  package var read = 0
}

/// The reason why the archive was not published, or not completely.
package struct PublishError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// Another process is publishing to the same place.
    case locked
    /// The target has files that archiver did not put there.
    case foreign
    case tooManyDeletes
    /// A file of the archive or the target cannot be read or written.
    case file
    /// The credentials are refused.
    case unauthorized
    /// The bucket does not exist.
    case missing
    /// The bucket is in another region.
    case region
    /// The local clock and the server's differ by too much.
    case clock
    /// The target has no space left.
    case full
    /// The target cannot be reached or fails.
    case unavailable
    /// The target refused a request.
    case refused
  }

  package let code: Code
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
