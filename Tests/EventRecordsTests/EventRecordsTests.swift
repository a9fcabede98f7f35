// EventRecordsTests
