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
    private let connectivity: Connectivity
    /// The flights that can be joined.
    private var boarding: [Flight.Key: Flight] = [:]
    private var late = LateAnswers()
    /// The acceptance of a write that the device could not put into an identity's lists.
    private var unfollowed: [String: UInt64] = [:]
    private var beingStored: [Place: (list: StoredList, directory: RowDirectory)] = [:]
    private var storing: [(sequence: UInt64, task: Task<Void, Never>)] = []
    private let numbers: RequestNumbers
    /// Up to which request the answers of an identity are kept no more.
    private var bounds: [String: UInt64] = [:]
    private let identities: IdentityStore
    private let queue: QueueStore
    private let suspension: StoreSuspension
    private var watch: OwnedTask?

    package init(
        store: OfflineStore, transport: any HTTPTransport, connectivity: Connectivity,
        runtime: OfflineRuntime, log: Log
    ) {
        self.connectivity = connectivity
        self.store = store.lists
        identities = store.identities
        queue = store.queue
        numbers = store.numbers
        suspension = store.suspension
        self.transport = transport
        self.runtime = runtime
        self.log = log
    }

    /// The list that the device has, or nil, and what the writes in the queue do to it.
    ///
    /// One that is damaged counts as none and is logged: the next answer replaces it.
    ///
    /// - Throws: ``StorageError``, which is logged too, if the store can't be read at all now.
    package func list(
        _ key: ListKey, of identity: Identity, _ facts: TableFacts
    ) async throws(StorageError) -> ListReading? {
        do throws(StorageError) {
            return try await suspension.retrying { () throws(StorageError) in
                var reading = try newest(key, of: identity, facts)
                if reading == nil {
                    reading = try store.list(key, of: identity, with: queue, facts)
                }
                guard let found = reading, isBehind(found.list.sequence, identity) else {
                    return reading
                }
                reading?.list = found.list.markedStale
                return reading
            }
        } catch {
            log.warning("A list of \(key.table.text) can't be read from the device: \(error)")
            guard case .corrupted = error else { throw error }
            return nil
        }
    }

    /// The list on its way to the disk, and what the writes in the queue do to it.
    ///
    /// What the queue holds is looked at first: a write that leaves it meanwhile is in the list by then,
    /// or the list is not on its way any more.
    private func newest(
        _ key: ListKey, of identity: Identity, _ facts: TableFacts
    ) throws(StorageError) -> ListReading? {
        guard beingStored[Place(key: key, identity: identity)] != nil else { return nil }
        let changes = try queue.changes(to: key.table, of: identity, facts)
        return newest(key, of: identity).map { list, directory in
            ListReading(list: list, directory: directory, changes: changes)
        }
    }

    /// What the writes in the queue do to a table; nil if nobody knows now.
    ///
    /// While the store is away nothing comes into the queue and nothing leaves it, so what was known before
    /// still holds.
    func pending(
        to table: ListKey.Table, of identity: Identity, _ facts: TableFacts
    ) -> [AcceptedWrite.Change]? {
        do throws(StorageError) {
            return try queue.changes(to: table, of: identity, facts)
        } catch {
            return queue.unsentChanges.lastKnown(to: table, of: identity)
        }
    }

    /// The rows of a table that lists on the device hold whole.
    func knownRows(
        of table: ListKey.Table, _ facts: TableFacts, of identity: Identity
    ) -> KnownRows { KnownRows(store.storage, table, facts, of: identity) }

    /// How old the list is that the device has, or nil.
    func age(_ key: ListKey, of identity: Identity) async -> StoredList.Age? {
        // What can't be read is logged where its rows are wanted.
        try? await suspension.retrying { () throws(StorageError) in
            if let (list, _) = newest(key, of: identity) {
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
    private func newest(
        _ key: ListKey, of identity: Identity
    ) -> (list: StoredList, directory: RowDirectory)? {
        guard let found = beingStored[Place(key: key, identity: identity)] else { return nil }
        let kept = (try? store.sequence(key, of: identity)) ?? nil
        return kept.map { $0 > found.list.sequence } ?? false ? nil : found
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
        let landing = runtime.task(name: "read.flight") { [transport, runtime, connectivity] in
            let landing = await Self.fly(exchange, transport, runtime, shape, columns)
            if landing.answer.isServed { connectivity.noteSuccess() }
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
        if let newer = beingStored[place]?.list, newer.sequence >= list.sequence { return }
        if let bound = bounds[identity.name], list.sequence <= bound { return }
        beingStored[place] = (list, directory)
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
    /// - Parameter identity: Whose lists are to go.
    /// - Throws: ``StorageError``; the lists stay then, but what was on its way is not kept.
    func drop(_ identity: Identity) async throws(StorageError) {
        try await drop(Departure(of: identity, upTo: numbers.last))
    }

    /// Drops everything that there is of an identity.
    ///
    /// - Parameters:
    ///   - identity: Whose.
    ///   - isUnsentToo: Whether writes go too that were never sent, or were rejected.
    /// - Throws: ``ClearingError``; everything stays then, but what was on its way is not kept.
    func dropAll(of identity: Identity, isUnsentToo: Bool) async throws(ClearingError) {
        let departure = Departure(of: identity, upTo: numbers.last)
        await keepNoMore(of: departure)
        try await store.removeAll(of: departure, isUnsentToo: isUnsentToo)
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

    private func drop(_ departure: Departure) async throws(StorageError) {
        await keepNoMore(of: departure)
        try await store.remove(departure)
    }

    /// Sees to it that nothing of an identity comes to the disk any more.
    private func keepNoMore(of departure: Departure) async {
        bounds[departure.name] = max(bounds[departure.name] ?? 0, departure.bound)
        for (place, stored) in beingStored
        where place.identity.name == departure.name && stored.list.sequence <= departure.bound {
            beingStored[place] = nil
        }
        // What is on its way to the disk arrives first, so that nothing comes after.
        for (sequence, task) in storing where sequence <= departure.bound { await task.value }
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
        if beingStored[place]?.list.sequence == list.sequence { beingStored[place] = nil }
    }
}
