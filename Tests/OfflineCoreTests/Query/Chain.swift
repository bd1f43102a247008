import Foundation
import OfflineTesting
import StorageMemory
import Testing

@testable import OfflineCore

/// Calls given as data, made on our builders.
struct Chain {
    static let base = "http://localhost:54321"

    private enum Stage {
        case schema(PostgrestSchema)
        case query(PostgrestQueryBuilder)
        case read(PostgrestFilterBuilder)
        case shaped(PostgrestTransformBuilder)
        case write(PostgrestRequestBuilder<PostgrestWritePhase>)
        case returned(PostgrestRequestBuilder<PostgrestReturnPhase>)
    }

    struct UnknownCall: Error { let name: String }

    private var stage: Stage

    init(_ calls: [[Any]]) throws {
        guard let url = URL(string: Self.base) else { throw UnknownCall(name: Self.base) }
        let client = try SupabaseOfflineClient(
            supabaseURL: url, supabaseKey: "publishable",
            storage: MemoryStorage(keyspaces: Keyspace.all), transport: ScriptedTransport())
        stage = .schema(client.schema(client.defaultSchema))
        for call in calls { try make(Call(call), client) }
    }

    /// The settings with the headers that the calls give to the client.
    static func settings(for calls: [[Any]]) throws -> RequestSettings {
        var config = SupabaseOfflineClient.Config()
        var key = "publishable"
        for call in calls.map(Call.init) where call.name == "headers" {
            for (name, value) in call.arguments[0] as? [String: String] ?? [:] {
                if name.lowercased() == "apikey" {
                    key = value
                } else {
                    config.headers[name] = value
                }
            }
        }
        let url = try #require(URL(string: base))
        return try #require(RequestSettings(url: url, key: key, config: config))
    }

    func request() throws -> PostgrestRequest {
        switch stage {
        case .schema, .query: throw UnknownCall(name: "nothing")
        case .read(let builder): builder.request
        case .shaped(let builder): builder.request
        case .write(let builder): builder.request
        case .returned(let builder): builder.request
        }
    }

    private mutating func make(_ call: Call, _ client: SupabaseOfflineClient) throws {
        switch (stage, call.name) {
        case (_, "headers"): break
        case (_, "schema"): stage = .schema(client.schema(call.text(0)))
        case (.schema(let schema), "from"): stage = .query(schema.from(call.text(0)))
        case (.schema(let schema), "rpc"):
            let (head, get) = (call.flag("head") ?? false, call.flag("get") ?? false)
            let count = call.option("count").map(CountOption.init)
            stage = .read(
                call.arguments.count > 1
                    ? schema.rpc(
                        call.text(0), params: try call.json(1), head: head, get: get, count: count)
                    : schema.rpc(call.text(0), head: head, get: get, count: count))
        case (.query(let query), _): try begin(query, call)
        case (.read(let builder), _):
            if let filtered = try call.filter(builder) {
                stage = .read(filtered)
            } else if call.name == "setHeader" {
                stage = .read(builder.setHeader(name: call.text(0), value: call.text(1)))
            } else if call.name == "execute" {
                stage = .read(builder.with(call.fetchOptions))
            } else if call.name == "select" {
                stage = .shaped(builder.select(call.columns))
            } else {
                stage = .shaped(try call.transform(builder))
            }
        case (.shaped(let builder), "execute"): stage = .shaped(builder.with(call.fetchOptions))
        case (.shaped(let builder), "setHeader"):
            stage = .shaped(builder.setHeader(name: call.text(0), value: call.text(1)))
        case (.shaped(let builder), _): stage = .shaped(try call.transform(builder))
        case (.write(let builder), _):
            if let filtered = try call.filter(builder) {
                stage = .write(filtered)
            } else if call.name == "execute" {
                stage = .write(builder.with(call.fetchOptions))
            } else if call.name == "select" {
                stage = .returned(builder.select(call.columns))
            } else {
                stage = .returned(try call.transform(builder))
            }
        case (.returned(let builder), _): stage = .returned(try call.transform(builder))
        case (.schema, _): throw UnknownCall(name: call.name)
        }
    }

    private mutating func begin(_ query: PostgrestQueryBuilder, _ call: Call) throws {
        let count = call.option("count").map(CountOption.init)
        let returning = call.option("returning").map(PostgrestReturningOptions.init)
        switch call.name {
        case "select":
            stage = .read(
                query.select(call.columns, head: call.flag("head") ?? false, count: count))
        case "insert":
            stage = .write(query.insert(try call.json(0), returning: returning, count: count))
        case "upsert":
            stage = .write(
                query.upsert(
                    try call.json(0), onConflict: call.option("onConflict"),
                    returning: returning ?? .representation, count: count,
                    ignoreDuplicates: call.flag("ignoreDuplicates") ?? false))
        case "update":
            stage = .write(
                query.update(
                    try call.json(0), returning: returning ?? .representation, count: count))
        case "delete":
            stage = .write(query.delete(returning: returning ?? .representation, count: count))
        default: throw UnknownCall(name: call.name)
        }
    }
}

/// One call: its name, its arguments and its options.
struct Call {
    let name: String
    let arguments: [Any]
    private let options: [String: Any]

    init(_ call: [Any]) {
        name = call.first as? String ?? ""
        let last = (call.last as? [String: Any])?["$opts"] as? [String: Any]
        options = last ?? [:]
        arguments = Array(call.dropFirst().dropLast(last == nil ? 0 : 1))
    }

    var columns: String { arguments.first as? String ?? "*" }

    var fetchOptions: FetchOptions {
        FetchOptions(
            head: flag("head") ?? false, count: option("count").map(CountOption.init))
    }

    func text(_ index: Int) -> String { arguments[index] as? String ?? "" }
    func option(_ name: String) -> String? { options[name] as? String }
    func flag(_ name: String) -> Bool? { options[name] as? Bool }

    /// An argument as something that encodes to the same JSON, with dates as dates.
    func json(_ index: Int) throws -> Dynamic { Dynamic(arguments[index]) }

    /// The builder with a filter, or nil if this is no filter.
    func filter<Phase: PostgrestFilterablePhase>(
        _ builder: PostgrestRequestBuilder<Phase>
    ) throws -> PostgrestRequestBuilder<Phase>? {
        let column = arguments.first as? String ?? ""
        let value = arguments.count > 1 ? Dynamic(arguments[1]) : Dynamic("")
        switch name {
        case "eq": return builder.eq(column, value: value)
        case "neq": return builder.neq(column, value: value)
        case "gt": return builder.gt(column, value: value)
        case "gte": return builder.gte(column, value: value)
        case "lt": return builder.lt(column, value: value)
        case "lte": return builder.lte(column, value: value)
        case "like": return builder.like(column, pattern: value)
        case "ilike": return builder.ilike(column, pattern: value)
        case "imatch": return builder.imatch(column, pattern: value)
        case "match" where arguments.count == 2: return builder.match(column, pattern: value)
        case "match":
            let query = (arguments[0] as? [String: Any] ?? [:]).mapValues { Dynamic($0) }
            return builder.match(query)
        case "isDistinct": return builder.isDistinct(column, value: value)
        case "is": return builder.is(column, value: arguments[1] as? Bool)
        case "in": return builder.in(column, values: value.elements)
        case "notIn": return builder.notIn(column, values: value.elements)
        case "contains": return builder.contains(column, value: value)
        case "containedBy": return builder.containedBy(column, value: value)
        case "overlaps": return builder.overlaps(column, value: value)
        case "rangeLt": return builder.rangeLt(column, range: value)
        case "rangeGt": return builder.rangeGt(column, range: value)
        case "rangeGte": return builder.rangeGte(column, range: value)
        case "rangeLte": return builder.rangeLte(column, range: value)
        case "rangeAdjacent": return builder.rangeAdjacent(column, range: value)
        case "likeAllOf": return builder.likeAllOf(column, patterns: value.elements)
        case "likeAnyOf": return builder.likeAnyOf(column, patterns: value.elements)
        case "iLikeAllOf": return builder.iLikeAllOf(column, patterns: value.elements)
        case "iLikeAnyOf": return builder.iLikeAnyOf(column, patterns: value.elements)
        case "not":
            return builder.not(
                column, operator: PostgrestOperator(rawValue: text(1)), value: Dynamic(arguments[2])
            )
        case "or":
            return builder.or(Dynamic(arguments[0]), referencedTable: option("referencedTable"))
        case "filter": return builder.filter(column, operator: text(1), value: text(2))
        case "textSearch":
            let types: [String: TextSearchType] = [
                "plain": .plain, "phrase": .phrase, "websearch": .websearch,
            ]
            return builder.textSearch(
                column, query: text(1), config: option("config"),
                type: option("type").flatMap { types[$0] })
        case "fts": return builder.fts(column, query: text(1), config: option("config"))
        default: return nil
        }
    }

    /// The builder with a transform.
    func transform<Phase>(
        _ builder: PostgrestRequestBuilder<Phase>
    ) throws -> PostgrestRequestBuilder<Phase.Transformed> {
        let table = option("referencedTable")
        switch name {
        case "order":
            return builder.order(
                text(0), ascending: flag("ascending") ?? true,
                nullsFirst: flag("nullsFirst") ?? false, referencedTable: table)
        case "limit": return builder.limit(arguments[0] as? Int ?? 0, referencedTable: table)
        case "range":
            return builder.range(
                from: arguments[0] as? Int ?? 0, to: arguments[1] as? Int ?? 0,
                referencedTable: table)
        case "single": return builder.single()
        case "maybeSingle": return builder.maybeSingle()
        case "csv": return builder.csv()
        case "geojson": return builder.geojson()
        case "stripNulls": return builder.stripNulls()
        case "explain":
            return builder.explain(
                analyze: flag("analyze") ?? false, verbose: flag("verbose") ?? false,
                settings: flag("settings") ?? false, buffers: flag("buffers") ?? false,
                wal: flag("wal") ?? false,
                format: option("format").map(ExplainFormat.init) ?? .text)
        case "maxAffected": return builder.maxAffected(arguments[0] as? Int ?? 0)
        case "dryRun": return builder.dryRun()
        default: throw Chain.UnknownCall(name: name)
        }
    }
}

/// A value of a vector: what a caller would have given, found out at run time.
struct Dynamic: PostgrestFilterValue, Encodable {
    let base: any PostgrestFilterValue & Encodable
    let elements: [Dynamic]
    private let isNull: Bool

    init(_ value: Any) {
        var elements: [Dynamic] = []
        var isNull = false
        switch value {
        case let tagged as [String: Any] where tagged.keys.first?.hasPrefix("$") == true:
            base = Self.tagged(tagged)
        case let text as String: base = text
        case let array as [Any]:
            elements = array.map(Dynamic.init)
            base = elements
        case is NSNull:
            isNull = true
            base = JSONValue.null
        case let number as NSNumber where CFBoolean.isBoolean(number): base = number.boolValue
        case let number as NSNumber where number.doubleValue == Double(number.intValue):
            base = number.intValue
        case let number as NSNumber: base = number.doubleValue
        case let object as [String: Any]: base = DynamicObject(object)
        default: preconditionFailure("no vector has \(type(of: value))")
        }
        self.elements = elements
        self.isNull = isNull
    }

    var rawValue: String { base.rawValue }
    var arrayElement: String { isNull ? "NULL" : base.arrayElement }
    func encode(to encoder: any Encoder) throws {
        // By way of a container, where the encoder's way with dates counts.
        var container = encoder.singleValueContainer()
        try container.encode(base)
    }

    private static func tagged(_ value: [String: Any]) -> any PostgrestFilterValue & Encodable {
        switch value.first {
        case ("$date", let text as String)?: Timestamp(parsing: text)?.date ?? Date()
        case ("$uuid", let text as String)?: UUID(uuidString: text) ?? UUID()
        case ("$double", let number as NSNumber)?: number.doubleValue
        case ("$json", let json)?: JSONValue(any: json)
        default: preconditionFailure("no vector has \(value.keys)")
        }
    }
}

/// An object of a vector, in which there may be dates.
private struct DynamicObject: PostgrestFilterValue, Encodable {
    private let members: [String: Dynamic]
    let rawValue: String

    init(_ object: [String: Any]) {
        members = object.mapValues(Dynamic.init)
        rawValue = object.mapValues(JSONValue.init(any:)).rawValue
    }

    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

extension JSONValue {
    fileprivate init(any value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let array as [Any]: self = .array(array.map(JSONValue.init(any:)))
        case let object as [String: Any]: self = .object(object.mapValues(JSONValue.init(any:)))
        case let number as NSNumber where CFBoolean.isBoolean(number):
            self = .bool(number.boolValue)
        case let number as NSNumber where number.doubleValue == Double(number.intValue):
            self = .integer(number.intValue)
        case let number as NSNumber: self = .double(number.doubleValue)
        default: self = .null
        }
    }
}

private enum CFBoolean {
    /// Whether a number was read from `true` or `false`.
    static func isBoolean(_ number: NSNumber) -> Bool {
        String(cString: number.objCType) == "c" || number === kTrue || number === kFalse
    }

    private static let kTrue = NSNumber(value: true)
    private static let kFalse = NSNumber(value: false)
}
