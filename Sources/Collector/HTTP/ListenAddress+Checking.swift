extension ListenAddress {
  /// Binds and lets go again: what cannot be served is told before anything else is started.
  ///
  /// - Parameter loopbackOnly: refuse where any of the name's addresses can be reached from elsewhere.
  public func requireAvailable(loopbackOnly: Bool) throws(CollectorError) {
    _ = try ListeningSocket(self, loopbackOnly: loopbackOnly)
  }
}
