package import ArchiverCore
import CSQLite

/// A prepared statement.
package final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  private let path: String
  private let clock: StepClock?

  init(
    _ sql: String, _ database: OpaquePointer, path: String, clock: StepClock? = nil
  ) throws(StorageError) {
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let result = sqlite3_prepare_v3(database, sql, -1, flags, &prepared, nil)
    guard result == SQLITE_OK, let prepared else { throw .sqlite(result, database, path) }
    handle = prepared
    self.clock = clock
    self.database = database
    self.path = path
  }

  deinit {
    sqlite3_finalize(handle)
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func bind(_ values: [any SQLValue]) throws(StorageError) {
    for (index, value) in values.enumerated() {
      let result = value.bind(to: handle, at: Int32(index + 1))
      guard result == SQLITE_OK else { throw .sqlite(result, database, path) }
    }
  }

  /// Binds the values of another statement's row, in the order of its columns.
  func bind(row: Statement, columns: Int) throws(StorageError) {
    for column in 0..<Int32(columns) {
      let result = sqlite3_bind_value(handle, column + 1, sqlite3_column_value(row.handle, column))
      guard result == SQLITE_OK else { throw .sqlite(result, database, path) }
    }
  }

  /// Advances to the next row; returns false if there is none.
  func step() throws(StorageError) -> Bool {
    clock?.start()
    let result = sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw .sqlite(result, database, path)
    }
  }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  package func number(_ column: Int32) -> UInt64 {
    UInt64(bitPattern: sqlite3_column_int64(handle, column))
  }

  package func bool(_ column: Int32) -> Bool { int(column) != 0 }

  package func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func data(_ column: Int32) -> Data {
    guard let start = sqlite3_column_blob(handle, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Calls `body` with the bytes of a blob, which are valid until the next step.
  package func withBytes<Value>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  package func date(_ column: Int32) -> Date {
    Date(timeIntervalSinceReferenceDate: sqlite3_column_double(handle, column))
  }

  package func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  package func optionalDate(_ column: Int32) -> Date? { isNull(column) ? nil : date(column) }
}

/// A value that can be bound to a statement.
package protocol SQLValue {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension String: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var copy = self
    // SQLite copies the bytes during the call, which SQLITE_TRANSIENT asks for.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return copy.withUTF8 { bytes in
      guard let start = bytes.baseAddress else {
        return sqlite3_bind_text(statement, index, "", 0, transient)
      }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text(statement, index, $0, Int32(bytes.count), transient)
      }
    }
  }
}

extension Int: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

/// A hash, whose bits are stored as a signed number.
extension UInt64: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(bitPattern: self))
  }
}

extension Data: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return withUnsafeBytes { bytes in
      // Without an address, SQLite would bind NULL.
      guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob(statement, index, start, Int32(bytes.count), transient)
    }
  }
}

extension Bool: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self ? 1 : 0)
  }
}

/// Seconds since 2001-01-01 UTC, the unit of `Date`, so that a date is read back equal.
extension Date: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_double(statement, index, timeIntervalSinceReferenceDate)
  }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: statement, at: index)
    case .none: sqlite3_bind_null(statement, index)
    }
  }
}
