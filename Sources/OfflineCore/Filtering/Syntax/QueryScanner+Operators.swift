extension QueryScanner {
    /// Reads the test behind a column: `not.in.(1,2)`.
    ///
    /// - Parameter value: Reads the value behind an operator, which ends otherwise in a tree.
    /// - Returns: The test of a field still to be named; nil if this is none.
    mutating func operatorExpression(
        _ value: (inout QueryScanner) -> String?
    ) -> ((FieldPath) -> FilterExpression)? {
        let isNegated = skip(word: "not.")
        guard let test = test(value) else { return nil }
        return { field in isNegated ? .not(.test(field, test)) : .test(field, test) }
    }

    private mutating func test(_ value: (inout QueryScanner) -> String?) -> FilterTest? {
        if skip(word: "in.") { return list().map { .compare(.eq, .any($0)) } }
        if skip(word: "is.") { return isValue().map { .is($0) } }
        let name = take { "a"..."z" ~= $0 }
        if name == "isdistinct" {
            guard skip("."), let value = value(&self) else { return nil }
            return .isDistinct(Bytes(value.utf8))
        }
        guard let `operator` = FilterOperator(rawValue: name) else { return nil }
        if `operator`.isFullText { _ = configuration() }
        let quantifier = `operator`.isQuantifiable ? quantifier() : nil
        guard skip("."), var text = value(&self) else { return nil }
        if `operator`.takesStars { text = text.replacingStars }
        guard let quantifier else { return .compare(`operator`, .one(Bytes(text.utf8))) }
        // Elements of inner arrays count like those of the outer one.
        guard let elements = ArrayLiteral(parsing: Bytes(text.utf8))?.elements else { return nil }
        return .compare(`operator`, quantifier == .any ? .any(elements) : .all(elements))
    }

    private mutating func isValue() -> FilterTest.IsValue? {
        // Whatever follows is ignored, so the longer word comes first.
        if skip(keyword: "not_null") { return .notNull }
        if skip(keyword: "null") { return .null }
        if skip(keyword: "true") { return .true }
        if skip(keyword: "false") { return .false }
        return skip(keyword: "unknown") ? .unknown : nil
    }

    /// A list in parentheses; one that holds only the empty text counts as empty.
    private mutating func list() -> [Bytes?]? {
        guard skip("(") else { return nil }
        skipBlanks()
        var elements: [String] = []
        repeat { elements.append(valueInList()) } while skip(",")
        guard skip(")") else { return nil }
        skipBlanks()
        return elements == [""] ? [] : elements.map { Bytes($0.utf8) }
    }

    /// An element: quoted, if the quotes end where it ends.
    mutating func valueInList() -> String {
        closedQuotedText() ?? take { $0 != "," && $0 != ")" }
    }

    /// Quoted text behind which the element of a list or the leaf of a tree ends.
    mutating func closedQuotedText() -> String? {
        attempt { scanner in
            guard let text = scanner.quotedText() else { return nil }
            return scanner.isAtEnd || scanner.next == "," || scanner.next == ")" ? text : nil
        }
    }

    private enum Quantifier { case any, all }

    private mutating func quantifier() -> Quantifier? {
        if skip(word: "(any)") { return .any }
        return skip(word: "(all)") ? .all : nil
    }

    /// The configuration of a search in parentheses, if there is one.
    private mutating func configuration() -> String? {
        attempt { scanner in
            guard scanner.skip("(") else { return nil }
            let name = scanner.take { $0 != ")" }
            return scanner.skip(")") ? name : nil
        }
    }
}

extension String {
    /// This text with percent signs for stars, wherever they are.
    fileprivate var replacingStars: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar == "*" ? "%" : scalar) }
        return String(text)
    }
}
