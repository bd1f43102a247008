/// Decodes lists of rows, and gives what `JSONDecoder.supabase()` gives: the
/// same values, and for what can't be decoded the same errors with the same coding paths.
///
/// `JSONDecoder` builds a map of the whole text, and then a dictionary for each row. This decoder
/// walks over the text once, keeps the places of one row's members at a time and takes values from
/// the bytes where they are; a list of plain rows takes a third of the time.
///
/// It takes JSON to the letter (see ``JSONScanner``), and is made for the bodies that ``RowDirectory``
/// has looked through. Other bytes fail with `DecodingError.dataCorrupted`, but a type may have been
/// given the rows before the fault by then.
///
/// It may be used from any isolation, for types that can't be sent too.
package struct RowDecoder {
    /// What types find in their decoder's `userInfo`.
    package var userInfo: [CodingUserInfoKey: any Sendable]

    /// Creates a decoder.
    package init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

    /// Decodes a whole body.
    ///
    /// - Parameters:
    ///   - type: What to decode, mostly an array of rows.
    ///   - body: JSON text.
    /// - Returns: The value.
    /// - Throws: `DecodingError`, or what an initialiser of the app's throws.
    /// - Complexity: O(*n*) in the bytes of the body, times the depth to which values are nested.
    package func decode<T: Decodable>(_ type: T.Type, from body: Bytes) throws -> T {
        let source = JSONSource(body, userInfo: userInfo)
        do {
            let value = try source.root().decode(type)
            // A type that stops before the end hasn't seen what is wrong behind it.
            if !source.isReadToItsEnd { try JSONScanner.validate(body.span) }
            return value
        } catch {
            // As with `JSONDecoder`, which reads all of a text before it decodes any of it.
            let reason = body.jsonError ?? (error as? JSONError)
            guard reason != nil || error is UnrepresentableNumber else { throw error }
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "The given data was not valid JSON.",
                    underlyingError: reason))
        }
    }
}

/// A number that the type it is asked for as can't hold.
///
/// The coding path is lost on purpose: `JSONDecoder` loses it too.
struct UnrepresentableNumber: Error {}

extension Bytes {
    /// Why these bytes are no JSON text.
    fileprivate var jsonError: JSONError? {
        do throws(JSONError) {
            try JSONScanner.validate(span)
            return nil
        } catch {
            return error
        }
    }
}
