public import FoundationEssentials

extension JSONDecoder {
    /// A decoder for rows, with dates as PostgreSQL writes them; what a client uses by default.
    public static func supabase() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let timestamp = Timestamp(parsing: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "Expected a timestamp or a date as PostgreSQL writes it.")
            }
            return timestamp.date
        }
        return decoder
    }
}
