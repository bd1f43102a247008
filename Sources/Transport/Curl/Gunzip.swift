#if canImport(CZlib)
import CZlib
import OfflineCore

/// Decompresses the body of an answer as it arrives (RFC 1952).
///
/// libcurl could do it, but takes a body for whole that stops inside its compression, as long as it
/// has its announced length. Half a list would then pass for a list.
final class Gunzip {
    /// Room for what one call gives back.
    private static let pieceLength = 1 << 16

    private enum State { case begun, inside, ended }

    // On the heap: the library remembers where it lies.
    private let stream: UnsafeMutablePointer<z_stream>
    private var state = State.begun

    /// - Returns: Nil if there is no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 16 on top of the greatest window stands for gzip alone.
        let code = inflateInit2_(
            stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    /// Whether everything that began has come to its end; a body may also be empty.
    var isWhole: Bool { state != .inside }

    /// Decompresses a piece.
    ///
    /// - Parameters:
    ///   - compressed: What arrived.
    ///   - take: Gets what it stands for, in order; false ends the work.
    /// - Returns: False if `take` did, or if this is no gzip.
    func decompress(
        _ compressed: UnsafeRawBufferPointer, into take: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        guard let start = compressed.baseAddress else { return true }
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: start.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = CUnsignedInt(compressed.count)
        return withUnsafeTemporaryAllocation(
            byteCount: Self.pieceLength, alignment: 1
        ) { piece in
            while true {
                // A body may consist of several streams, one behind the other.
                if state == .ended {
                    guard stream.pointee.avail_in > 0 else { return true }
                    guard inflateReset(stream) == Z_OK else { return false }
                }
                state = .inside
                stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = CUnsignedInt(piece.count)
                let code = inflate(stream, Z_NO_FLUSH)
                let count = piece.count - Int(stream.pointee.avail_out)
                guard take(UnsafeRawBufferPointer(rebasing: piece[..<count])) else { return false }
                switch code {
                case Z_STREAM_END: state = .ended
                case Z_OK where stream.pointee.avail_out == 0 || stream.pointee.avail_in > 0: break
                case Z_OK, Z_BUF_ERROR: return true
                default: return false
                }
            }
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }
}
#endif
