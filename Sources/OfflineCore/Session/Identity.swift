import FoundationEssentials

/// Whose data it is.
///
/// Lists belong to exactly one identity and are never read by another.
package struct Identity: Hashable, Sendable {
    /// Who the server answers.
    package enum Owner: Hashable, Sendable {
        /// The user whom the token names.
        case user(UserID)
        /// Whoever has no token.
        ///
        /// A client without a session source reads as the visitor: given one later, it finds what
        /// it kept under the visitor's name.
        case visitor
    }

    /// The host, with the port if it is given, of the project.
    package let project: String
    package let owner: Owner

    package init(project: String, owner: Owner) {
        self.project = project
        self.owner = owner
    }
}

/// A user's id as it is stored: in lower case if it is a UUID, otherwise as it was given.
package struct UserID: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = UUID(uuidString: text).map { $0.uuidString.lowercased() } ?? text
    }

    /// Compares byte for byte; `String` would take composed and decomposed letters for equal.
    package static func == (lhs: UserID, rhs: UserID) -> Bool {
        lhs.text.utf8.elementsEqual(rhs.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
