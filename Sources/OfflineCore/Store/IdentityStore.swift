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
    }

    /// The user who settled last, or nil if nobody has.
    package func lastUser(of project: String) throws(StorageError) -> LastUser? {
        try storage.read { transaction throws(StorageError) in
            let key = KeyLayout.settledUser(of: project)
            guard let stored = try transaction.value(key, in: .meta) else { return nil }
            var reader = ByteReader(stored)
            let isHidden: UInt8 = try reader.integer()
            let name = try reader.text()
            // Another project's name has the same hash.
            guard let id = name.dropping(prefix: "\(project)\n") else { return nil }
            return LastUser(UserID(id), isHidden: isHidden != 0)
        }
    }

    /// Keeps who settled last.
    package func setLastUser(_ user: LastUser, of project: String) async throws(StorageError) {
        var writer = ByteWriter()
        writer.append(UInt8(user.isHidden ? 1 : 0))
        writer.append("\(project)\n\(user.id.text)")
        let value = writer.bytes
        try await self.writer.write { transaction throws(StorageError) in
            try transaction.set(value, KeyLayout.settledUser(of: project), in: .meta)
        }
    }
}

extension Identity {
    /// The whole name, which no other identity has: a host can't hold a line feed.
    private var name: String {
        switch owner {
        case .user(let id): "\(project)\nuser\n\(id.text)"
        case .visitor: "\(project)\nvisitor"
        }
    }

    /// The number under which this identity's data is kept, or nil if it has none.
    func number(in transaction: borrowing ReadTransaction) throws(StorageError) -> UInt32? {
        try Self.number(
            in: try transaction.value(KeyLayout.identity(name), in: .identities), of: name)
    }

    /// The number under which this identity's data is kept; one never used before, if need be.
    func number(in transaction: inout WriteTransaction) throws(StorageError) -> UInt32 {
        let key = KeyLayout.identity(name)
        if let stored = try transaction.value(key, in: .identities) {
            guard let number = try Self.number(in: stored, of: name) else {
                throw .corrupted("two identities have the same hash")
            }
            return number
        }
        var record = ByteWriter()
        let number = try transaction.increment(KeyLayout.lastIdentityNumber, in: .meta)
        record.append(number)
        record.append(name)
        try transaction.set(record.bytes, key, in: .identities)
        return number
    }

    private static func number(in record: Bytes?, of name: String) throws(StorageError) -> UInt32? {
        guard let record else { return nil }
        var reader = ByteReader(record)
        let number: UInt32 = try reader.integer()
        return try reader.text().utf8.elementsEqual(name.utf8) ? number : nil
    }
}

extension String {
    fileprivate func dropping(prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(utf8.dropFirst(prefix.utf8.count))
    }
}
