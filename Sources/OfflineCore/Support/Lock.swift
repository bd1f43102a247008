#if THREAD_SANITIZER
// Thread Sanitizer can't see how a contended `Mutex` is handed over, because that happens inside the
// standard library, and reports races that are none. So its builds, which define this condition, lock
// with pthread, which it knows; everything else is watched as it is.
package typealias Lock = Monitor
#else
package import Synchronization

/// A value that is changed by one at a time, where nobody waits for its changes.
package typealias Lock = Mutex
#endif
