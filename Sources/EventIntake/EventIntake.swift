// EventIntake
