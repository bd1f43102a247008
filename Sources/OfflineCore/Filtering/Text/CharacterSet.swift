/// The characters that one place of a regular expression takes.
struct CharacterSet: Hashable, Sendable {
    /// A class by name; what it holds outside of ASCII hangs on the locale.
    enum NamedClass: String, Hashable, Sendable {
        case alpha, digit, alnum, upper, lower, space, blank, punct, xdigit, word
    }

    enum Member: Hashable, Sendable {
        case range(ClosedRange<Unicode.Scalar>)
        case named(NamedClass)
        case notNamed(NamedClass)
    }

    var members: [Member] = []
    var isInverted = false

    /// Every character; a line end too.
    static let any = CharacterSet(members: [], isInverted: true)

    init(members: [Member], isInverted: Bool = false) {
        self.members = members
        self.isInverted = isInverted
    }

    init(_ scalar: Unicode.Scalar) { members = [.range(scalar...scalar)] }

    /// Whether a character is taken.
    func contains(_ scalar: Unicode.Scalar, ignoringCase: Bool) -> Truth {
        let truth = members.reduce(Truth.false) {
            $0 || contains(scalar, $1, ignoringCase: ignoringCase)
        }
        return isInverted ? !truth : truth
    }

    private func contains(
        _ scalar: Unicode.Scalar, _ member: Member, ignoringCase: Bool
    ) -> Truth {
        let exact = contains(scalar, member)
        guard ignoringCase, exact != .true else { return exact }
        if scalar.isASCII {
            let isWide =
                if case .range(let range) = member { !range.upperBound.isASCII } else { false }
            let other = scalar.swappedCase
            let swapped = other == scalar ? exact : contains(other, member)
            // A letter outside of ASCII may fold into it.
            return swapped == .true ? .true : isWide ? .trueOrFalse : exact || swapped
        }
        if case .range(let range) = member, range.lowerBound == range.upperBound {
            return exact || CaseFolding.areEqual(range.lowerBound, scalar)
        }
        return .trueOrFalse
    }

    private func contains(_ scalar: Unicode.Scalar, _ member: Member) -> Truth {
        switch member {
        case .range(let range): Truth(range.contains(scalar))
        case .named(let name): contains(scalar, name)
        case .notNamed(let name): !contains(scalar, name)
        }
    }
}

extension CharacterSet {
    private func contains(_ scalar: Unicode.Scalar, _ name: NamedClass) -> Truth {
        guard scalar.isASCII, !name.isDisputed(scalar) else { return .trueOrFalse }
        return Truth(name.contains(scalar))
    }
}

extension CharacterSet.NamedClass {
    /// Whether the C library and ICU disagree about a character of ASCII.
    fileprivate func isDisputed(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .punct: "$+<=>^`|~".unicodeScalars.contains(scalar)
        case .space: "\u{1C}"..."\u{1F}" ~= scalar
        case .alpha, .digit, .alnum, .upper, .lower, .blank, .xdigit, .word: false
        }
    }

    /// Whether a character of ASCII is in the class.
    fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .alpha: scalar.isCapital || scalar.isSmall
        case .digit: "0"..."9" ~= scalar
        case .alnum: scalar.isCapital || scalar.isSmall || "0"..."9" ~= scalar
        case .word: scalar == "_" || Self.alnum.contains(scalar)
        case .upper: scalar.isCapital
        case .lower: scalar.isSmall
        case .space: scalar == " " || "\t"..."\r" ~= scalar
        case .blank: scalar == " " || scalar == "\t"
        case .punct: "!"..."~" ~= scalar && !Self.alnum.contains(scalar)
        case .xdigit: "0"..."9" ~= scalar || "a"..."f" ~= scalar || "A"..."F" ~= scalar
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isCapital: Bool { "A"..."Z" ~= self }
    fileprivate var isSmall: Bool { "a"..."z" ~= self }

    /// The other case of a letter of ASCII.
    fileprivate var swappedCase: Unicode.Scalar {
        isCapital || isSmall ? Unicode.Scalar(UInt8(value) ^ 0x20) : self
    }
}
