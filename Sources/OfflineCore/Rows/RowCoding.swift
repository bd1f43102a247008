public import FoundationEssentials

extension JSONDecoder {
    /// A decoder for rows, with dates as PostgreSQL writes them.
    ///
    /// What a client uses by default gives the same; start from this one to change a strategy.
    public static func supabase() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let timestamp = Timestamp(parsing: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: Timestamp.expectation)
            }
            return timestamp.date
        }
        return decoder
    }
}
