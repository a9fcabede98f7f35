// FunnelDocument
