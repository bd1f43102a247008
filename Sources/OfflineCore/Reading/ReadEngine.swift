import FoundationEssentials

/// Owns the requests on their way, and the lists on theirs to the disk.
///
/// What a read returns for an identity is what the server last answered to that identity for that
/// list, byte for byte but for what that identity has written since. So a list is kept only under the
/// identity for which its request was sent, an answer to an earlier request never replaces one to a
/// later request, and none undoes a write that was taken after its request was sent.
///
/// A read returns before its answer is on disk; until then, later reads find it here. Reads that ask
/// the same at the same time share one request, which ends when its last reader is gone.
package actor ReadEngine {
    private struct Place: Hashable {
        let key: ListKey
        let identity: Identity
    }

    private let store: ListStore
    private let transport: any HTTPTransport
    private let runtime: OfflineRuntime
    private let log: Log
    /// The flights that can be joined.
    private var boarding: [Flight.Key: Flight] = [:]
    private var late = LateAnswers()
    /// The acceptance of a write that the device could not put into an identity's lists.
    private var unfollowed: [String: UInt64] = [:]
    private var beingStored: [Place: StoredList] = [:]
    private var storing: [(sequence: UInt64, task: Task<Void, Never>)] = []
    private let numbers: RequestNumbers
    /// Up to which request the answers of an identity are kept no more.
    private var bounds: [String: UInt64] = [:]
    private let identities: IdentityStore
    private let suspension: StoreSuspension
    private var watch: OwnedTask?

    package init(
        store: OfflineStore, transport: any HTTPTransport, runtime: OfflineRuntime, log: Log
    ) {
        self.store = store.lists
        identities = store.identities
        numbers = store.numbers
        suspension = store.suspension
        self.transport = transport
        self.runtime = runtime
        self.log = log
    }

    /// The list that the device has, or nil.
    ///
    /// One that is damaged counts as none and is logged: the next answer replaces it.
    ///
    /// - Throws: ``StorageError``, which is logged too, if the store can't be read at all now.
    package func list(
        _ key: ListKey, of identity: Identity
    ) async throws(StorageError) -> StoredList? {
        do throws(StorageError) {
            return try await suspension.retrying { () throws(StorageError) in
                var list = newest(key, of: identity)
                if list == nil { list = try store.list(key, of: identity) }
                guard let list, isBehind(list.sequence, identity) else { return list }
                return list.markedStale
            }
        } catch {
            log.warning("A list of \(key.table.text) can't be read from the device: \(error)")
            guard case .corrupted = error else { throw error }
            return nil
        }
    }

    /// How old the list is that the device has, or nil.
    func age(_ key: ListKey, of identity: Identity) async -> StoredList.Age? {
        // What can't be read is logged where its rows are wanted.
        try? await suspension.retrying { () throws(StorageError) in
            if let list = newest(key, of: identity) {
                return isBehind(list.sequence, identity) ? list.age.markedStale : list.age
            }
            let age = try store.age(key, of: identity)
            guard let age, unfollowed[identity.name] != nil,
                isBehind(try store.sequence(key, of: identity) ?? 0, identity)
            else { return age }
            return age.markedStale
        }
    }

    /// Whether a list lacks a write that the server has accepted.
    private func isBehind(_ sequence: UInt64, _ identity: Identity) -> Bool {
        unfollowed[identity.name].map { sequence < $0 } ?? false
    }

    /// The list on its way to the disk, unless the disk has a later one.
    ///
    /// Another client may have kept that while the store was suspended.
    private func newest(_ key: ListKey, of identity: Identity) -> StoredList? {
        guard let list = beingStored[Place(key: key, identity: identity)] else { return nil }
        let kept = (try? store.sequence(key, of: identity)) ?? nil
        return kept.map { $0 > list.sequence } ?? false ? nil : list
    }

    /// Joins a request that is on its way, or sends it.
    ///
    /// - Parameters:
    ///   - key: What makes the request the same as another; nil for one that is nobody else's.
    ///   - exchange: The request on the wire.
    ///   - shape: What is asked for.
    ///   - table: The table whose list it is; nil for what is never kept.
    ///   - columns: The key columns of the table.
    /// - Returns: The flight, which is to be left with ``leave(_:)``, and whether others had started
    ///   it.
    func board(
        _ key: Flight.Key?, _ exchange: HTTPRequest, shape: PostgrestRequest.Shape,
        of table: ListKey.Table?, columns: KeyColumns
    ) -> (flight: Flight, isJoined: Bool) {
        if let key, let flight = boarding[key] {
            late.joined(flight.sequence)
            return (flight, true)
        }
        let sequence = numbers.next()
        let landing = runtime.task(name: "read.flight") { [transport, runtime] in
            let landing = await Self.fly(exchange, transport, runtime, shape, columns)
            await self.end(sequence, key)
            return landing
        }
        let flight = Flight(sequence: sequence, key: key, landing: landing)
        late.began(sequence, of: table)
        if let key { boarding[key] = flight }
        return (flight, false)
    }

    /// Ends a reader's part in a flight, landed or not; when its last reader's ends, so does the request.
    func leave(_ flight: Flight) {
        guard late.ended(flight.sequence) else { return }
        end(flight.sequence, flight.key)
        flight.landing.cancel()
    }

    /// Lets nobody join the requests that are on their way: something on the server has changed
    /// since they were sent.
    func closeBoarding() { boarding = [:] }

    private func end(_ sequence: UInt64, _ key: Flight.Key?) {
        if let key, boarding[key]?.sequence == sequence { boarding[key] = nil }
    }

    private static func fly(
        _ exchange: HTTPRequest, _ transport: any HTTPTransport, _ runtime: OfflineRuntime,
        _ shape: PostgrestRequest.Shape, _ columns: KeyColumns
    ) async -> Flight.Landing {
        do throws(TransportError) {
            let response = try await transport.send(exchange)
            // Before the rows are looked for, which takes its time: they are as old as their head.
            let age = response.timeSinceHead / .seconds(1)
            let fetchedAt = Timestamp(runtime.wallClock().addingTimeInterval(-age))
            return Flight.Landing(
                answer: ServerAnswer(response, to: shape, columns: columns), response: response,
                fetchedAt: fetchedAt)
        } catch {
            return Flight.Landing(
                answer: ServerAnswer(error), response: HTTPResponse(status: 0),
                fetchedAt: Timestamp(runtime.wallClock()))
        }
    }

    /// What the server accepted of an identity since a request was sent, to be laid over its answer.
    func writes(
        since sequence: UInt64, to table: ListKey.Table, of identity: Identity
    ) -> [AcceptedWrite] { late.writes(since: sequence, to: table, of: identity) }

    /// Keeps an answer, behind the read that got it, unless a write was accepted meanwhile.
    ///
    /// - Parameters:
    ///   - list: The answer.
    ///   - directory: Where its rows are.
    ///   - key: The list's key.
    ///   - identity: Whose list it is.
    ///   - writes: How many writes, of those accepted since the request was sent, are in the answer.
    /// - Returns: False if there are more; then they are to be laid over it first.
    func keep(
        _ list: StoredList, _ directory: RowDirectory, as key: ListKey, of identity: Identity,
        including writes: Int
    ) -> Bool {
        let accepted = late.writes(since: list.sequence, to: key.table, of: identity)
        guard accepted.count == writes else { return false }
        keep(list, directory, as: key, of: identity)
        return true
    }

    private func keep(
        _ list: StoredList, _ directory: RowDirectory, as key: ListKey, of identity: Identity
    ) {
        let place = Place(key: key, identity: identity)
        if let newer = beingStored[place], newer.sequence >= list.sequence { return }
        if let bound = bounds[identity.name], list.sequence <= bound { return }
        beingStored[place] = list
        let task = runtime.task(name: "list.keep") { [store, log] in
            do throws(StorageError) {
                try await store.keep(list, directory: directory.encoded, as: key, of: identity)
            } catch {
                log.warning(
                    "An answer for \(key.table.text) could not be kept on the device: \(error)")
            }
            await self.stored(list, at: place)
        }
        storing.append((list.sequence, task))
    }

    /// Puts writes that the server has accepted, or may have, into the lists of who wrote.
    ///
    /// It returns when that is on disk. If the disk can't take it, the lists count as stale from now on,
    /// as long as this client lives or until they are read again.
    ///
    /// - Parameters:
    ///   - writes: The writes.
    ///   - identity: Whose they were.
    ///   - tables: The tables that the app has named.
    ///   - ends: The writes that leave the queue in the same transaction.
    /// - Returns: Whether it is on disk.
    @discardableResult
    func accept(
        _ writes: [AcceptedWrite], of identity: Identity, _ tables: Set<ListKey.Table>,
        ending ends: [QueueEnd] = []
    ) async -> Bool {
        closeBoarding()
        let writes = writes.filter { !$0.isVoid }
        guard !writes.isEmpty || !ends.isEmpty else { return true }
        let number = numbers.next()
        for write in writes { late.accepted(write, as: number, of: identity) }
        // What is on its way to the disk arrives first, so that the writes are put into it there.
        for (_, task) in storing { await task.value }
        do throws(StorageError) {
            try await store.writeThrough(
                writes, of: identity, acceptedAs: number, tables, ending: ends,
                at: Timestamp(runtime.wallClock()))
            return true
        } catch {
            unfollowed[identity.name] = number
            let names = writes.map(\.table.text).joined(separator: ", ")
            log.warning(
                "A write to \(names) could not be put into the lists on the device, which count as "
                    + "stale: \(error)")
            return false
        }
    }

    /// Drops the lists of those who have gone, now and whenever the session says so.
    func follow(_ departures: AsyncStream<Int>) {
        watch = OwnedTask(
            runtime.task(name: "list.departures") { [weak self] in
                for await _ in departures { await self?.dropDeparted() }
            })
    }

    /// Drops an identity's lists, and the answers to requests that are on their way.
    ///
    /// - Parameters:
    ///   - identity: Whose lists are to go.
    ///   - isWhole: Whether the device is to forget the identity altogether.
    /// - Throws: ``StorageError``; the lists stay then, but what was on its way is not kept.
    func drop(_ identity: Identity, isWhole: Bool) async throws(StorageError) {
        try await drop(Departure(of: identity, upTo: numbers.last), isWhole: isWhole)
    }

    /// Drops the lists of those who have gone, whoever noted that they have.
    func dropDeparted() async {
        do throws(StorageError) {
            let departures = try await suspension.retrying(identities.departures)
            for departure in departures { try await drop(departure) }
        } catch .closed {
            // The client was closed meanwhile, and did it itself.
        } catch {
            log.warning("The lists of a user who has gone could not be removed yet: \(error)")
        }
    }

    private func drop(
        _ departure: Departure, isWhole: Bool = false
    ) async throws(StorageError) {
        bounds[departure.name] = max(bounds[departure.name] ?? 0, departure.bound)
        for (place, list) in beingStored
        where place.identity.name == departure.name && list.sequence <= departure.bound {
            beingStored[place] = nil
        }
        // What is on its way to the disk arrives first, so that nothing comes after.
        for (sequence, task) in storing where sequence <= departure.bound { await task.value }
        try await store.remove(departure, isWhole: isWhole)
    }

    /// Whether no read is out, and no write is remembered for one.
    package var remembersNothing: Bool { late.isEmpty }

    /// Waits until the answers that were read so far are on disk, or have failed to get there.
    package func waitUntilStored() async {
        while let last = storing.last { await last.task.value }
    }

    /// Waits until the last answers are on disk, and the lists of those who have gone are not.
    ///
    /// Nothing is asked any more, and the session is closed: nobody else goes.
    package func close() async {
        watch = nil
        await waitUntilStored()
        await dropDeparted()
    }

    private func stored(_ list: StoredList, at place: Place) {
        storing.removeAll { $0.sequence == list.sequence }
        if beingStored[place]?.sequence == list.sequence { beingStored[place] = nil }
    }
}
