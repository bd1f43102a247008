import FoundationEssentials

extension ByteWriter {
    mutating func append(_ rejection: MutationRejection) {
        switch rejection {
        case .refused(let error):
            append(UInt8(1))
            append(error)
        case .persistentFailure(let error):
            append(UInt8(2))
            append(error)
        case .occupied(let error, let current):
            append(UInt8(3))
            append(error)
            append(counted: Bytes(current))
        case .conflict(let conflict):
            append(UInt8(4))
            append(optional: conflict.row.isGone ? nil : conflict.current ?? Data()) {
                $0.append(counted: Bytes($1))
            }
        case .outcomeUnknown: append(UInt8(5))
        case .dependency(let id):
            append(UInt8(6))
            append(id)
        }
    }

    mutating func append(_ outcome: MutationOutcome) {
        switch outcome {
        case .applied(let rows):
            append(UInt8(1))
            append(optional: rows) { $0.append(UInt64($1)) }
        case .rejected(let rejection):
            append(UInt8(2))
            append(rejection)
        case .cancelledOut: append(UInt8(3))
        case .discarded: append(UInt8(4))
        }
    }
}

extension ByteReader {
    mutating func rejection() throws(StorageError) -> MutationRejection {
        let tag: UInt8 = try integer()
        switch tag {
        case 1: return .refused(try refusal())
        case 2: return .persistentFailure(try refusal())
        case 3: return .occupied(try refusal(), current: Data(try countedBytes()))
        case 4:
            let row = try optional { reader throws(StorageError) in try reader.countedBytes() }
            // A row is never empty, so an empty one stands for one that could not be read.
            let kept = row.map { $0.isEmpty ? .unknown : WriteConflict.Row.changed(Data($0)) }
            return .conflict(WriteConflict(kept ?? .gone))
        case 5: return .outcomeUnknown
        case 6: return .dependency(on: try uuid())
        default: throw .corrupted("a write was rejected for reason \(tag)")
        }
    }

    mutating func outcome() throws(StorageError) -> MutationOutcome {
        let tag: UInt8 = try integer()
        switch tag {
        case 1:
            let rows = try optional { reader throws(StorageError) in
                try reader.integer(UInt64.self)
            }
            return .applied(rows: rows.flatMap { Int(exactly: $0) })
        case 2: return .rejected(try rejection())
        case 3: return .cancelledOut
        case 4: return .discarded
        default: throw .corrupted("a write ended in way \(tag)")
        }
    }
}

extension WriteConflict.Row {
    fileprivate var isGone: Bool { self == .gone }
}
