import OfflineCore

/// What has to hold for any bytes that someone stored as a directory.
enum DirectoryChecks {
    /// Damages a sound directory byte by byte, which chance alone would take long to arrive at.
    static func runWithChanges(_ stored: Bytes) {
        for index in stored.indices.prefix(80) {
            for change in [0x01, 0x80, 0xFF] as Bytes {
                var changed = stored
                changed[index] ^= change
                run(changed)
            }
        }
    }

    static func run(_ stored: Bytes) {
        let layout = try? RowDirectoryLayout(of: stored.span)
        if let layout {
            for row in 0..<layout.count {
                let range = try? layout.range(ofRow: row, in: stored.span)
                check((range?.upperBound ?? 0) <= layout.bodyLength, "a row is inside of its list")
            }
            for hash in [0, 1, 0xFF, UInt64.max] {
                let rows = (try? layout.rows(withHash: hash, in: stored.span)) ?? []
                check(rows.allSatisfy { (0..<layout.count).contains($0) }, "a row found is a row")
            }
        }
        guard let directory = try? RowDirectory(decoding: stored.span) else { return }
        check(layout != nil, "what is read whole can be read in place")
        check(directory.encoded == stored, "a directory is kept as it was stored")
        var end = 0
        for (row, hash) in directory.keyHashes.enumerated() {
            check(directory[row].lowerBound > end, "rows come in order")
            end = directory[row].upperBound
            guard let hash else { continue }
            check(directory.rows(withHash: hash).contains(row), "a key finds its row")
        }
    }
}
