// EventRecords
