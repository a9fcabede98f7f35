// SpoolTests
