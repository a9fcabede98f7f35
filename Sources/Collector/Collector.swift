// Collector
