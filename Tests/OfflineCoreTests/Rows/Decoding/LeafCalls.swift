import Foundation
import OfflineCore

/// Calls of all methods that decode one value, one by one: for each type the protocols have a method
/// of its own, and a generic one for the rest.
enum LeafCalls {
    typealias Keyed = @Sendable (KeyedDecodingContainer<Probe.Key>, Probe.Key) throws -> String
    typealias Unkeyed = @Sendable (inout any UnkeyedDecodingContainer) throws -> String
    typealias Single = @Sendable (any SingleValueDecodingContainer) throws -> String

    static let keyed: [Keyed] = [
        { show(try $0.decode(Bool.self, forKey: $1)) },
        { show(try $0.decode(String.self, forKey: $1)) },
        { show(try $0.decode(Double.self, forKey: $1)) },
        { show(try $0.decode(Float.self, forKey: $1)) },
        { show(try $0.decode(Int.self, forKey: $1)) },
        { show(try $0.decode(Int8.self, forKey: $1)) },
        { show(try $0.decode(Int16.self, forKey: $1)) },
        { show(try $0.decode(Int32.self, forKey: $1)) },
        { show(try $0.decode(Int64.self, forKey: $1)) },
        { show(try $0.decode(Int128.self, forKey: $1)) },
        { show(try $0.decode(UInt.self, forKey: $1)) },
        { show(try $0.decode(UInt8.self, forKey: $1)) },
        { show(try $0.decode(UInt16.self, forKey: $1)) },
        { show(try $0.decode(UInt32.self, forKey: $1)) },
        { show(try $0.decode(UInt64.self, forKey: $1)) },
        { show(try $0.decode(UInt128.self, forKey: $1)) },
        { show(try $0.decode(Date.self, forKey: $1)) },
        { show(try $0.decode(UUID.self, forKey: $1)) },
        { show(try $0.decode(URL.self, forKey: $1)) },
        { show(try $0.decode(Decimal.self, forKey: $1)) },
        { show(try $0.decode(Data.self, forKey: $1)) },
        { show(try $0.decode([Int].self, forKey: $1)) },
        { show(try $0.decode([String: Anything].self, forKey: $1)) },
        { show(try $0.decode((Int?).self, forKey: $1)) },
        { show(try $0.decode(([String]?).self, forKey: $1)) },
        { show(try $0.decode([Date].self, forKey: $1)) },
    ]

    static let keyedIfPresent: [Keyed] = [
        { show(try $0.decodeIfPresent(Bool.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(String.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Double.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Float.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Int.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Int8.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Int16.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Int32.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Int64.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Int128.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(UInt.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(UInt8.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(UInt16.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(UInt32.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(UInt64.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(UInt128.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Date.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(UUID.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(URL.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Decimal.self, forKey: $1)) },
        { show(try $0.decodeIfPresent(Data.self, forKey: $1)) },
        { show(try $0.decodeIfPresent([Int].self, forKey: $1)) },
        { show(try $0.decodeIfPresent([String: Anything].self, forKey: $1)) },
        { show(try $0.decodeIfPresent((Int?).self, forKey: $1)) },
        { show(try $0.decodeIfPresent(([String]?).self, forKey: $1)) },
        { show(try $0.decodeIfPresent([Date].self, forKey: $1)) },
    ]

    static let unkeyed: [Unkeyed] = [
        { show(try $0.decode(Bool.self)) },
        { show(try $0.decode(String.self)) },
        { show(try $0.decode(Double.self)) },
        { show(try $0.decode(Float.self)) },
        { show(try $0.decode(Int.self)) },
        { show(try $0.decode(Int8.self)) },
        { show(try $0.decode(Int16.self)) },
        { show(try $0.decode(Int32.self)) },
        { show(try $0.decode(Int64.self)) },
        { show(try $0.decode(Int128.self)) },
        { show(try $0.decode(UInt.self)) },
        { show(try $0.decode(UInt8.self)) },
        { show(try $0.decode(UInt16.self)) },
        { show(try $0.decode(UInt32.self)) },
        { show(try $0.decode(UInt64.self)) },
        { show(try $0.decode(UInt128.self)) },
        { show(try $0.decode(Date.self)) },
        { show(try $0.decode(UUID.self)) },
        { show(try $0.decode(URL.self)) },
        { show(try $0.decode(Decimal.self)) },
        { show(try $0.decode(Data.self)) },
        { show(try $0.decode([Int].self)) },
        { show(try $0.decode([String: Anything].self)) },
        { show(try $0.decode((Int?).self)) },
        { show(try $0.decode(([String]?).self)) },
        { show(try $0.decode([Date].self)) },
    ]

    static let unkeyedIfPresent: [Unkeyed] = [
        { show(try $0.decodeIfPresent(Bool.self)) },
        { show(try $0.decodeIfPresent(String.self)) },
        { show(try $0.decodeIfPresent(Double.self)) },
        { show(try $0.decodeIfPresent(Float.self)) },
        { show(try $0.decodeIfPresent(Int.self)) },
        { show(try $0.decodeIfPresent(Int8.self)) },
        { show(try $0.decodeIfPresent(Int16.self)) },
        { show(try $0.decodeIfPresent(Int32.self)) },
        { show(try $0.decodeIfPresent(Int64.self)) },
        { show(try $0.decodeIfPresent(Int128.self)) },
        { show(try $0.decodeIfPresent(UInt.self)) },
        { show(try $0.decodeIfPresent(UInt8.self)) },
        { show(try $0.decodeIfPresent(UInt16.self)) },
        { show(try $0.decodeIfPresent(UInt32.self)) },
        { show(try $0.decodeIfPresent(UInt64.self)) },
        { show(try $0.decodeIfPresent(UInt128.self)) },
        { show(try $0.decodeIfPresent(Date.self)) },
        { show(try $0.decodeIfPresent(UUID.self)) },
        { show(try $0.decodeIfPresent(URL.self)) },
        { show(try $0.decodeIfPresent(Decimal.self)) },
        { show(try $0.decodeIfPresent(Data.self)) },
        { show(try $0.decodeIfPresent([Int].self)) },
        { show(try $0.decodeIfPresent([String: Anything].self)) },
        { show(try $0.decodeIfPresent((Int?).self)) },
        { show(try $0.decodeIfPresent(([String]?).self)) },
        { show(try $0.decodeIfPresent([Date].self)) },
    ]

    static let single: [Single] = [
        { show(try $0.decode(Bool.self)) },
        { show(try $0.decode(String.self)) },
        { show(try $0.decode(Double.self)) },
        { show(try $0.decode(Float.self)) },
        { show(try $0.decode(Int.self)) },
        { show(try $0.decode(Int8.self)) },
        { show(try $0.decode(Int16.self)) },
        { show(try $0.decode(Int32.self)) },
        { show(try $0.decode(Int64.self)) },
        { show(try $0.decode(Int128.self)) },
        { show(try $0.decode(UInt.self)) },
        { show(try $0.decode(UInt8.self)) },
        { show(try $0.decode(UInt16.self)) },
        { show(try $0.decode(UInt32.self)) },
        { show(try $0.decode(UInt64.self)) },
        { show(try $0.decode(UInt128.self)) },
        { show(try $0.decode(Date.self)) },
        { show(try $0.decode(UUID.self)) },
        { show(try $0.decode(URL.self)) },
        { show(try $0.decode(Decimal.self)) },
        { show(try $0.decode(Data.self)) },
        { show(try $0.decode([Int].self)) },
        { show(try $0.decode([String: Anything].self)) },
        { show(try $0.decode((Int?).self)) },
        { show(try $0.decode(([String]?).self)) },
        { show(try $0.decode([Date].self)) },
    ]

    /// Values in words that tell all apart.
    private static func show<T>(_ value: T) -> String {
        switch value {
        case let value as Double: "Double \(value.bitPattern)"
        case let value as Float: "Float \(value.bitPattern)"
        case let value as Date: "Date \(value.timeIntervalSinceReferenceDate.bitPattern)"
        case let value as String: "String \(Array(value.utf8))"
        case let value as Data: "Data \(Array(value))"
        case let value as [String: Anything]: "\(value.sorted { $0.key < $1.key })"
        default: "\(T.self) \(value)"
        }
    }
}

/// Takes every value; a dictionary of others could fail at any of its members, in no certain order.
struct Anything: Decodable, CustomStringConvertible {
    let description: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            description = "\(number)"
        } else {
            description = (try? container.decode(String.self)) ?? "nil \(container.decodeNil())"
        }
    }
}
