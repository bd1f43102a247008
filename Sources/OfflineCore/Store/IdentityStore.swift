/// Who has data here, and who was the last to be settled.
package struct IdentityStore: Sendable {
    let storage: any Storage
    let writer: StoreWriter

    /// The user of a project who settled last, and whether a sign-out may have followed.
    package struct LastUser: Hashable, Sendable {
        package let id: UserID
        /// Whether no token was given since.
        ///
        /// The lists are then kept, but shown to nobody until a
        /// token names the user again.
        package let isHidden: Bool

        package init(_ id: UserID, isHidden: Bool) {
            self.id = id
            self.isHidden = isHidden
        }

        /// Reads a record; nil if it is another project's, whose name has the same hash.
        fileprivate init?(_ record: Bytes, of project: String) throws(StorageError) {
            var reader = ByteReader(record)
            isHidden = try reader.integer(UInt8.self) != 0
            guard let id = try reader.text().dropping(prefix: "\(project)\n") else { return nil }
            self.id = UserID(id)
        }

        fileprivate func record(of project: String) -> Bytes {
            var writer = ByteWriter()
            writer.append(UInt8(isHidden ? 1 : 0))
            writer.append("\(project)\n\(id.text)")
            return writer.bytes
        }
    }

    /// The user who settled last, or nil if nobody has, or the record can't be read.
    package func lastUser(of project: String) throws(StorageError) -> LastUser? {
        try storage.read { transaction throws(StorageError) in
            let key = KeyLayout.settledUser(of: project)
            guard let stored = try transaction.value(key, in: .meta) else { return nil }
            return try? LastUser(stored, of: project)
        }
    }

    /// Keeps who settled last, and that somebody has gone whose lists are to go too.
    ///
    /// - Parameters:
    ///   - user: The user; nil is nobody.
    ///   - departure: Who has gone.
    ///   - project: The host of the project.
    /// - Throws: ``StorageError``; nothing is changed then.
    package func settle(
        _ user: LastUser?, _ departure: Departure? = nil, of project: String
    ) async throws(StorageError) {
        let value = user?.record(of: project)
        try await writer.write { transaction throws(StorageError) in
            let key = KeyLayout.settledUser(of: project)
            if let value {
                try transaction.set(value, key, in: .meta)
            } else {
                try transaction.remove(key.span, in: .meta)
            }
            if let departure { try transaction.note(departure) }
        }
    }
}

extension Identity {
    /// The whole name, which no other identity has: a host can't hold a line feed.
    var name: String {
        switch owner {
        case .user(let id): "\(project)\nuser\n\(id.text)"
        case .visitor: "\(project)\nvisitor"
        }
    }

    /// The number under which this identity's data is kept, or nil if it has none.
    func number(in transaction: borrowing ReadTransaction) throws(StorageError) -> UInt32? {
        try Self.number(of: name, in: transaction)
    }

    /// The number under which the data of an identity is kept, by its whole name.
    static func number(
        of name: String, in transaction: borrowing ReadTransaction
    ) throws(StorageError) -> UInt32? {
        try transaction.value(forKey: KeyLayout.identity(name).span, in: .identities) {
            record throws(StorageError) in try number(in: record, of: name)
        }
    }

    /// The same.
    static func number(
        of name: String, in transaction: borrowing WriteTransaction
    ) throws(StorageError) -> UInt32? {
        try transaction.value(forKey: KeyLayout.identity(name).span, in: .identities) { record in
            (try? number(in: record, of: name)) ?? nil
        }
    }

    /// The number under which this identity's data is kept; one never used before, if need be.
    ///
    /// A record that can't be read, or is another identity's with the same hash, is replaced: what
    /// was kept under the number in it is then found by nobody, which is better than by another.
    func number(in transaction: inout WriteTransaction) throws(StorageError) -> UInt32 {
        try Self.number(naming: name, in: &transaction)
    }

    /// The same, of an identity by its whole name.
    static func number(
        naming name: String, in transaction: inout WriteTransaction
    ) throws(StorageError) -> UInt32 {
        if let known = try number(of: name, in: transaction) { return known }
        var record = ByteWriter()
        let number = try transaction.increment(KeyLayout.lastIdentityNumber, in: .meta)
        record.append(number)
        record.append(name)
        try transaction.set(record.bytes, KeyLayout.identity(name), in: .identities)
        return number
    }

    /// Reads a record in its place, as every read does; nil if it is another identity's.
    private static func number(
        in record: Span<UInt8>?, of name: String
    ) throws(StorageError) -> UInt32? {
        guard let record else { return nil }
        let start = UInt32.bitWidth / 8
        guard record.count >= start else { throw .corrupted("a record is too short") }
        let stored = record.extracting(start..<record.count)
        guard stored.equals(Bytes(name.utf8).span) else { return nil }
        return record.bigEndian(UInt32.self, at: 0)
    }
}

extension String {
    fileprivate func dropping(prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(utf8.dropFirst(prefix.utf8.count))
    }
}

extension ReadTransaction {
    /// Everybody who has data here, by their numbers and whole names; who can't be read is left out.
    func identities() throws(StorageError) -> [(number: UInt32, name: String)] {
        var all: [(number: UInt32, name: String)] = []
        try scan(in: .identities) { _, value in
            var reader = ByteReader(Bytes(copying: value))
            if let number = try? reader.integer(UInt32.self), let name = try? reader.text() {
                all.append((number, name))
            }
            return .next
        }
        return all
    }
}
