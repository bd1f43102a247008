import Foundation
import OfflineCore
import Testing

/// What came of decoding, so that it can be compared between decoders.
enum Outcome<Value: Equatable>: Equatable {
    case value(Value)
    case failure(Failure)

    init(_ body: () throws -> Value) {
        do { self = .value(try body()) } catch { self = .failure(Failure(error)) }
    }
}

/// A failure without the words in it.
struct Failure: Equatable, CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            // Inside of a type, `JSONDecoder` throws such errors for text that can't be read.
            description = error is AppError ? "the app's" : "unreadable"
            return
        }
        switch error {
        case .typeMismatch(let type, let context):
            description = "typeMismatch(\(type)) at \(Self.path(context))"
        case .valueNotFound(let type, let context):
            description = "valueNotFound(\(type)) at \(Self.path(context))"
        case .keyNotFound(let key, let context):
            description = "keyNotFound(\(key.stringValue)) at \(Self.path(context))"
        case .dataCorrupted(let context):
            description = "dataCorrupted at \(Self.path(context))"
        @unknown default:
            description = "\(error)"
        }
    }

    static func path(_ context: DecodingError.Context) -> String { path(context.codingPath) }

    static func path(_ keys: [any CodingKey]) -> String {
        "["
            + keys.map { key in "\(key.stringValue)/\(key.intValue.map(String.init) ?? "")" }
            .joined(separator: ", ") + "]"
    }
}

/// What an initialiser of an app throws.
struct AppError: Error {}

/// Decodes with our decoder.
func ours<T: Decodable>(
    _ type: T.Type, _ json: String, _ userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> T {
    try RowDecoder(userInfo: userInfo).decode(type, from: Bytes(json))
}

/// Decodes with the decoder that ours has to agree with.
func foundations<T: Decodable>(
    _ type: T.Type, _ json: String, _ userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> T {
    let decoder = JSONDecoder.supabase()
    decoder.userInfo = userInfo
    return try decoder.decode(type, from: Data(json.utf8))
}

/// Expects the same value or the same failure from both decoders, and returns it.
@discardableResult
func agreed<T: Decodable & Equatable>(
    _ type: T.Type, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome<T> {
    let outcome = Outcome { try ours(type, json) }
    #expect(
        outcome == Outcome { try foundations(type, json) }, "\(json)",
        sourceLocation: sourceLocation)
    return outcome
}

extension Outcome {
    var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    var failure: String? {
        if case .failure(let failure) = self { failure.description } else { nil }
    }
}

/// One column of any type.
struct Row<Value: Decodable>: Decodable {
    var a: Value
}

extension Row: Equatable where Value: Equatable {}
