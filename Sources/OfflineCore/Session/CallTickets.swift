/// Gets a call the tickets for its requests, and tells the app why there is none.
struct CallTickets: Sendable {
    let session: SessionTrust
    let context: OfflineError.Context

    /// A ticket for a request, by the call's question to the app; nil for one with its own session.
    func ticket(_ question: SessionQuestion?) async throws -> SessionTicket {
        do throws(SessionError) {
            return try await session.ticket(question)
        } catch {
            throw error.seenByApp(in: context)
        }
    }

    /// A ticket of a session that is settled.
    ///
    /// A read can be sent for nobody and then again; what changes something is sent once, so it waits
    /// as long as a read would try.
    func settledTicket(_ question: SessionQuestion?) async throws -> SessionTicket {
        let first = try await ticket(question)
        guard first.isRestoring else { return first }
        let limit = ReadCall.pausesWhileRestoring.reduce(.zero, +)
        await session.waitWhileRestoring(within: limit)
        try Task.checkCancellation()
        let ticket = try await ticket(session.ask())
        guard !ticket.isRestoring else { throw OfflineError(.sessionNotSettled, in: context) }
        return ticket
    }

    /// A ticket with another token, in the place of one whose token the server refused.
    func ticket(
        replacing refused: SessionTicket, refusedWith answer: ServerAnswer
    ) async throws -> SessionTicket {
        do throws(SessionError) {
            return try await session.ticket(replacing: refused)
        } catch {
            throw error.seenByApp(in: context, refusedWith: answer.refusal)
        }
    }
}

extension SessionError {
    /// What a call throws to the app.
    fileprivate func seenByApp(
        in context: OfflineError.Context, refusedWith refusal: PostgrestError? = nil
    ) -> any Error {
        switch self {
        case .noToken(let cause):
            OfflineError(.sessionExpired, in: context, underlying: cause ?? refusal)
        case .identityChanged: OfflineError(.identityChanged, in: context)
        case .cancelled: CancellationError()
        }
    }
}
