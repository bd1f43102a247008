/// The elements of an array.
enum JSONElements {
    /// Where they stand in the array's bytes.
    ///
    /// - Parameter array: An array, without blanks around it.
    /// - Returns: The ranges in order, or nil if this is no array.
    /// - Complexity: O(*n*) in the bytes.
    static func ranges(of array: Span<UInt8>) -> [Range<Int>]? {
        var scanner = JSONScanner()
        guard !array.isEmpty, array[0] == .openingBracket else { return nil }
        scanner.position = 1
        scanner.skipWhitespace(in: array)
        var ranges: [Range<Int>] = []
        guard scanner.byte(in: array) != .closingBracket else { return ranges }
        while true {
            let start = scanner.position
            guard (try? scanner.skipValue(in: array, depth: 1)) != nil else { return nil }
            ranges.append(start..<scanner.position)
            scanner.skipWhitespace(in: array)
            switch scanner.byte(in: array) {
            case .comma:
                scanner.position += 1
                scanner.skipWhitespace(in: array)
            case .closingBracket: return ranges
            default: return nil
            }
        }
    }
}
