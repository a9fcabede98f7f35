// EventStoreTests
