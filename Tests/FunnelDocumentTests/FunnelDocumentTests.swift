// FunnelDocumentTests
