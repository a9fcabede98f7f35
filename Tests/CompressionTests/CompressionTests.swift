// CompressionTests
