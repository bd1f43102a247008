import FoundationEssentials

// How a write is kept. A tag says what it does from the start, so that what is still to come (uploads)
// needs no other format; a record of a newer format is refused with the whole store.

extension QueuedWrite {
    private static let format: UInt8 = 1

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let isPerhapsSent = Flags(rawValue: 1)
        static let isRowOptional = Flags(rawValue: 2)
        static let isSeparate = Flags(rawValue: 4)
        static let isIdempotent = Flags(rawValue: 8)
    }

    /// The record.
    package var bytes: Bytes {
        var writer = ByteWriter(reserving: 256 + (request.body?.count ?? 0))
        writer.append(Self.format)
        writer.append(operation.tag)
        var flags: Flags = []
        if isPerhapsSent { flags.insert(.isPerhapsSent) }
        if request.isRowOptional { flags.insert(.isRowOptional) }
        if isSeparate { flags.insert(.isSeparate) }
        if isIdempotent { flags.insert(.isIdempotent) }
        writer.append(flags.rawValue)
        writer.append(id)
        writer.append(createdAt.microseconds)
        writer.append(revision)
        writer.append(attempts)
        writer.append(failures.temporary)
        writer.append(failures.timeouts)
        writer.append(failures.reloads)
        writer.append(request)
        writer.append(each: dependencies) { $0.append($1) }
        writer.append(each: invalidates) { $0.append(counted: $1.text) }
        writer.append(optional: lastRefusal) { $0.append($1) }
        return writer.bytes
    }

    /// Reads a record.
    package init(_ bytes: Bytes) throws(StorageError) {
        var reader = ByteReader(bytes)
        try self.init(&reader)
    }

    init(_ reader: inout ByteReader) throws(StorageError) {
        let format: UInt8 = try reader.integer()
        guard format == Self.format else { throw .corrupted("a write has format \(format)") }
        let tag: UInt8 = try reader.integer()
        guard let operation = MutationOperation(tag: tag) else {
            throw .corrupted("a write has kind \(tag)")
        }
        let flags = Flags(rawValue: try reader.integer())
        let id = try reader.uuid()
        let createdAt = Timestamp(microseconds: try reader.integer())
        let revision: UInt32 = try reader.integer()
        let attempts: UInt32 = try reader.integer()
        var failures = Failures()
        failures.temporary = try reader.integer()
        failures.timeouts = try reader.integer()
        failures.reloads = try reader.integer()
        var request = try reader.request()
        request.isRowOptional = flags.contains(.isRowOptional)
        self.init(id: id, operation, request, createdAt: createdAt)
        self.revision = revision
        self.attempts = attempts
        self.failures = failures
        isPerhapsSent = flags.contains(.isPerhapsSent)
        isSeparate = flags.contains(.isSeparate)
        isIdempotent = flags.contains(.isIdempotent)
        dependencies = try reader.each { reader throws(StorageError) in try reader.uuid() }
        invalidates = try reader.each { reader throws(StorageError) in
            ListKey.Table(kept: try reader.countedText())
        }
        lastRefusal = try reader.optional { reader throws(StorageError) in try reader.refusal() }
    }
}

extension MutationOperation {
    fileprivate var tag: UInt8 {
        switch self {
        case .insert: 1
        case .upsert: 2
        case .update: 3
        case .delete: 4
        case .call: 5
        }
    }

    fileprivate init?(tag: UInt8) {
        guard let operation = Self.allCases.first(where: { $0.tag == tag }) else { return nil }
        self = operation
    }
}

extension ByteWriter {
    mutating func append(_ id: UUID) {
        let bytes = id.uuid
        for byte in [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8,
            bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ] { append(byte) }
    }

    fileprivate mutating func append(_ request: PostgrestRequest) {
        switch request.target {
        case .table(let name):
            append(UInt8(0))
            append(counted: name)
        case .function(let name):
            append(UInt8(1))
            append(counted: name)
        }
        append(counted: request.schema)
        append(counted: request.method)
        for items in [request.items, request.guards] {
            append(each: items) { writer, item in
                writer.append(counted: item.name)
                writer.append(counted: item.value)
            }
        }
        append(each: request.headers.fields) { writer, field in
            writer.append(counted: field.name)
            writer.append(counted: field.value)
        }
        append(optional: request.body) { $0.append(counted: $1) }
    }

    mutating func append(_ error: PostgrestError) {
        append(UInt16(clamping: error.status))
        append(counted: error.message)
        for text in [error.code, error.details, error.hint] {
            append(optional: text) { $0.append(counted: $1) }
        }
    }
}

extension ByteReader {
    mutating func uuid() throws(StorageError) -> UUID {
        let high: UInt64 = try integer()
        let low: UInt64 = try integer()
        return UUID(high: high, low: low)
    }

    fileprivate mutating func request() throws(StorageError) -> PostgrestRequest {
        let kind: UInt8 = try integer()
        let name = try countedText()
        let target: PostgrestRequest.Target
        switch kind {
        case 0: target = .table(name)
        case 1: target = .function(name)
        default: throw .corrupted("a write has target \(kind)")
        }
        let schema = try countedText()
        let method = try countedText()
        var items: [[PostgrestRequest.Item]] = []
        for _ in 0..<2 {
            items.append(
                try each { reader throws(StorageError) in
                    PostgrestRequest.Item(
                        name: try reader.countedText(), value: try reader.countedText())
                })
        }
        var request = PostgrestRequest(
            kept: target, schema: schema, method: method, items: items[0], guards: items[1])
        for _ in 0..<(try integer(UInt32.self)) {
            let name = try countedText()
            request.headers.append(try countedText(), for: name)
        }
        request.body = try optional { reader throws(StorageError) in try reader.countedBytes() }
        return request
    }

    mutating func refusal() throws(StorageError) -> PostgrestError {
        let status = Int(try integer(UInt16.self))
        let message = try countedText()
        var texts: [String?] = []
        for _ in 0..<3 {
            texts.append(
                try optional { reader throws(StorageError) in try reader.countedText() })
        }
        return PostgrestError(
            status: status, code: texts[0], message: message, details: texts[1], hint: texts[2])
    }
}
