import Foundation

/// Rows of nine columns, about 250 bytes each.
func sampleList(rows count: Int) -> [UInt8] {
    let rows = (0..<count).map { index in
        """
        {"id":\(index),"user_id":"8c3b0f5e-6c5d-4d6b-9f1c-\(String(format: "%012d", index))",\
        "title":"Task number \(index) of a list","notes":null,"is_done":\(index % 3 == 0),\
        "priority":\(index % 5),"position":\(Double(index) + 0.5),\
        "created_at":"2026-01-02T03:04:05.123456+00:00",\
        "updated_at":"2026-02-03T04:05:06.654321+00:00"}
        """
    }
    return Array(("[" + rows.joined(separator: ", \n ") + "]").utf8)
}

/// A row of ``sampleList(rows:)`` in types that JSON has.
struct PlainRow: Decodable {
    let id: Int
    let userID: String
    let title: String
    let notes: String?
    let isDone: Bool
    let priority: Int
    let position: Double
    let createdAt: String
    let updatedAt: String

    enum CodingKeys: String, CodingKey {
        case id, title, notes, priority, position
        case userID = "user_id"
        case isDone = "is_done"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
