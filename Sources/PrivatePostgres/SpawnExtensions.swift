#if canImport(Glibc)
  import Glibc

  /// Two file actions of `posix_spawn` that glibc has but, as extensions of its own, does not show to Swift. They are
  /// looked up by name, so an older library is no link error.
  enum SpawnExtensions {
    private typealias AddDirectory =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
      ) -> Int32
    private typealias AddCloseFrom =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
      ) -> Int32

    /// `POSIX_SPAWN_SETSID` of glibc's spawn.h.
    static let newSession: Int32 = 0x80

    private static let addDirectory = dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
      unsafeBitCast($0, to: AddDirectory.self)
    }
    private static let addCloseFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
      unsafeBitCast($0, to: AddCloseFrom.self)
    }

    /// Lets the child start in a directory (glibc 2.29); ENOSYS where the library cannot.
    static func changeDirectory(_ actions: inout posix_spawn_file_actions_t, to path: String) -> Int32 {
      addDirectory?(&actions, path) ?? ENOSYS
    }

    /// Closes all descriptors from this one on in the child (glibc 2.34). An older library leaves to the child what is
    /// not close-on-exec; nothing of this module's is.
    static func closeAll(_ actions: inout posix_spawn_file_actions_t, from descriptor: Int32) {
      _ = addCloseFrom?(&actions, descriptor)
    }
  }
#endif
