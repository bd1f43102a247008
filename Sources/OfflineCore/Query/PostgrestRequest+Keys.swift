extension PostgrestRequest {
    /// Gives rows that lack their key a new one.
    ///
    /// What is no row stays as it is, and is refused when the request is executed.
    ///
    /// - Parameters:
    ///   - name: The key's column.
    ///   - make: Makes a key, as text.
    mutating func fillKey(_ name: String, by make: () -> String) {
        guard let body else { return }
        guard let slices = body.rowSlices else { return }
        let isList = body.first != .openingBrace
        var filled: Bytes = []
        for slice in slices {
            let row = body.span.extracting(slice)
            guard let columns = (try? RowColumns(row)) ?? nil else { return }
            if !filled.isEmpty { filled.append(.comma) }
            guard columns.value(ofName: Bytes(name.utf8)) == nil else {
                filled.append(copying: row)
                continue
            }
            filled.append(copying: row.extracting(0..<row.count - 1))
            if !columns.columns.isEmpty { filled.append(.comma) }
            filled.append(jsonText: Bytes(name.utf8).span)
            filled.append(.colon)
            filled.append(jsonText: Bytes(make().utf8).span)
            filled.append(.closingBrace)
        }
        self.body = isList ? [.openingBracket] + filled + [.closingBracket] : filled
    }
}
