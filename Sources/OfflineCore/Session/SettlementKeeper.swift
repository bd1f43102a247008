/// Keeps on the device who settled last, and notes whose lists are to go.
///
/// In the order in which the session said so: each waits for the one before.
struct SettlementKeeper: ~Copyable {
    /// The host of the project.
    let project: String
    /// What becomes of the lists of a user who has gone.
    let policy: SupabaseOfflineClient.SignOutPolicy
    let identities: IdentityStore
    let numbers: RequestNumbers
    let runtime: OfflineRuntime
    /// Where a failure is told.
    let log: Log
    /// Says "look again" when the lists of a user who has gone are to go too.
    let departures = StateRelay(0)
    /// The last of what is being kept.
    private(set) var saving: Task<Void, Never>?

    init(
        project: String, policy: SupabaseOfflineClient.SignOutPolicy, identities: IdentityStore,
        numbers: RequestNumbers, runtime: OfflineRuntime, log: Log
    ) {
        self.project = project
        self.policy = policy
        self.identities = identities
        self.numbers = numbers
        self.runtime = runtime
        self.log = log
    }

    /// Keeps what the session's machine says, behind the one who calls.
    mutating func perform(_ action: SessionStateMachine.Action) {
        guard case .settle(let last, let departed) = action else { return }
        let leaver =
            policy == .dropCache
            ? departed.map { Identity(project: project, owner: .user($0)) } : nil
        let departure = leaver.map { Departure(of: $0, upTo: numbers.last) }
        let earlier = saving
        saving = runtime.task(name: "session.keep") { [identities, project, log, departures] in
            await earlier?.value
            do throws(StorageError) {
                try await identities.settle(last, departure, of: project)
                if departure != nil { departures.send(departures.current + 1) }
            } catch .closed {
                // Heard too late: the next client hears it anew.
            } catch {
                log.warning("Who is signed in could not be kept on the device: \(error)")
            }
        }
    }
}
