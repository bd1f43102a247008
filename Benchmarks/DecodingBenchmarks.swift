import Foundation
import OfflineCore

/// Lists of rows, from bytes to the app's types.
func decodingBenchmarks(_ report: inout Report) async throws {
    let body = ContiguousArray(sampleList(rows: 1_000))
    let data = Data(body)
    let rows = "list of 1,000 rows (\(body.count / 1_000) KB) decoded"

    let plainDecoder = JSONDecoder()
    let plain = try await interleaved(rounds: 200) {
        use(try RowDecoder().decode([PlainRow].self, from: body))
    } plain: {
        use(try plainDecoder.decode([PlainRow].self, from: data))
    }
    report.row(
        rows + ", plain columns, against JSONDecoder", ours: plain.ours, plain: plain.plain,
        budget: .atMost(0.4))

    let richDecoder = JSONDecoder.supabase()
    let rich = try await interleaved(rounds: 200) {
        use(try RowDecoder().decode([RichRow].self, from: body))
    } plain: {
        use(try richDecoder.decode([RichRow].self, from: data))
    }
    report.row(
        rows + ", with UUIDs and dates, against JSONDecoder with a fast strategy for dates",
        ours: rich.ours, plain: rich.plain, budget: .atMost(0.3))
}

/// The same in types that a date and a UUID have to be made for.
private struct RichRow: Decodable {
    let id: Int
    let userID: UUID
    let title: String
    let notes: String?
    let isDone: Bool
    let priority: Int
    let position: Double
    let createdAt: Date
    let updatedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, title, notes, priority, position
        case userID = "user_id"
        case isDone = "is_done"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
