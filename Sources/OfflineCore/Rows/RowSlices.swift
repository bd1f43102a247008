extension Bytes {
    /// Where the rows are in a body that is one object or an array of objects; nil if it is neither.
    ///
    /// One object is not looked into.
    ///
    /// - Complexity: O(*n*) in the length of the body.
    var rowSlices: [Range<Int>]? {
        if first == .openingBrace { return [0..<count] }
        guard let directory = try? RowDirectory(scanning: span, columns: KeyColumns([])) else {
            return nil
        }
        return (0..<directory.count).map { directory[$0] }
    }

    /// The names of the columns of each row, as text in UTF-8; nil if the rows can't be read.
    ///
    /// - Complexity: O(*n*) in the length of the body.
    var rowColumnNames: [[Bytes]]? {
        guard let slices = rowSlices else { return nil }
        var members = RowMembers()
        var rows: [[Bytes]] = []
        for slice in slices {
            guard (try? members.read(span, at: slice.lowerBound)) != nil else { return nil }
            var names: [Bytes] = []
            for member in members.members {
                guard let name = member.nameText(in: span) else { return nil }
                names.append(name)
            }
            rows.append(names)
        }
        return rows
    }
}
