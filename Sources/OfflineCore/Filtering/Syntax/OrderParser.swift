/// One term of an order.
struct OrderTerm: Hashable, Sendable {
    var field: FieldPath
    var isDescending = false
    /// Whether rows without a value come first; PostgreSQL takes null for the largest value.
    var areNullsFirst = false
}

/// Reads the order of a request, as PostgREST does.
enum OrderParser {
    /// The terms, most important first; nil for a term that only the server can order by.
    ///
    /// - Complexity: O(*n*) in the length of the items.
    static func terms(
        of items: [PostgrestRequest.Item], selecting selection: Selection
    ) -> [OrderTerm?] {
        let orders = items.filter { $0.name == "order" }
        guard let order = orders.first, !order.value.isEmpty else { return [] }
        var scanner = QueryScanner(order.value)
        // Which of two orders the server takes is its own affair.
        guard orders.count == 1, let terms = scanner.orderTerms() else { return [nil] }
        return terms
    }
}

extension QueryScanner {
    fileprivate mutating func orderTerms() -> [OrderTerm?]? {
        var terms: [OrderTerm?] = []
        repeat {
            skipBlanks()
            let isOfEmbed = attempt { $0.embeddedTerm() } != nil
            if isOfEmbed {
                terms.append(nil)
            } else {
                guard let field = field() else { return nil }
                terms.append(OrderTerm(field: field))
            }
            guard let modified = modifiers(of: terms.removeLast()) else { return nil }
            terms.append(modified.term)
            skipBlanks()
        } while skip(",")
        return isAtEnd ? terms : nil
    }

    /// A column of an embedded table: `rel(column)`.
    private mutating func embeddedTerm() -> FieldPath? {
        guard name() != nil, skip("("), let field = field(), skip(")") else { return nil }
        return field
    }

    private mutating func modifiers(of term: OrderTerm?) -> (term: OrderTerm?, Void)? {
        var term = term
        let isDescending = skip(word: ".desc")
        if !isDescending { _ = skip(word: ".asc") }
        term?.isDescending = isDescending
        term?.areNullsFirst = isDescending
        if skip(word: ".nullsfirst") {
            term?.areNullsFirst = true
        } else if skip(word: ".nullslast") {
            term?.areNullsFirst = false
        }
        return (term, ())
    }
}
