// EventIntakeTests
