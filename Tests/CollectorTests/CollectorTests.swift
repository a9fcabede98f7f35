// CollectorTests
