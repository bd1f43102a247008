import OfflineCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Finds out whether a failed write found no room.
///
/// LMDB calls a write that fitted in part an input or output error (`EIO`) and doesn't try the rest,
/// which would tell. So the same number of bytes is written to another file.
enum DiskProbe {
    /// Whether the disk has no room for so many bytes in a directory.
    ///
    /// - Complexity: O(*n*); it is asked only after a failure.
    static func isFull(for count: Int, in directory: String) -> Bool {
        let path = directory + "/probe"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return isForWantOfRoom(errno) }
        defer {
            close(file)
            unlink(path)
        }
        let chunk = [UInt8](repeating: 0, count: 1 << 16)
        var rest = count
        while rest > 0 {
            let written = write(file, chunk, min(rest, chunk.count))
            guard written > 0 else { return isForWantOfRoom(errno) }
            rest -= written
        }
        return false
    }
}

/// Whether an error of the system says that there is no room.
func isForWantOfRoom(_ code: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }
