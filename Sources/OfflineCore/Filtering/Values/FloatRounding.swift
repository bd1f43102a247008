/// Decides whether two numbers that differ in their digits may be the same in a float column.
///
/// PostgreSQL rounds what a float is compared with to the float's width first, so that `0.10000000149`
/// is equal to a stored `0.1`. The row shows the shortest digits that give the stored float back; a
/// number with other digits can't come from a float of that width.
enum FloatRounding {
    /// Whether a number of a row and another that isn't equal to it may round to the same float.
    ///
    /// - Complexity: O(*n*) in the number of digits.
    static func mayMerge(_ stored: NumberLexeme, _ other: NumberLexeme) -> Bool {
        // So few digits differ in every float.
        if stored.isShort, other.isShort { return false }
        let (lhs, rhs) = (stored.text, other.text)
        return merge(lhs, rhs, as: Float.self, stored) || merge(lhs, rhs, as: Double.self, stored)
    }

    private static func merge<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ lhs: String, _ rhs: String, as _: Value.Type, _ stored: NumberLexeme
    ) -> Bool {
        guard let lhs = Value(lhs), let rhs = Value(rhs), lhs == rhs, lhs.isFinite else {
            return false
        }
        return NumberLexeme(decimal: Bytes(lhs.description.utf8)) == stored
    }
}
