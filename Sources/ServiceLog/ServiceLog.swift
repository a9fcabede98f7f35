// ServiceLog
