import Foundation
import OfflineCore

extension Bytes {
    /// Bytes in which every piece differs from its neighbours.
    static func pattern(_ count: Int) -> Bytes {
        let block = Bytes((0..<1009).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        var bytes: Bytes = []
        bytes.reserveCapacity(count + block.count)
        // By blocks: element by element, many megabytes take seconds in a debug build.
        while bytes.count < count { bytes.append(contentsOf: block) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Whether these are the same bytes as others; `==` would be slow for many, as above.
    func holdsSame(as other: Bytes) -> Bool { Data(self) == Data(other) }
}
