// EventScannerTests
