import FoundationEssentials

// What the app decides about writes that are kept.

/// Why a change of the queue was not made.
enum QueueChangeError: Error {
    case refused(OfflineError.Reason)
    case store(StorageError)
}

extension ReplayQueue {
    /// Takes a write back, and those that have no sense without it.
    ///
    /// - Throws: ``QueueChangeError``; nothing is changed then.
    func discard(
        _ id: UUID, of identity: Identity
    ) async throws(QueueChangeError) -> [QueuedWrite] {
        let time = Timestamp(runtime.wallClock())
        let dependants = dependants
        let discarded: [QueueEntry]
        do throws(StorageError) {
            if try store.queue.pending(id, of: identity) == nil {
                let rejected = try await discardRejected(of: identity) { $0.withDependants(of: id) }
                if !rejected.isEmpty { return rejected }
                discarded = []
            } else {
                // Whether its request has left is looked at in the transaction.
                discarded = try await store.queue.discard(of: identity, at: time) { queue in
                    guard let entry = queue.first(where: { $0.write.id == id }),
                        !entry.write.isPerhapsSent
                    else { return [] }
                    return [entry] + dependants.followers(of: entry, in: queue)
                }
            }
        } catch {
            throw .store(error)
        }
        if discarded.isEmpty {
            let isThere = ((try? store.queue.pending(id, of: identity)) ?? nil) != nil
            throw .refused(isThere ? .inFlight : .unknownMutation)
        }
        adjust(identity) { $0.pending -= discarded.count }
        for entry in discarded {
            let error = OfflineError(.discarded, in: settings.context(entry.write.request))
            land(.failed(error), for: entry.write.id)
            outcomes.send(MutationEvent(id: entry.write.id, outcome: .discarded))
        }
        tookBack()
        return discarded.map(\.write)
    }

    /// Drops all rejected writes.
    ///
    /// - Throws: ``QueueChangeError``; nothing is changed then.
    func discardAllRejected(
        of identity: Identity
    ) async throws(QueueChangeError) -> [QueuedWrite] {
        do throws(StorageError) {
            return try await discardRejected(of: identity) { $0 }
        } catch {
            throw .store(error)
        }
    }

    private func discardRejected(
        of identity: Identity, _ chosen: @escaping @Sendable ([RejectedEntry]) -> [RejectedEntry]
    ) async throws(StorageError) -> [QueuedWrite] {
        let time = Timestamp(runtime.wallClock())
        let discarded = try await store.queue.discardRejected(
            of: identity, at: time, as: .discarded, chosen)
        adjust(identity) { $0.rejected -= discarded.count }
        for entry in discarded {
            outcomes.send(MutationEvent(id: entry.write.id, outcome: .discarded))
        }
        changed()
        return discarded.map(\.write)
    }

    /// Puts a rejected write, and those that were rejected with it, at the end of the queue.
    ///
    /// - Parameters:
    ///   - id: The write.
    ///   - identity: Whose.
    ///   - payload: What it writes from now on; nil is what it wrote.
    /// - Returns: The writes in the queue.
    /// - Throws: ``QueueChangeError``; nothing is changed then.
    func retry(
        _ id: UUID, of identity: Identity, payload: Bytes?
    ) async throws(QueueChangeError) -> [QueuedWrite] {
        let rejected: [RejectedEntry]
        do throws(StorageError) {
            rejected = try store.queue.rejected(of: identity)
        } catch {
            throw .store(error)
        }
        guard let entry = rejected.first(where: { $0.write.id == id }) else {
            throw .refused(.unknownMutation)
        }
        let write = try replacing(payload, in: entry.write)
        let entries: [QueueEntry]
        do throws(StorageError) {
            entries = try await store.queue.requeue(of: identity) { rejected in
                var chosen: [RejectedEntry: QueuedWrite] = [:]
                for other in rejected.withDependants(of: id) {
                    chosen[other] = (other.write.id == id ? write : other.write).anew
                }
                return chosen
            }
        } catch {
            throw .store(error)
        }
        adjust(identity) { counts in
            counts.pending += entries.count
            counts.rejected -= entries.count
        }
        putBack()
        return entries.map(\.write)
    }

    /// A write with other values, whose rows keep their keys.
    private func replacing(
        _ payload: Bytes?, in write: QueuedWrite
    ) throws(QueueChangeError) -> QueuedWrite {
        guard let payload else { return write }
        var changed = write
        do throws(WriteProblem) {
            changed.request = try write.request.replacing(
                payload, settings.facts(of: write.request))
        } catch {
            throw .refused(.invalidRequest(error.text))
        }
        changed.revision += 1
        return changed
    }
}

extension [RejectedEntry] {
    /// A rejected write and those that depend on it, and those that depend on them.
    fileprivate func withDependants(of id: UUID) -> [RejectedEntry] {
        var ids: Set<UUID> = [id]
        guard contains(where: { $0.write.id == id }) else { return [] }
        return filter { entry in
            if case .dependency(let parent) = entry.rejection, ids.contains(parent) {
                ids.insert(entry.write.id)
            }
            return ids.contains(entry.write.id)
        }
    }
}

extension QueuedWrite {
    /// The same write, as if it had not been tried yet.
    fileprivate var anew: QueuedWrite {
        var write = self
        write.failures = Failures()
        write.lastRefusal = nil
        // Whoever asks for another call knows that there may have been one.
        if operation == .call { write.isPerhapsSent = false }
        return write
    }
}
