import EventRecords
import EventStore
import Foundation
import Postgres

/// Where judged records go: into batches, and whenever one is full, into PostgreSQL.
struct StoringSink: ~Copyable {
  private var store: BatchStore
  /// What became of the accepted events so far.
  private(set) var fates = FateCounts()

  /// How long a database that went away is waited for.
  private static let patience = Duration.seconds(30)

  init(_ store: consuming BatchStore) { self.store = store }

  /// Takes records over; they may be gone afterwards.
  mutating func add(_ records: borrowing EventRecordWriter) throws(CommandError) {
    for index in 0..<records.recordCount {
      try records.withRecord(index) { bytes throws(CommandError) in
        do {
          try store.add(bytes)
        } catch {
          throw .environment("a record of our own cannot be read: \(error)")
        }
      }
      if store.isFull { try flush() }
    }
  }

  /// Ends the run: nothing comes after this.
  mutating func finish() { store.finish() }

  /// Stores what is in the batch.
  mutating func flush() throws(CommandError) {
    let deadline = ContinuousClock.now + Self.patience
    var pause = 0.2
    while true {
      do {
        fates += try store.store()
        return
      } catch {
        guard error.isRetryable, ContinuousClock.now < deadline else { throw DatabaseFailure.commandError(error) }
        Thread.sleep(forTimeInterval: pause)
        pause = min(5, pause * 2)
      }
    }
  }
}
