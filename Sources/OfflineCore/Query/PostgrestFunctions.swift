extension PostgrestSchema {
    /// Calls a function of the database.
    ///
    /// It is sent directly and its answer is never kept. A call by POST is sent once, whatever
    /// becomes of it, because the function may change something.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - params: Its arguments: an object with a member for each.
    ///   - head: Whether to ask for the answer's head alone; the function must not change anything.
    ///   - get: Whether to call it by GET; the function must not change anything.
    ///   - count: What the server should count.
    /// - Returns: The call, which takes filters and transforms if the function returns rows.
    public func rpc(
        _ function: String, params: some Encodable, head: Bool = false, get: Bool = false,
        count: CountOption? = nil
    ) -> PostgrestFilterBuilder {
        call(function, head: head, get: get, count: count) { request in
            request.encode(params, by: client.encoder)
            if request.isSafe { request.moveBodyIntoQuery() }
        }
    }

    /// Calls a function of the database without arguments.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - head: Whether to ask for the answer's head alone; the function must not change anything.
    ///   - get: Whether to call it by GET; the function must not change anything.
    ///   - count: What the server should count.
    /// - Returns: The call, which takes filters and transforms if the function returns rows.
    public func rpc(
        _ function: String, head: Bool = false, get: Bool = false, count: CountOption? = nil
    ) -> PostgrestFilterBuilder {
        call(function, head: head, get: get, count: count) { _ in }
    }

    /// Calls a function of the database that can wait for the network.
    ///
    /// The call goes in order with the writes of the user. Nothing of it shows on the device before the
    /// server has answered; then the lists of the tables that it changes are stale.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - params: Its arguments: an object with a member for each.
    ///   - queue: How it waits.
    /// - Returns: The call.
    public func rpc(
        _ function: String, params: some Encodable, queue: CallQueueing
    ) -> PostgrestReturnBuilder {
        var request = PostgrestRequest(.function(function), schema: name, method: "POST")
        request.encode(params, by: client.encoder)
        return PostgrestReturnBuilder(
            client: client, request: request, options: WriteOptions(queueing: queue))
    }

    /// Calls a function without arguments that can wait for the network; see
    /// ``rpc(_:params:queue:)``.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - queue: How it waits.
    /// - Returns: The call.
    public func rpc(_ function: String, queue: CallQueueing) -> PostgrestReturnBuilder {
        PostgrestReturnBuilder(
            client: client,
            request: PostgrestRequest(.function(function), schema: name, method: "POST"),
            options: WriteOptions(queueing: queue))
    }

    private func call(
        _ function: String, head: Bool, get: Bool, count: CountOption?,
        _ change: (inout PostgrestRequest) -> Void
    ) -> PostgrestFilterBuilder {
        var request = PostgrestRequest(
            .function(function), schema: name, method: head ? "HEAD" : get ? "GET" : "POST")
        change(&request)
        if let count { request.prefer("count", count.rawValue) }
        return PostgrestFilterBuilder(client: client, request: request)
    }
}

extension SupabaseOfflineClient {
    /// Calls a function of the default schema; see ``PostgrestSchema/rpc(_:params:head:get:count:)``.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - params: Its arguments: an object with a member for each.
    ///   - head: Whether to ask for the answer's head alone.
    ///   - get: Whether to call it by GET.
    ///   - count: What the server should count.
    /// - Returns: The call.
    public func rpc(
        _ function: String, params: some Encodable, head: Bool = false, get: Bool = false,
        count: CountOption? = nil
    ) -> PostgrestFilterBuilder {
        schema(defaultSchema).rpc(function, params: params, head: head, get: get, count: count)
    }

    /// Calls a function of the default schema without arguments; see
    /// ``PostgrestSchema/rpc(_:head:get:count:)``.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - head: Whether to ask for the answer's head alone.
    ///   - get: Whether to call it by GET.
    ///   - count: What the server should count.
    /// - Returns: The call.
    public func rpc(
        _ function: String, head: Bool = false, get: Bool = false, count: CountOption? = nil
    ) -> PostgrestFilterBuilder {
        schema(defaultSchema).rpc(function, head: head, get: get, count: count)
    }
}

extension SupabaseOfflineClient {
    /// Calls a function of the default schema that can wait for the network; see
    /// ``PostgrestSchema/rpc(_:params:queue:)``.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - params: Its arguments: an object with a member for each.
    ///   - queue: How it waits.
    /// - Returns: The call.
    public func rpc(
        _ function: String, params: some Encodable, queue: CallQueueing
    ) -> PostgrestReturnBuilder {
        schema(defaultSchema).rpc(function, params: params, queue: queue)
    }

    /// Calls a function of the default schema without arguments that can wait for the network; see
    /// ``PostgrestSchema/rpc(_:params:queue:)``.
    ///
    /// - Parameters:
    ///   - function: The function's name.
    ///   - queue: How it waits.
    /// - Returns: The call.
    public func rpc(_ function: String, queue: CallQueueing) -> PostgrestReturnBuilder {
        schema(defaultSchema).rpc(function, queue: queue)
    }
}

extension PostgrestRequest {
    /// Writes the members of the body as items of the query, one for each argument.
    fileprivate mutating func moveBodyIntoQuery() {
        guard let arguments = body else { return }
        body = nil
        var members = RowMembers()
        guard (try? members.read(arguments.span)) != nil else {
            return refuse(
                "A function's arguments in a query have names: give an object, or call it by POST.")
        }
        for member in members.members {
            guard let name = member.nameText(in: arguments.span),
                let value = JSONArgument(arguments.span.extracting(member.value))?.text
            else { return refuse("An argument of \(target.name) can't be written as text.") }
            append(String(decoding: name, as: UTF8.self), value)
        }
    }
}

/// A value of JSON as an argument in a query.
///
/// A string is its text, an array PostgreSQL's own literal, and everything else is as it stands.
private struct JSONArgument {
    let text: String

    init?(_ value: Span<UInt8>) {
        switch JSONKind(of: value) {
        case .string:
            guard let text = try? JSONText.string(of: value) else { return nil }
            self.text = text
        case .array:
            guard let literal = Self.arrayLiteral(value) else { return nil }
            text = literal
        case .object, .number, .true, .false, .null:
            text = String(decoding: Bytes(copying: value), as: UTF8.self)
        case nil:
            return nil
        }
    }

    private static func arrayLiteral(_ array: Span<UInt8>) -> String? {
        guard let elements = JSONElements.ranges(of: array) else { return nil }
        var texts: [String] = []
        for range in elements {
            let element = array.extracting(range)
            guard let argument = JSONArgument(element) else { return nil }
            switch JSONKind(of: element) {
            // Text that looks like something else must be told from it; supabase-swift leaves it bare.
            case .string, .object: texts.append(quotedArrayElement(argument.text))
            default: texts.append(argument.text)
            }
        }
        return "{" + texts.joined(separator: ",") + "}"
    }
}
