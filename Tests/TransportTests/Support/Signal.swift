import Foundation
import OfflineCore

/// Something that a script waits for, on its thread.
final class Signal: Sendable {
    private let isSent = Monitor(false)

    func send() { isSent.withLock { $0 = true } }

    func wait() { isSent.wait { $0 } }
}

/// Waits until a file holds so many bytes.
func waitForFile(_ path: String, length: Int) async {
    func isThere() -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? Int ?? 0) >= length
    }
    while !isThere() { await Task.yield() }
}
