public import FoundationEssentials

extension JSONEncoder {
    /// An encoder for rows, with dates in UTC to the microsecond; what a client uses by default.
    ///
    /// Members are sorted by name, so that the same values always make the same body.
    public static func supabase() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp(date).text())
        }
        return encoder
    }
}

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
