import Foundation
import OfflineCore
import TestSupport

/// What a client keeps in memory, measured in processes of its own.
///
/// Freed memory stays with the allocator, so that a process tells little which did something else
/// before. The figures are Linux's own; elsewhere there are none.
func memoryBenchmarks(_ report: inout Report) async throws {
    guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return }
    try await withDirectory { directory in
        let answer = Bytes(sampleList(rows: 1_000))
        var readers: [MemoryReader] = []
        for size in [100 << 20, 1 << 20] {
            let place = directory.appending(path: "\(size)")
            let count = size / answer.count
            try await fill(place, with: Array(repeating: answer, count: count))
            readers.append(MemoryReader(place, lists: count, reads: 100, kind: .bytes))
        }
        let cached = try await memory(of: readers)
        report.row(
            "memory (RssAnon) after 100 reads of 1,000 rows each, with 100 MiB cached, against 1 MiB",
            ours: cached[0].anonymous, plain: cached[1].anonymous, unit: "MB",
            budget: .atMost(1.1))

        let long = Bytes(sampleList(rows: 10_000))
        let place = directory.appending(path: "long")
        try await fill(place, with: [long])
        let peaks = try await memory(
            of: [.bytes, .rows].map { MemoryReader(place, lists: 1, reads: 1, kind: $0) })
        let payload = Figures([Double(long.count) / 1e6])
        for (peak, kind) in zip(peaks, ["as bytes", "decoded"]) {
            report.row(
                "peak memory (VmHWM) of reading a list of 10,000 rows \(kind), against its length",
                ours: peak.peak, plain: payload, unit: "MB", budget: .atMost(3))
        }
    }
}

/// Stores lists under the numbers from 0 on.
private func fill(_ directory: URL, with answers: [Bytes]) async throws {
    let device = try Device(in: directory)
    for (number, answer) in answers.enumerated() {
        try await device.store(number, answer: answer)
    }
    await device.client.close()
}

/// What the processes of some readers take, in turn, in megabytes.
private func memory(
    of readers: [MemoryReader]
) async throws -> [(anonymous: Figures, peak: Figures)] {
    var taken = readers.map { _ in (anonymous: [Double](), peak: [Double]()) }
    for _ in 0..<10 {
        for (index, reader) in readers.enumerated() {
            let memory = try await reader.runApart()
            taken[index].anonymous.append(memory.anonymous)
            taken[index].peak.append(memory.peak)
        }
    }
    return taken.map { (Figures($0.anonymous), Figures($0.peak)) }
}
