/// A pattern of `LIKE`: `%` stands for any text, `_` for one character, a backslash takes both literally.
struct LikePattern: Hashable, Sendable {
    private enum Piece: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case anyScalar
        case anyText
    }

    private var pieces: [Piece] = []

    /// Reads a pattern; nil for one that PostgreSQL refuses, which ends in a backslash.
    ///
    /// - Complexity: O(*n*).
    init?(_ pattern: Bytes) {
        var isEscaped = false
        for scalar in String(decoding: pattern, as: UTF8.self).unicodeScalars {
            switch (isEscaped, scalar) {
            case (false, "\\"):
                isEscaped = true
                continue
            case (false, "%"): if pieces.last != .anyText { pieces.append(.anyText) }
            case (false, "_"): pieces.append(.anyScalar)
            default: pieces.append(.scalar(scalar))
            }
            isEscaped = false
        }
        if isEscaped { return nil }
    }

    /// Whether a text matches.
    ///
    /// - Complexity: O(*n* · *m*).
    func matches(_ text: [Unicode.Scalar], ignoringCase: Bool) -> Truth {
        guard ignoringCase else { return Truth(matches(text) { $0 == $1 }) }
        // One that may become two characters shifts what the pattern counts.
        if text.contains("\u{130}") || pieces.contains(.scalar("\u{130}")) { return .trueOrFalse }
        if matches(text, where: { CaseFolding.areEqual($0, $1) == .true }) { return .true }
        let isPossible = matches(text) { CaseFolding.areEqual($0, $1) != .false }
        return isPossible ? .trueOrFalse : .false
    }

    private func matches(
        _ text: [Unicode.Scalar], where areEqual: (Unicode.Scalar, Unicode.Scalar) -> Bool
    ) -> Bool {
        var (place, piece) = (0, 0)
        // Where the last `%` was, and how far it reaches so far.
        var retry: (piece: Int, place: Int)?
        while place < text.count {
            if piece < pieces.count, pieces[piece] == .anyText {
                retry = (piece, place)
                piece += 1
            } else if piece < pieces.count, fits(pieces[piece], text[place], areEqual) {
                piece += 1
                place += 1
            } else if let last = retry {
                retry = (last.piece, last.place + 1)
                (piece, place) = (last.piece + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .anyText }
    }

    private func fits(
        _ piece: Piece, _ scalar: Unicode.Scalar,
        _ areEqual: (Unicode.Scalar, Unicode.Scalar) -> Bool
    ) -> Bool {
        switch piece {
        case .scalar(let expected): areEqual(expected, scalar)
        case .anyScalar, .anyText: true
        }
    }
}
