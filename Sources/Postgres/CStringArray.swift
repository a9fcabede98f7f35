#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A C array of C strings, ended by a null pointer.
enum CStringArray {
  static func withPointers<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeBufferPointer { buffer in
      // Never empty: it holds the null pointer at least.
      withUnsafePointer(to: nil as UnsafePointer<CChar>?) { none in body(buffer.baseAddress ?? none) }
    }
  }
}
